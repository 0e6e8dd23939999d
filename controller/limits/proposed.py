"""Proposals for the floorperson's key: other limits, odds or rules, and when they may be confirmed.

§ 521.8(b), (c). Pure: the caller passes the time. Wall times are in nanoseconds UTC.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

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
from controller.limits.amounts import (
    FARTHEST_MIN,
    NOTICE_MIN,
    NOTICE_NS,
    NS_PER_MIN,
    NS_PER_S,
    amounts_in,
    spoken,
    time_of_day,
)
from controller.limits.house_rules import changed, odds_text, rules_text
from controller.limits.round_progress import QUIET_NS
from controller.limits.table_state import Amounts, PayoutOdds, TableState

PATIENCE_S = 60
"""A proposal that is not confirmed within this time expires."""
FILE_PATIENCE_S = 600
"""The same of what the table's file says: people may come to a table a while after its start."""


class Proposal(NamedTuple):
    """A proposal for the floorperson's key to confirm. With amounts, one of the times is set, or nobody plays."""

    change: Amounts | PayoutOdds | HouseRules | None
    """Odds and rules are those of the table's file, and count from the next round on. None withdraws limits."""
    minutes: int | None = None
    """In effect this long after the key is turned."""
    from_utc_ns: int | None = None
    """In effect at this wall time; with minutes beside it, not before it."""
    nobody_plays: bool = False
    """In effect at once, as nobody is playing (§ 521.8(c)(1))."""
    currency: str = ""
    """Another currency sign; empty for the one in effect."""
    from_file: bool = False


class ProposalOutcome(Enum):
    WAITING = "waiting"
    CONFIRMED = "confirmed"
    DROPPED = "dropped"
    EXPIRED = "expired"
    REFUSED = "refused"


@dataclass(slots=True)
class Proposed:
    proposal: Proposal
    at_ns: int
    outcome: ProposalOutcome = ProposalOutcome.WAITING
    words: str = ""

    @property
    def patience_ns(self) -> int:
        return (FILE_PATIENCE_S if self.proposal.from_file else PATIENCE_S) * NS_PER_S


# -- what the table's file says otherwise ----------------------------------------------------------------------


def proposals(file: FileTerms, table_state: TableState, changed_only: bool = False) -> list[Proposal]:
    """What the table's file says otherwise than the record.

    Args:
        changed_only: not those limits that the file had when it was last confirmed: they were changed at the table.
    """
    found = [Proposal(terms, from_file=True) for terms in _other_terms(file, table_state)]
    limits = amounts_in(file)
    if limits is None or (changed_only and not _limits_changed(file, table_state)):
        return found
    currency = file.currency if file.currency != table_state.currency else ""
    pending = table_state.pending
    at_last = (
        (table_state.limits, "") if pending is None else (pending.amounts, pending.currency or table_state.currency)
    )
    of_file = (limits, currency) if pending is None else (limits, file.currency)
    if of_file != at_last:
        found.append(Proposal(limits, minutes=NOTICE_MIN, currency=currency, from_file=True))
    return found


def _other_terms(file: FileTerms, table_state: TableState) -> Iterator[PayoutOdds | HouseRules]:
    """The file's odds and rules, if they are others than those of the next round."""
    odds = PayoutOdds(file.odds)
    if table_state.last_odds not in (None, odds):
        yield odds
    if file.house is not None and table_state.last_rules not in (None, file.house):
        yield file.house


def _limits_changed(file: FileTerms, table_state: TableState) -> bool:
    """Whether the file's limits, or their currency, are others than those that were last confirmed."""
    known = table_state.file
    if table_state.limits is None:
        return True
    return known is None or (amounts_in(known), known.currency) != (amounts_in(file), file.currency)


def differs(file: FileTerms, table_state: TableState, currency: str) -> str:
    """A warning that the table's file has other limits, odds or rules than those in effect; empty if not."""
    limits, present = amounts_in(file), table_state.limits
    found = []
    if limits is not None and present is not None and (limits != present or file.currency != currency):
        found.append(
            f"limits in effect: {spoken(present, currency)}; the table's file says {spoken(limits, file.currency)}"
            ", which has no effect: correct the file, or announce its limits with table-controller limits"
        )
    for terms in _other_terms(file, table_state):
        if isinstance(terms, PayoutOdds):
            found.append(
                f"odds in effect: {odds_text(table_state.last_odds)}; the table's file says {odds_text(terms)}, "
                "which has no effect: correct the file, or confirm it with table-controller limits"
            )
        else:
            found.append(
                "the table's file has other rules than are in effect: "
                f"{rules_text(table_state.last_rules, terms, currency)}; they have no effect: correct the file, or "
                "confirm them with table-controller limits"
            )
    return "; ".join(found)


# -- what people read ------------------------------------------------------------------------------------------


def confirmation_prompt(proposal: Proposal, table_state: TableState, currency: str, utc_ns: int) -> str:
    confirm, change = "turn the key and confirm", proposal.change
    if isinstance(change, PayoutOdds | HouseRules):
        if isinstance(change, PayoutOdds):
            what, terms = "odds", odds_text(change)
        else:
            what, terms = "rules", rules_text(table_state.rules, change, currency)
        return (
            f"FLOORPERSON: the table's file has other {what}, which need an approval (§ 521.8(b)). Announce to the "
            f"patrons: from the next round on {terms}. Then {confirm}."
        )
    if change is None:
        pending = table_state.pending
        of = f" of {spoken(pending.amounts, pending.currency or currency)}" if pending is not None else ""
        return f"FLOORPERSON: to withdraw the announced limits{of}, {confirm}."
    words = spoken(change, proposal.currency or currency)
    if proposal.nobody_plays:
        return f"FLOORPERSON: if nobody plays, {confirm}: {words} from now on."
    why = "the table's file has other limits. Announce" if proposal.from_file else "announce"
    at = time_of_day(effective(proposal, utc_ns))
    return f"FLOORPERSON: {why} to the patrons: from {at} on wagers are {words}. Then {confirm}."


def confirmed_text(proposal: Proposal, currency: str, announced_from_ns: int | None) -> str:
    """What people read once a proposal is confirmed.

    Args:
        currency: that is in effect.
        announced_from_ns: wall time from which announced limits are in effect; None if none are announced.
    """
    if isinstance(proposal.change, PayoutOdds):
        return f"from the next round on {odds_text(proposal.change)}"
    if isinstance(proposal.change, HouseRules):
        return "these rules count from the next round on"
    if proposal.change is None:
        return "the announcement is withdrawn; the limits stay as they are"
    words = spoken(proposal.change, proposal.currency or currency)
    if announced_from_ns is None:
        return f"{words}, in effect now"
    return f"{words}, announced, in effect from {time_of_day(announced_from_ns)}"


# -- decisions -------------------------------------------------------------------------------------------------


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
    proposal: Proposal, table_state: TableState, utc_ns: int, quiet_in_ns: int | None, currency: str
) -> str:
    """Why a proposal cannot be confirmed now, with the remedy; empty if it can.

    Args:
        quiet_in_ns: for how long nothing may happen yet until the table counts as quiet; None while wagers are not
            open, or something was keyed or thrown in this round.
        currency: the sign in effect.
    """
    change = proposal.change
    if isinstance(change, PayoutOdds):
        return "these odds are in effect already" if change == table_state.last_odds else ""
    if isinstance(change, HouseRules):
        return "these rules are in effect already" if change == table_state.last_rules else ""
    if change is None:
        return "" if table_state.pending is not None else "no limits are announced: there is nothing to withdraw"
    if change == table_state.limits and proposal.currency in ("", currency):
        instead = "; withdraw those that are announced instead" if table_state.pending is not None else ""
        return f"these limits are in effect already{instead}"
    if proposal.nobody_plays:
        return _played(quiet_in_ns) if quiet_in_ns is not None else _ROUND_IN_PROGRESS
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
    change = proposal.change
    if isinstance(change, PayoutOdds):
        return [OddsConfirmed(at_ns, utc_ns, dict(change.above), by)]
    if isinstance(change, HouseRules):
        return [RulesConfirmed(at_ns, utc_ns, change, changed(table_state.rules, change), by)]
    if change is None:
        return [LimitsWithdrawn(at_ns, utc_ns, by)]
    announced = LimitsAnnounced(
        at_ns,
        utc_ns,
        *(change.minimum, change.maximum, change.payout),
        effective(proposal, utc_ns),
        proposal.nobody_plays,
        by,
        proposal.currency,
        to_patrons=not proposal.nobody_plays,
        from_file=proposal.from_file,
    )
    if not proposal.nobody_plays:
        return [announced]
    return [announced, in_effect(change, at_ns, utc_ns, proposal.currency)]


def in_effect(amounts: Amounts, at_ns: int, utc_ns: int, currency: str = "") -> LimitsInEffect:
    """The event that these limits are in effect from now on.

    Args:
        currency: another sign than before; empty for the same.
    """
    return LimitsInEffect(at_ns, utc_ns, amounts.minimum, amounts.maximum, amounts.payout, currency)
