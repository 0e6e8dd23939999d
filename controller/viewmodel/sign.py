"""The limits sign as the pages show it (§ 521.8(c)(2)): in effect, announced, and what the dealer announces."""

from controller.limits.amounts import spoken, time_of_day
from controller.limits.table_state import Amounts
from controller.runtime.table import Table
from controller.viewmodel import documents


def limits_of(table: Table) -> documents.SignLimits | None:
    """The limits; None if none are in effect or announced. Amounts are decimals; an empty one means no limit."""
    table_state, pending = table.table_state, table.table_state.pending
    if table_state.limits is None and pending is None:
        return None
    return {
        **_amounts(table_state.limits or Amounts("", "")),
        "currency": table.sign.file.currency,
        "pending": _pending(table) if pending is not None else None,
    }


def _amounts(limits: Amounts) -> documents.SignAmounts:
    return {"minimum": limits.minimum, "maximum": limits.maximum, "payout": limits.payout}


def _pending(table: Table) -> documents.SignPending:
    pending = table.table_state.pending
    assert pending is not None
    at_ns = table.sign.effective_utc_ns()
    return {
        **_amounts(pending.amounts),
        "at": time_of_day(at_ns),
        "effective_ms": at_ns // 1_000_000,
    }


def limit_prompts(table: Table) -> documents.LimitsPrompts:
    """Messages about limits on the dealer's screen."""
    pending, sign = table.table_state.pending, table.sign
    announce = ""
    if pending is not None:
        at = time_of_day(sign.effective_utc_ns())
        announce = f"from {at} on wagers are {spoken(pending.amounts, sign.file.currency)}"
    return {"asks": sign.prompt(), "announce": announce, "file": sign.file_differs}
