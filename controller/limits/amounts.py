"""The limits on a table's sign: what may be announced, when it may take effect, and its text (§ 521.8(c)).

Pure: the caller passes the time. Wall times are in nanoseconds UTC; displayed times are in the table's time zone.
"""

import re
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from config.schema import LimitsSection, TableConfig
from controller.events.event import (
    Event,
    FileTerms,
    HouseRules,
    LimitsAnnounced,
    LimitsInEffect,
    LimitsWithdrawn,
    OddsConfirmed,
    RulesConfirmed,
)
from controller.limits.house_rules import changes, house_rules, odds_text
from controller.limits.money import money
from controller.limits.round_progress import QUIET_NS
from controller.limits.table_state import Amounts, PayoutOdds, TableState
from controller.odds.wagers import to_one

NS_PER_S = 1_000_000_000
NS_PER_MIN = 60 * NS_PER_S
NOTICE_MIN, FARTHEST_MIN = 30, 24 * 60
"""The shortest notice (§ 521.8(c)(2)(i)), and the longest, with which a time of day is unambiguous."""
NOTICE_NS = NOTICE_MIN * NS_PER_MIN
NO_TERMS = FileTerms("", "", "", str(LimitsSection.model_fields["currency"].default), {})
"""Of a file without limits and with the regulation's odds."""
_AMOUNT = re.compile(r"[0-9]{1,12}(\.[0-9]{1,4})?")


class Proposal(NamedTuple):
    """A proposal for the floorperson's key to confirm. With amounts, one of the times is set, or nobody plays."""

    amounts: Amounts | None
    """None: withdraw the announced limits, if no odds are set either."""
    minutes: int | None = None
    """In effect this long after the key is turned."""
    from_utc_ns: int | None = None
    """In effect at this wall time; with minutes beside it, not before it."""
    nobody_plays: bool = False
    """In effect at once, as nobody is playing (§ 521.8(c)(1))."""
    currency: str = ""
    """Another currency sign; empty for the one in effect."""
    odds: PayoutOdds | None = None
    """Other payout odds, in effect from the next round on."""
    rules: HouseRules | None = None
    """Other rules of the table's file, in effect from the next round on."""
    from_file: bool = False
    """It is what the table's file says."""


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
    if section is None or section.minimum is None or section.maximum is None:
        return None
    payout = "" if section.payout is None else f"{section.payout:f}"
    return amounts_of(f"{section.minimum:f}", f"{section.maximum:f}", payout)


def currency_of(section: LimitsSection | None) -> str:
    """The currency sign in front of an amount."""
    return section.currency if section is not None else str(LimitsSection.model_fields["currency"].default)


def file_terms(config: TableConfig) -> FileTerms:
    """What a table's validated file says of limits, odds and rules."""
    amounts = file_amounts(config.limits) or Amounts("", "")
    odds = {area: to_one(odds) for area, odds in sorted(config.layout.odds.items())}
    currency, house = currency_of(config.limits), house_rules(config)
    return FileTerms(amounts.minimum, amounts.maximum, amounts.payout, currency, odds, house)


def amounts_in(terms: FileTerms) -> Amounts | None:
    """The limits in a file's terms; None if it has none."""
    return Amounts(terms.minimum, terms.maximum, terms.payout) if terms.minimum else None


# -- text --------------------------------------------------------------------------------------------------------


def spoken(amounts: Amounts, currency: str) -> str:
    """Limits as text: ``$10 to $500, at most $25,000 paid out in a round``."""
    least, most = money(currency, amounts.minimum), money(currency, amounts.maximum)
    paid = f", at most {money(currency, amounts.payout)} paid out in a round" if amounts.payout else ""
    return f"{least} to {most}{paid}"


def time_of_day(utc_ns: int) -> str:
    """The time of day in the table's time zone: ``14:05``."""
    return datetime.fromtimestamp(utc_ns // NS_PER_S).strftime("%H:%M")


def rules_text(rules: HouseRules, table_state: TableState, currency: str) -> str:
    """What other rules differ in from those in effect, as text."""
    return changes(table_state.rules, rules, currency) if table_state.rules is not None else ""


def confirmation_prompt(proposal: Proposal, table_state: TableState, currency: str, utc_ns: int) -> str:
    """The prompt for the floorperson to confirm a proposal."""
    confirm = "turn the key and confirm"
    if proposal.odds is not None:
        return (
            "FLOORPERSON: the table's file has other odds, which need an approval (§ 521.8(b)). Announce to the "
            f"patrons: from the next round on {odds_text(proposal.odds)}. Then {confirm}."
        )
    if proposal.rules is not None:
        return (
            "FLOORPERSON: the table's file has other rules, which need an approval (§ 521.8(b)). Announce to the "
            f"patrons: from the next round on {rules_text(proposal.rules, table_state, currency)}. Then {confirm}."
        )
    if proposal.amounts is None:
        pending = table_state.pending
        of = f" of {spoken(pending.amounts, pending.currency or currency)}" if pending is not None else ""
        return f"FLOORPERSON: to withdraw the announced limits{of}, {confirm}."
    words = spoken(proposal.amounts, proposal.currency or currency)
    if proposal.nobody_plays:
        return f"FLOORPERSON: if nobody plays, {confirm}: {words} from now on."
    why = "the table's file has other limits. Announce" if proposal.from_file else "announce"
    at = time_of_day(effective(proposal, utc_ns))
    return f"FLOORPERSON: {why} to the patrons: from {at} on wagers are {words}. Then {confirm}."


def differs(file: FileTerms, table_state: TableState, currency: str) -> str:
    """A warning that the table's file has other limits, odds or rules than those in effect; empty if not."""
    limits, present = amounts_in(file), table_state.limits
    found = []
    if limits is not None and present is not None and (limits != present or file.currency != currency):
        found.append(
            f"limits in effect: {spoken(present, currency)}; the table's file says {spoken(limits, file.currency)}"
            ", which has no effect: correct the file, or announce its limits with table-controller limits"
        )
    odds, of_file = table_state.next_odds or table_state.odds, PayoutOdds(file.odds)
    if odds is not None and of_file != odds:
        found.append(
            f"odds in effect: {odds_text(odds)}; the table's file says {odds_text(of_file)}, which has no effect: "
            "correct the file, or confirm it with table-controller limits"
        )
    rules = table_state.next_rules or table_state.rules
    if rules is not None and file.house is not None and rules != file.house:
        found.append(
            f"the table's file has other rules than are in effect: {changes(rules, file.house, currency)}; they "
            "have no effect: correct the file, or confirm them with table-controller limits"
        )
    return "; ".join(found)


# -- decisions ---------------------------------------------------------------------------------------------------


def effective(proposal: Proposal, utc_ns: int) -> int:
    """The wall time at which limits announced now take effect. Minutes are rounded up to the next whole minute."""
    if proposal.nobody_plays:
        return utc_ns
    stated_ns = proposal.from_utc_ns or 0
    if proposal.minutes is None:
        return stated_ns
    return max(stated_ns, -(-(utc_ns + proposal.minutes * NS_PER_MIN) // NS_PER_MIN) * NS_PER_MIN)


def stated(proposal: Proposal, utc_ns: int) -> Proposal:
    """The same with a time that still holds if the key is turned later than now: patrons are told it before.

    Args:
        utc_ns: wall time up to which the key may be turned.
    """
    return proposal if proposal.minutes is None else proposal._replace(from_utc_ns=effective(proposal, utc_ns))


def objection(
    proposal: Proposal, table_state: TableState, idle: bool, utc_ns: int, quiet_in_ns: int, currency: str
) -> str:
    """Why a proposal cannot be confirmed now, with the remedy; empty if it can.

    Args:
        idle: wagers are open and nothing has been keyed or thrown in this round.
        quiet_in_ns: for how long nothing may happen yet until the table counts as quiet.
        currency: the sign in effect.
    """
    if proposal.odds is not None:
        confirmed_odds = table_state.next_odds or table_state.odds
        return "these odds are in effect already" if proposal.odds == confirmed_odds else ""
    if proposal.rules is not None:
        confirmed_rules = table_state.next_rules or table_state.rules
        return "these rules are in effect already" if proposal.rules == confirmed_rules else ""
    if proposal.amounts is None:
        return "" if table_state.pending is not None else "no limits are announced: there is nothing to withdraw"
    if proposal.amounts == table_state.limits and proposal.currency in ("", currency):
        instead = "; withdraw those that are announced instead" if table_state.pending is not None else ""
        return f"these limits are in effect already{instead}"
    if proposal.nobody_plays:
        return _played(quiet_in_ns) if idle else _ROUND_IN_PROGRESS
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


def _played(quiet_in_ns: int) -> str:
    """Why nobody can be known not to play; empty if that is possible."""
    if not quiet_in_ns:
        return ""
    return (
        f"something was keyed or thrown less than {QUIET_NS // NS_PER_S} s ago; if nobody plays, leave the table "
        f"alone for {-(-quiet_in_ns // NS_PER_S)} s more, or announce the limits {NOTICE_MIN} minutes ahead"
    )


def confirmed(
    proposal: Proposal, table_state: TableState, currency: str, by: str, at_ns: int, utc_ns: int
) -> list[Event]:
    """The events to record once the floorperson has confirmed. Check :func:`objection` first."""
    amounts = proposal.amounts
    if proposal.odds is not None:
        return [OddsConfirmed(at_ns, utc_ns, dict(proposal.odds.above), by)]
    if proposal.rules is not None:
        detail = rules_text(proposal.rules, table_state, currency)
        return [RulesConfirmed(at_ns, utc_ns, proposal.rules, detail, by)]
    if amounts is None:
        return [LimitsWithdrawn(at_ns, utc_ns, by)]
    announced = LimitsAnnounced(
        at_ns,
        utc_ns,
        *(amounts.minimum, amounts.maximum, amounts.payout),
        effective(proposal, utc_ns),
        proposal.nobody_plays,
        by,
        proposal.currency,
        to_patrons=not proposal.nobody_plays,
        from_file=proposal.from_file,
    )
    if not proposal.nobody_plays:
        return [announced]
    return [announced, in_effect(amounts, at_ns, utc_ns, proposal.currency)]


def in_effect(amounts: Amounts, at_ns: int, utc_ns: int, currency: str = "") -> LimitsInEffect:
    """The event that these limits are in effect from now on.

    Args:
        currency: another sign than before; empty for the same.
    """
    return LimitsInEffect(at_ns, utc_ns, amounts.minimum, amounts.maximum, amounts.payout, currency)
