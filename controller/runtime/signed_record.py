"""Compares a journal with what the table's signer signed last of it, before the table plays on."""

from pathlib import Path

from config.schema import TableConfig
from controller.events.event import TableStarted
from controller.journal.errors import JournalDamagedError
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.runtime.media import JournalFiles


def check_signed(journal: Journal, config: TableConfig, files: JournalFiles) -> None:
    """Check that a journal has what was signed of this table, as far as that can be read.

    It reads one small file and two entries, however long the journal is; without a signer it does nothing.

    Raises:
        JournalDamagedError: it was cut, rolled back, rewritten, deleted or swapped; the message says how that
        shows.
    """
    if config.signing is None:
        return
    from controller.transparency.last_signed import contradiction, last_signed_file, read_last_signed

    signed = read_last_signed(last_signed_file(Path(config.signing.checkpoints)))
    if not signed:
        return
    first = journal.entry(1)
    if first is None:
        replaces = files.replaced()
    else:
        event = of_entry(first).event
        replaces = event.replaces if isinstance(event, TableStarted) else ""
    if problem := contradiction(journal, config.table, signed, replaces):
        raise JournalDamagedError(f"{files.file}: {problem}")
