"""The limits sign as the pages show it (§ 521.8(c)(2)): in effect, announced, and what the dealer announces."""

from collections.abc import Iterable
from fractions import Fraction
from typing import TypedDict

from controller.events.effect import Win
from controller.events.event import Limits
from controller.limits.terms import house_text, limits_text, money, steps_text, time_of_day
from controller.runtime.table import Table
from controller.viewmodel import documents


def limits_of(table: Table) -> documents.SignLimits | None:
    """The limits; None if none are in effect or announced. Amounts are decimals; an empty one means no limit."""
    table_state, pending = table.table_state, table.table_state.pending
    if table_state.limits is None and pending is None:
        return None
    return {
        **_amounts(table_state.limits or Limits("", "")),
        "currency": table.sign.currency,
        "pending": _pending(table) if pending is not None else None,
        **_further(table),
    }


def _amounts(limits: Limits) -> documents.SignAmounts:
    return {"minimum": limits.minimum, "maximum": limits.maximum, "payout": limits.payout}


class _Further(TypedDict, total=False):
    steps: str


def _further(table: Table) -> _Further:
    """Further requirements (§ 521.7(d))."""
    house = table.table_state.house
    words = steps_text(house.steps, table.sign.currency) if house is not None else ""
    return {"steps": words} if words else {}


def _pending(table: Table) -> documents.SignPending:
    pending = table.table_state.pending
    assert pending is not None
    at_ns = table.sign.effective_utc_ns()
    limits = pending.limits
    shown: documents.SignPending = {
        "minimum": limits.minimum,
        "maximum": limits.maximum,
        "payout": limits.payout,
        "at": time_of_day(at_ns),
        "effective_ms": at_ns // 1_000_000,
    }
    if limits.currency != table.sign.currency:
        shown["currency"] = limits.currency
    return shown


def limit_prompts(table: Table) -> documents.LimitsPrompts:
    """Messages about limits and odds on the dealer's screen."""
    sign, others = table.sign, next_terms(table)
    announce = [_announcement(table)] if table.table_state.pending is not None else []
    if others:
        announce.append(f"from the next round on {others}")
    return {"asks": sign.prompt(), "announce": "; ".join(announce), "file": sign.file_differs}


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
