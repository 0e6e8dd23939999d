"""The files of a session's journal: opens one, or two on two media."""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

from config.schema import TableConfig
from controller.journal.errors import JournalBehindError, JournalUnwritableError
from controller.journal.journal import Journal
from controller.journal.medium import MIRROR, Medium
from controller.journal.mirrored import MirroredJournal
from controller.journal.opening import CopyProgress, Opening, opening
from controller.journal.pair_mark import is_marked, journal_in_use, mark_file, unmark
from controller.journal.quarantine import replaced_journal

log = logging.getLogger("table")

_LOGGED = 100_000
"""After so many copied entries, that is logged."""


class JournalFiles:
    """The paths of a journal and its mirror.

    Args:
        mirror: None for a table with one journal.
        distinct: the two must lie on different file systems.

    Attributes:
        decided: who decided to go on without a medium, in words; empty if nobody did.
    """

    def __init__(self, file: Path, mirror: Path | None, distinct: bool = True) -> None:
        self.file = file
        self.mirror = mirror
        self.decided = ""
        self._distinct = distinct

    async def open(self, show: Callable[[CopyProgress], None]) -> Journal:
        """Open the journal; what a medium lacks is copied to it, and shown after each part.

        Raises:
            JournalError: see :func:`controller.journal.opening.opening`.
        """
        if self.mirror is None:
            return self._without_mirror()
        steps = opening(self.file, self.mirror, self.decided, self._distinct)
        try:
            return await _opened(steps, show)
        finally:
            steps.close()

    def _without_mirror(self) -> Journal:
        """One journal. If it had a mirror when it was written last, that may have more."""
        if not is_marked(self.file) or not self.file.is_file():
            return Journal(self.file)
        known = _named_in(mark_file(self.file))
        words = f"{known}: the table's file names it no longer"
        if not self.decided:
            raise JournalBehindError(f"the last rounds may be missing in {self.file}, which had a mirror ({words})")
        lost = Medium(MIRROR, Path(known), error=JournalUnwritableError(words))
        left = Medium("journal", self.file)
        left.make()
        if left.error is not None:
            raise left.error
        return MirroredJournal((left, lost), self.decided)

    def present(self) -> frozenset[Path]:
        return frozenset(file for file in (self.file, self.mirror) if file is not None and file.exists())

    def in_use(self) -> Path:
        """The one that has the whole record, for those who only read."""
        return journal_in_use(self.file, self.mirror)

    def replaced(self) -> str:
        """A text on the journals that a new one replaces; empty for none."""
        files = (self.file,) if self.mirror is None else (self.file, self.mirror)
        return "; ".join(filter(None, map(replaced_journal, files)))

    def pair_ended(self) -> list[Path]:
        """The files that are there, which are replaced by a new record: neither is behind any longer."""
        present = [file for file in (self.file, self.mirror) if file in self.present() and file is not None]
        for file in present:
            unmark(file)
        return present


def _named_in(mark: Path) -> str:
    try:
        return mark.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise JournalUnwritableError(f"{mark}: it cannot be read: {error.strerror}") from error


def files_of(config: TableConfig, other: Path | None = None) -> JournalFiles:
    """Those that a table's file names.

    Args:
        other: a journal that is used in their place, without a mirror; None for none.
    """
    mirror = config.journal.mirror if other is None else None
    return JournalFiles(other or Path(config.journal.file), Path(mirror) if mirror is not None else None)


async def _opened(steps: Opening, show: Callable[[CopyProgress], None]) -> MirroredJournal:
    logged = -_LOGGED
    while True:
        try:
            progress = next(steps)
        except StopIteration as done:
            journal: MirroredJournal = done.value
            return journal
        if progress.done - logged >= _LOGGED:
            logged = progress.done
            log.info("%d of %d entries are copied to %s", progress.done, progress.total, progress.file)
        if progress.done < progress.total:
            show(progress)
            await asyncio.sleep(0)
