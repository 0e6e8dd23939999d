"""The payout odds by which a journal's rounds were decided.

They change only where a round opens, right after its checkpoint. So those of a round are the last ones that its
entries name, or else those of the checkpoint before it.
"""

from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.journal.recovery import NO_TABLE_STATE, recover_table_state, table_state_in
from controller.limits.table_state import PayoutOdds

_NAMING = ("table-started", "power-restored", "odds-in-effect")


def odds_on_record(journal: Journal) -> PayoutOdds | None:
    """The odds at the journal's end; None if it names none, or cannot be read: recovery says why."""
    try:
        return recover_table_state(journal)[0].odds
    except JournalError:
        return None


def odds_of_round(journal: Journal, number: int) -> PayoutOdds | None:
    """The odds of a round; None if none are on record, or its entries cannot be read: replay says why."""
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
        return None
    return table_state.odds
