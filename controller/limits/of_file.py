"""What a table's file says otherwise than the record, as proposals for the floorperson's key."""

from controller.events.event import FileTerms
from controller.limits.amounts import NOTICE_MIN, Proposal, amounts_in
from controller.limits.table_state import PayoutOdds, TableState


def proposals(file: FileTerms, table_state: TableState, changed_only: bool = False) -> list[Proposal]:
    """Odds and rules that count from the next round on, and limits that need their notice (§ 521.8(b), (c)).

    Args:
        changed_only: not those limits that the file had when it was last confirmed: they were changed at the table.
    """
    odds, present = PayoutOdds(file.odds), table_state.next_odds or table_state.odds
    found = [Proposal(None, odds=odds, from_file=True)] if present is not None and odds != present else []
    rules = table_state.next_rules or table_state.rules
    if rules is not None and file.house is not None and file.house != rules:
        found.append(Proposal(None, rules=file.house, from_file=True))
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


def _limits_changed(file: FileTerms, table_state: TableState) -> bool:
    """Whether the file's limits, or their currency, are others than those that were last confirmed."""
    known = table_state.file
    if table_state.limits is None:
        return True
    return known is None or (amounts_in(known), known.currency) != (amounts_in(file), file.currency)
