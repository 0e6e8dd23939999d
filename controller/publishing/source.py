"""Reads a table's journal as it grows: the publisher's only access to the table.

The file is opened read-only. The hash of every entry is checked against the one before, so that nothing unverified
is published; a change of the file's inode shows that the journal was quarantined and replaced.
"""

import os
from contextlib import suppress
from itertools import islice
from pathlib import Path

from config.schema import TableConfig
from controller.journal.chain import GENESIS, Entry
from controller.journal.database import lock_file
from controller.journal.errors import JournalDamagedError, JournalError
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.messages.closed_round import RoundOpening
from controller.publishing.formatter import Due, Formatter, JournalPlace
from controller.round_summary.tally import opens
from hal.interfaces import Clock

_AT_ONCE = 200
ALL_OF_ENTRY = 1 << 30
"""A part number beyond those of any entry: all messages of the entry are out."""


class EmptyJournalError(JournalError):
    """The journal has no entry yet."""


class JournalSource:
    """An open journal, and the position up to which it was read.

    Args:
        file: the journal; it must exist.

    Raises:
        EmptyJournalError: it holds no entry yet.
        JournalError: it cannot be read, or is not a journal.
    """

    def __init__(self, config: TableConfig, file: Path, clock: Clock) -> None:
        self._config = config
        self._clock = clock
        self.file = file
        self._journal = Journal(file, read_only=True)
        try:
            self._inode = file.stat().st_ino
            first = self._journal.entry(1)
            if first is None:
                raise EmptyJournalError(f"{file}: the journal has no entry yet")
        except BaseException:
            self._journal.close()
            raise
        self.record = first.hash
        self._seq, self._head = 0, GENESIS
        self.formatter = Formatter(config, clock, self.record, None)

    def begin(self, after: int) -> int:
        """Go to the last entry at or before ``after`` at which a round opens; what follows is published again.

        Returns:
            its sequence number; 0 for the record's beginning.

        Raises:
            JournalDamagedError: the entries there cannot be read.
        """
        begin = self._last_opening(after)
        opening = RoundOpening(begin, self._hash_of(begin.seq - 1)) if begin is not None else None
        self.formatter = Formatter(self._config, self._clock, self.record, opening)
        self._seq, self._head = (begin.seq, begin.hash) if begin is not None else (0, GENESIS)
        return self._seq

    def _last_opening(self, after: int) -> Entry | None:
        until = min(after, self.length())
        while until > 0:
            entry = self._journal.last_checkpoint(until)
            if entry is None:
                return None
            if opens(of_entry(entry)):
                return entry
            until = entry.seq - 1
        return None

    def _hash_of(self, seq: int) -> str:
        entry = self._journal.entry(seq) if seq else None
        return entry.hash if entry is not None else GENESIS

    def length(self) -> int:
        """The number of its last entry."""
        last = next(self._journal.backwards(), None)
        return last.seq if last is not None else 0

    def due(self, published: JournalPlace) -> list[Due]:
        """The messages of the next entries that follow a place; empty once the journal's end is reached.

        A few entries at a time: an open read transaction keeps SQLite from truncating the write-ahead log.

        Raises:
            JournalDamagedError: an entry does not match the one before; nothing is published from it on.
        """
        messages: list[Due] = []
        while not messages:
            entries = list(islice(self._journal.entries(after=self._seq), _AT_ONCE))
            if not entries:
                break
            for entry in entries:
                try:
                    messages += (due for due in self._take(entry) if published < due.place)
                except JournalDamagedError:
                    if not messages:
                        raise
                    break  # The verified entries come first; the next call raises for this one.
        return messages

    def _take(self, entry: Entry) -> list[Due]:
        if entry.seq != self._seq + 1 or entry.expected_hash(self._head) != entry.hash:
            raise JournalDamagedError(f"{self.file}: entry {self._seq + 1} does not fit the one before")
        due = list(self.formatter.take(entry))
        self._seq, self._head = entry.seq, entry.hash
        return due

    def replaced(self) -> bool:
        """Whether the journal's path names another file, or none."""
        with suppress(OSError):
            return self.file.stat().st_ino != self._inode
        return True

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()


def running(journal: Path) -> bool:
    """Whether a table's process holds the journal's lock; read from the kernel, without touching the lock.

    (proc_locks(5): the third field from the end is the file's device and inode.)
    """
    try:
        inode = os.stat(lock_file(journal)).st_ino
        locks = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return False
    held = (line.split() for line in locks)
    return any("FLOCK" in fields and fields[-3].rpartition(":")[2] == str(inode) for fields in held)
