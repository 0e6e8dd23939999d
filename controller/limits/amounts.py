"""The limits on a table's sign: what may be announced, when it may take effect, and the words for it (§ 521.8(c)).

Pure: times are handed in. Wall times are in nanoseconds UTC; what people read is the time at the table's place.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from config.schema import LimitsSection
from controller.events.event import Event, LimitsAnnounced, LimitsInEffect, LimitsWithdrawn
from controller.limits.table_state import Amounts, TableState

NS_PER_S = 1_000_000_000
NS_PER_MIN = 60 * NS_PER_S
NOTICE_MIN, FARTHEST_MIN = 30, 24 * 60
"""The least notice (§ 521.8(c)(2)(i)), and the longest: a time of day then means one moment."""
NOTICE_NS = NOTICE_MIN * NS_PER_MIN
_AMOUNT = re.compile(r"[0-9]{1,12}(\.[0-9]{1,4})?")


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the floorperson's key is to confirm. Exactly one of the times is given, unless amounts are withdrawn."""

    amounts: Amounts | None
    """None: what was announced is withdrawn."""
    minutes: int | None = None
    """So long after the key is turned."""
    from_utc_ns: int | None = None
    """At this wall time."""
    nobody_plays: bool = False
    """At once, as nobody plays (§ 521.8(c)(1))."""


# -- amounts -----------------------------------------------------------------------------------------------------


def amounts_of(minimum: str, maximum: str, payout: str = "") -> Amounts:
    """Limits as somebody wrote them.

    Args:
        payout: the most that is paid out in a round; empty for no limit.

    Raises:
        ValueError: one is no amount, or they do not fit one another; the message says what to write.
    """
    least, most = _amount("minimum", minimum), _amount("maximum", maximum)
    if Decimal(most) < Decimal(least):
        raise ValueError(f"the maximum {most} is below the minimum {least}")
    paid = _amount("payout limit", payout) if payout else ""
    if paid and Decimal(paid) < Decimal(most):
        raise ValueError(f"the payout limit {paid} is below the maximum {most}: no such wager could be paid")
    return Amounts(least, most, paid)


def _amount(what: str, text: str) -> str:
    """An amount without needless zeros."""
    if not _AMOUNT.fullmatch(text) or not Decimal(text):
        raise ValueError(
            f"the {what} {text[:40]!a} is no amount; write one above 0 with at most 12 digits and 4 decimals"
        )
    return f"{Decimal(text).normalize():f}"


def of_file(section: LimitsSection | None) -> Amounts | None:
    """The limits that a table's file says, which was checked; None if it says none."""
    if section is None:
        return None
    payout = "" if section.payout is None else f"{section.payout:f}"
    return amounts_of(f"{section.minimum:f}", f"{section.maximum:f}", payout)


def currency_of(section: LimitsSection | None) -> str:
    """The sign that stands before an amount."""
    return section.currency if section is not None else str(LimitsSection.model_fields["currency"].default)


# -- words -------------------------------------------------------------------------------------------------------


def money(currency: str, amount: str) -> str:
    """``$25,000`` or ``$2.50``."""
    places = -int(str(Decimal(amount).as_tuple().exponent))
    return f"{currency}{Decimal(amount):,.{max(places, 2) if places else 0}f}"


def spoken(amounts: Amounts, currency: str) -> str:
    """Limits in words: ``$10 to $500, at most $25,000 paid out in a round``."""
    least, most = money(currency, amounts.minimum), money(currency, amounts.maximum)
    paid = f", at most {money(currency, amounts.payout)} paid out in a round" if amounts.payout else ""
    return f"{least} to {most}{paid}"


def time_of_day(utc_ns: int) -> str:
    """The time at the table's place: ``14:05``."""
    return datetime.fromtimestamp(utc_ns // NS_PER_S).strftime("%H:%M")


def asks(proposal: Proposal, table_state: TableState, currency: str, utc_ns: int) -> str:
    """What the floorperson is asked to confirm."""
    if proposal.amounts is None:
        what = "to withdraw the announced limits"
        if table_state.pending is not None:
            what += f" of {spoken(table_state.pending.amounts, currency)}"
    elif proposal.nobody_plays:
        what = f"if nobody plays: {spoken(proposal.amounts, currency)} from now on"
    else:
        at = time_of_day(effective(proposal, utc_ns))
        what = f"to announce {spoken(proposal.amounts, currency)} from {at} on"
    return f"floorperson: turn the key {what}; clear drops this"


def differs(file: Amounts | None, table_state: TableState, currency: str) -> str:
    """That the table's file says other limits than those in effect, with the remedy; empty if it does not."""
    if file is None or table_state.limits is None or file == table_state.limits:
        return ""
    return (
        f"limits in effect: {spoken(table_state.limits, currency)}; "
        f"the table's file says {spoken(file, currency)}, "
        "which has no effect: correct the file, or announce its limits with table-controller limits"
    )


# -- decisions ---------------------------------------------------------------------------------------------------


def effective(proposal: Proposal, utc_ns: int) -> int:
    """When limits take effect that are announced now. Minutes from now are rounded up to the next whole minute."""
    if proposal.nobody_plays:
        return utc_ns
    if proposal.minutes is not None:
        return -(-(utc_ns + proposal.minutes * NS_PER_MIN) // NS_PER_MIN) * NS_PER_MIN
    assert proposal.from_utc_ns is not None
    return proposal.from_utc_ns


def objection(proposal: Proposal, table_state: TableState, idle: bool, utc_ns: int) -> str:
    """Why a proposal cannot be confirmed now, with the remedy; empty if it can.

    Args:
        idle: wagers are open and nothing of a round has been keyed or thrown.
    """
    if proposal.amounts is None:
        return "" if table_state.pending is not None else "no limits are announced: there is nothing to withdraw"
    if proposal.amounts == table_state.limits:
        instead = "; withdraw those that are announced instead" if table_state.pending is not None else ""
        return f"these limits are in effect already{instead}"
    if proposal.nobody_plays:
        return "" if idle else _PLAYED
    ahead_ns = effective(proposal, utc_ns) - utc_ns
    if ahead_ns < NOTICE_NS:
        return (
            f"{time_of_day(effective(proposal, utc_ns))} is less than {NOTICE_MIN} minutes ahead; "
            "choose a later time (§ 521.8(c)(2)(i))"
        )
    if ahead_ns > (FARTHEST_MIN + 1) * NS_PER_MIN:
        return "the limits would take effect more than a day from now; choose an earlier time"
    return ""


_PLAYED = (
    "a round is being played, or the table is not open for wagers; turn to it when wagers are open and nothing has "
    f"been thrown or keyed, or announce the limits {NOTICE_MIN} minutes ahead"
)


def confirmed(proposal: Proposal, by: str, at_ns: int, utc_ns: int) -> list[Event]:
    """What is recorded once the floorperson has confirmed; see :func:`objection` before."""
    amounts = proposal.amounts
    if amounts is None:
        return [LimitsWithdrawn(at_ns, utc_ns, by)]
    given = (amounts.minimum, amounts.maximum, amounts.payout)
    from_utc_ns = effective(proposal, utc_ns)
    announced = LimitsAnnounced(at_ns, utc_ns, *given, from_utc_ns, proposal.nobody_plays, by)
    if not proposal.nobody_plays:
        return [announced]
    return [announced, LimitsInEffect(at_ns, utc_ns, *given)]


def in_effect(amounts: Amounts, at_ns: int, utc_ns: int) -> LimitsInEffect:
    """These limits count from now on."""
    return LimitsInEffect(at_ns, utc_ns, amounts.minimum, amounts.maximum, amounts.payout)
