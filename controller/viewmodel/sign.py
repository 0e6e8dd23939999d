"""The limits sign as the pages show it (§ 521.8(c)(2)): in effect, announced, and what the dealer announces."""

from controller.limits.amounts import spoken, time_of_day
from controller.runtime.table import Table
from controller.viewmodel.documents import Limits, LimitsPrompts, Pending


def limits_of(table: Table) -> Limits | None:
    """The limits; None if none are in effect or announced. Amounts are decimals; an empty one means no limit."""
    table_state, pending = table.table_state, table.table_state.pending
    if table_state.limits is None and pending is None:
        return None
    limits = table_state.limits
    return {
        "minimum": limits.minimum if limits is not None else "",
        "maximum": limits.maximum if limits is not None else "",
        "payout": limits.payout if limits is not None else "",
        "currency": table.sign.file.currency,
        "pending": _pending(table) if pending is not None else None,
    }


def _pending(table: Table) -> Pending:
    pending = table.table_state.pending
    assert pending is not None
    at_ns = table.sign.effective_utc_ns()
    return {
        "minimum": pending.amounts.minimum,
        "maximum": pending.amounts.maximum,
        "payout": pending.amounts.payout,
        "at": time_of_day(at_ns),
        "effective_ms": at_ns // 1_000_000,
    }


def limit_prompts(table: Table) -> LimitsPrompts:
    """Messages about limits on the dealer's screen."""
    pending, sign = table.table_state.pending, table.sign
    announce = ""
    if pending is not None:
        at = time_of_day(sign.effective_utc_ns())
        announce = f"from {at} on wagers are {spoken(pending.amounts, sign.file.currency)}"
    return {"asks": sign.prompt(), "announce": announce, "file": sign.file_differs}
