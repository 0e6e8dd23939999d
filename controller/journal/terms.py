"""The terms, payout odds and rules, by which a journal's rounds were decided.

They change only where a round opens, right after its checkpoint. So those of a round are the last ones that its
entries name, or else those of the checkpoint before it.
"""

from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.journal.recovery import NO_TABLE_STATE, recover_table_state, table_state_in
from controller.limits.table_state import TableState

_NAMING = ("table-started", "power-restored", "odds-in-effect")


def terms_on_record(journal: Journal) -> TableState:
    """Those at the journal's end; none if it names none, or cannot be read: recovery says why."""
    try:
        return recover_table_state(journal)[0]
    except JournalError:
        return NO_TABLE_STATE


def terms_of_round(journal: Journal, number: int) -> TableState:
    """Those with which a round begins; none if none are on record, or its entries cannot be read: replay says why.

    Rules that count from a later entry on are in that entry (``rules-in-effect``).
    """
    start, table_state = None, NO_TABLE_STATE
    for entry in journal.entries(until_round=number - 1):
        start = entry if entry.checkpoint is not None else start
    try:
        if start is not None:
            table_state = table_state_in(start)
        for entry in journal.entries(after=start.seq if start is not None else 0, until_round=number):
            if entry.kind in _NAMING:
                table_state = table_state.take(of_entry(entry).event)
    except JournalError:
        return NO_TABLE_STATE
    return table_state
