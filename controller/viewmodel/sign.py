"""The limits sign as the pages show it (§ 521.8(c)(2)): in effect, announced, and what the dealer announces."""

from collections.abc import Iterable
from fractions import Fraction

from controller.events.effect import Win
from controller.events.event import Limits
from controller.limits.terms import house_text, limits_text, money, steps_text, time_of_day
from controller.runtime.table import Table
from controller.viewmodel.documents import AnnouncedLimits, LimitsPrompts, SignLimits


def limits_of(table: Table) -> SignLimits | None:
    """The limits; None if none are in effect or announced."""
    state, currency = table.table_state, table.sign.currency
    if state.limits is None and state.pending is None:
        return None
    limits, pending = state.limits or Limits("", ""), None
    if state.pending is not None:
        other, at_ns = state.pending.limits, table.sign.effective_utc_ns()
        amounts = (other.minimum, other.maximum, other.payout, other.currency)
        pending = AnnouncedLimits(*amounts, time_of_day(at_ns), at_ns // 1_000_000)
    steps = steps_text(state.house.steps, currency) if state.house is not None else ""
    return SignLimits(limits.minimum, limits.maximum, limits.payout, currency, pending, steps)


def limit_prompts(table: Table) -> LimitsPrompts:
    """Messages about limits and odds on the dealer's screen."""
    sign, others = table.sign, next_terms(table)
    announce = [_announcement(table)] if table.table_state.pending is not None else []
    if others:
        announce.append(f"from the next round on {others}")
    return LimitsPrompts(sign.prompt(), "; ".join(announce), sign.file_differs)


def next_terms(table: Table) -> str:
    """Other odds and rules, confirmed for the next round, as text; empty if there are none."""
    state = table.table_state
    return house_text(state.house, state.next_house, table.sign.currency) if state.next_house is not None else ""


def _announcement(table: Table) -> str:
    pending, sign = table.table_state.pending, table.sign
    assert pending is not None
    since = "the next round" if sign.due else time_of_day(sign.effective_utc_ns())
    dark = "" if sign.lit() or sign.due else " (no screen shows the board: the notice does not count meanwhile)"
    return f"from {since} on wagers are {limits_text(pending.limits)}{dark}"


def cap_text(table: Table, wins: Iterable[Win]) -> str:
    """The most that is paid out in a round, if winning wagers may come to more (§ 689a.1(g)(4)); else empty.

    Args:
        wins: the winning wagers of the present result.
    """
    limits = table.table_state.limits
    if limits is None or not limits.payout:
        return ""
    highest = sum(Fraction(limits.maximum) * win.odds for win in wins)
    if highest <= Fraction(limits.payout):
        return ""
    return f"at most {money(table.sign.currency, limits.payout)} is paid out in a round"


def most_paid(table: Table, win: Win) -> str:
    """The most that is paid for a winning wager, where the highest wager would win more than that; else empty."""
    limits = table.table_state.limits
    if not cap_text(table, (win,)) or limits is None:
        return ""
    return money(table.sign.currency, limits.payout)
