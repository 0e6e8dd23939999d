"""A journal on two media: every entry is durable on both before anything of it is seen; either is a whole journal.

First the journal is written, then its mirror, one after the other: after a cut they are equal, or differ by one
entry. A medium that cannot be written is closed, and not written again before the next start: so what it has is
always the beginning of what the other has, the entry that failed on it included, which may have reached it.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from controller.journal.chain import Entry
from controller.journal.errors import (
    JournalDamagedError,
    JournalError,
    JournalMovedError,
    JournalUnwritableError,
)
from controller.journal.journal import Journal
from controller.journal.medium import Medium
from controller.journal.pair_mark import unmark


class MirroredJournal(Journal):
    """An open journal and its mirror, to be used as one journal. :mod:`controller.journal.opening` makes it.

    Args:
        media: the journal and the mirror; at least one of them open, and both with the same entries.
        decided: who decided to open it without one of them, in words; empty if nobody had to.

    Attributes:
        listeners: called with a medium that cannot be used any longer, while the other one can.
    """

    def __init__(self, media: Sequence[Medium], decided: str = "") -> None:  # The files have journals of their own.
        self.media = tuple(media)
        self.decided = decided
        self.listeners: list[Callable[[Medium], None]] = []
        self._hour, self._hour_text = -1, ""
        self._lead = self._first_open()

    @property
    def head(self) -> str:
        return self._lead.head

    def __len__(self) -> int:
        return len(self._lead)

    def store(self, entry: Entry) -> None:
        """Store an entry on both media; on the one that is left, if the other one fails.

        Raises:
            JournalUnwritableError: it could be written to neither.
            JournalMovedError: likewise, and the file of one is not where it was opened.
        """
        failures: list[tuple[Medium, JournalError]] = []
        stored = False
        for medium in self._open_media():
            assert medium.journal is not None
            try:
                medium.journal.store(entry)
                stored = True
            except JournalError as error:
                why = str(error).removeprefix("the journal cannot be written: ")
                if not isinstance(error, JournalMovedError):
                    error = JournalUnwritableError(f"{medium.file}: {why}")
                failures.append((medium, error))
        if not stored:
            words = "; ".join(str(failure) for _, failure in failures)
            if moved := [failure for _, failure in failures if isinstance(failure, JournalMovedError)]:
                raise JournalMovedError(words) from moved[0]
            raise JournalUnwritableError(f"the journal cannot be written: {words}")
        for medium, failure in failures:
            self._drop(medium, failure)

    def check_file(self) -> None:
        """Check the files of both media; one that is not where it was opened is dropped if the other one is."""
        open_media = self._open_media()
        moved: list[tuple[Medium, JournalMovedError]] = []
        for medium in open_media:
            assert medium.journal is not None
            try:
                medium.journal.check_file()
            except JournalMovedError as error:
                moved.append((medium, error))
        if len(moved) == len(open_media):
            raise JournalMovedError("; ".join(str(error) for _, error in moved))
        for medium, problem in moved:
            self._drop(medium, problem)

    def copy_to(self, file: Path) -> None:
        self._lead.copy_to(file)

    def drop(self, name: str, problem: str) -> bool:
        """Go on without a medium on which damage was found; False if it is the only one, and nothing changes."""
        open_media = self._open_media()
        for medium in open_media:
            if medium.name == name and len(open_media) > 1:
                self._drop(medium, JournalDamagedError(f"{medium.file}: {problem}"))
                return True
        return False

    def is_open(self, name: str) -> bool:
        """Whether a medium is in use."""
        return any(medium.name == name for medium in self._open_media())

    def left_alone(self) -> None:
        """It is on record that only one medium is in use: that one has the whole record from now on."""
        open_media = self._open_media()
        if len(open_media) == 1:
            unmark(open_media[0].file)

    def answers(self) -> bool:
        """Whether a medium can be read, and ends with the last entry. One that does not is dropped."""
        open_media = self._open_media()
        silent = [medium for medium in open_media if medium.journal is None or not medium.journal.answers()]
        if len(silent) == len(open_media):
            return False
        for medium in silent:
            self._drop(medium, JournalUnwritableError(f"{medium.file}: it does not answer"))
        return True

    def close(self) -> None:
        for medium in self.media:
            medium.close()

    def _drop(self, medium: Medium, error: JournalError) -> None:
        medium.fail(error)
        self._lead = self._first_open()
        self.left_alone()  # It has every entry that the other one may have.
        for listener in self.listeners:
            listener(medium)

    def _open_media(self) -> list[Medium]:
        return [medium for medium in self.media if medium.journal is not None]

    def _first_open(self) -> Journal:
        return next(medium.journal for medium in self.media if medium.journal is not None)

    def _rows(self, query: str, values: Sequence[object] = ()) -> Iterator[Any]:
        return self._lead._rows(query, values)
