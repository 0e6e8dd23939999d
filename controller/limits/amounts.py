"""The limits on a table's sign: what may be announced, when it may take effect, and its text (§ 521.8(c)).

Pure: the caller passes the time. Wall times are in nanoseconds UTC; displayed times are in the table's time zone.
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
"""The shortest notice (§ 521.8(c)(2)(i)), and the longest, with which a time of day is unambiguous."""
NOTICE_NS = NOTICE_MIN * NS_PER_MIN
_AMOUNT = re.compile(r"[0-9]{1,12}(\.[0-9]{1,4})?")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal for the floorperson's key to confirm. Exactly one of the times is set, unless amounts is None."""

    amounts: Amounts | None
    """None: withdraw the announced limits."""
    minutes: int | None = None
    """In effect this long after the key is turned."""
    from_utc_ns: int | None = None
    """In effect at this wall time."""
    nobody_plays: bool = False
    """In effect at once, as nobody is playing (§ 521.8(c)(1))."""


# -- amounts -----------------------------------------------------------------------------------------------------


def amounts_of(minimum: str, maximum: str, payout: str = "") -> Amounts:
    """Parse and check limits.

    Args:
        payout: the most that is paid out in a round; empty for no limit.

    Raises:
        ValueError: one is no amount, or they contradict one another; the message says what to write.
    """
    least, most = _amount("minimum", minimum), _amount("maximum", maximum)
    if Decimal(most) < Decimal(least):
        raise ValueError(f"the maximum {most} is below the minimum {least}")
    paid = _amount("payout limit", payout) if payout else ""
    if paid and Decimal(paid) < Decimal(most):
        raise ValueError(f"the payout limit {paid} is below the maximum {most}: no such wager could be paid")
    return Amounts(least, most, paid)


def _amount(what: str, text: str) -> str:
    """An amount in canonical form, without redundant zeros."""
    if not _AMOUNT.fullmatch(text) or not Decimal(text):
        raise ValueError(
            f"the {what} {text[:40]!a} is no amount; write one above 0 with at most 12 digits and 4 decimals"
        )
    return f"{Decimal(text).normalize():f}"


def file_amounts(section: LimitsSection | None) -> Amounts | None:
    """The limits in a table's validated file; None if it has none."""
    if section is None:
        return None
    payout = "" if section.payout is None else f"{section.payout:f}"
    return amounts_of(f"{section.minimum:f}", f"{section.maximum:f}", payout)


def currency_of(section: LimitsSection | None) -> str:
    """The currency sign in front of an amount."""
    return section.currency if section is not None else str(LimitsSection.model_fields["currency"].default)


# -- text --------------------------------------------------------------------------------------------------------


def money(currency: str, amount: str) -> str:
    """``$25,000`` or ``$2.50``."""
    places = -int(str(Decimal(amount).as_tuple().exponent))
    return f"{currency}{Decimal(amount):,.{max(places, 2) if places else 0}f}"


def spoken(amounts: Amounts, currency: str) -> str:
    """Limits as text: ``$10 to $500, at most $25,000 paid out in a round``."""
    least, most = money(currency, amounts.minimum), money(currency, amounts.maximum)
    paid = f", at most {money(currency, amounts.payout)} paid out in a round" if amounts.payout else ""
    return f"{least} to {most}{paid}"


def time_of_day(utc_ns: int) -> str:
    """The time of day in the table's time zone: ``14:05``."""
    return datetime.fromtimestamp(utc_ns // NS_PER_S).strftime("%H:%M")


def confirmation_prompt(proposal: Proposal, table_state: TableState, currency: str, utc_ns: int) -> str:
    """The prompt for the floorperson to confirm a proposal."""
    if proposal.amounts is None:
        action = "to withdraw the announced limits"
        if table_state.pending is not None:
            action += f" of {spoken(table_state.pending.amounts, currency)}"
    elif proposal.nobody_plays:
        action = f"if nobody plays: {spoken(proposal.amounts, currency)} from now on"
    else:
        at = time_of_day(effective(proposal, utc_ns))
        action = f"to announce {spoken(proposal.amounts, currency)} from {at} on"
    return f"floorperson: turn the key {action}; clear drops this"


def differs(file: Amounts | None, table_state: TableState, currency: str) -> str:
    """A warning that the table's file has other limits than those in effect, with the remedy; empty if not."""
    if file is None or table_state.limits is None or file == table_state.limits:
        return ""
    return (
        f"limits in effect: {spoken(table_state.limits, currency)}; "
        f"the table's file says {spoken(file, currency)}, "
        "which has no effect: correct the file, or announce its limits with table-controller limits"
    )


# -- decisions ---------------------------------------------------------------------------------------------------


def effective(proposal: Proposal, utc_ns: int) -> int:
    """The wall time at which limits announced now take effect. Minutes are rounded up to the next whole minute."""
    if proposal.nobody_plays:
        return utc_ns
    if proposal.minutes is not None:
        return -(-(utc_ns + proposal.minutes * NS_PER_MIN) // NS_PER_MIN) * NS_PER_MIN
    assert proposal.from_utc_ns is not None
    return proposal.from_utc_ns


def objection(proposal: Proposal, table_state: TableState, idle: bool, utc_ns: int) -> str:
    """Why a proposal cannot be confirmed now, with the remedy; empty if it can.

    Args:
        idle: wagers are open and nothing has been keyed or thrown in this round.
    """
    if proposal.amounts is None:
        return "" if table_state.pending is not None else "no limits are announced: there is nothing to withdraw"
    if proposal.amounts == table_state.limits:
        instead = "; withdraw those that are announced instead" if table_state.pending is not None else ""
        return f"these limits are in effect already{instead}"
    if proposal.nobody_plays:
        return "" if idle else _ROUND_IN_PROGRESS
    ahead_ns = effective(proposal, utc_ns) - utc_ns
    if ahead_ns < NOTICE_NS:
        return (
            f"{time_of_day(effective(proposal, utc_ns))} is less than {NOTICE_MIN} minutes ahead; "
            "choose a later time (§ 521.8(c)(2)(i))"
        )
    if ahead_ns > (FARTHEST_MIN + 1) * NS_PER_MIN:
        return "the limits would take effect more than a day from now; choose an earlier time"
    return ""


_ROUND_IN_PROGRESS = (
    "a round is being played, or the table is not open for wagers; turn to it when wagers are open and nothing has "
    f"been thrown or keyed, or announce the limits {NOTICE_MIN} minutes ahead"
)


def confirmed(proposal: Proposal, by: str, at_ns: int, utc_ns: int) -> list[Event]:
    """The events to record once the floorperson has confirmed. Check :func:`objection` first."""
    amounts = proposal.amounts
    if amounts is None:
        return [LimitsWithdrawn(at_ns, utc_ns, by)]
    values = (amounts.minimum, amounts.maximum, amounts.payout)
    from_utc_ns = effective(proposal, utc_ns)
    announced = LimitsAnnounced(at_ns, utc_ns, *values, from_utc_ns, proposal.nobody_plays, by)
    if not proposal.nobody_plays:
        return [announced]
    return [announced, LimitsInEffect(at_ns, utc_ns, *values)]


def in_effect(amounts: Amounts, at_ns: int, utc_ns: int) -> LimitsInEffect:
    """The event that these limits are in effect from now on."""
    return LimitsInEffect(at_ns, utc_ns, amounts.minimum, amounts.maximum, amounts.payout)
