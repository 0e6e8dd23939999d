"""The files of a session's journal: opens one, or with its mirror on another medium."""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

from config.schema import TableConfig
from controller.events.words import Text
from controller.journal.journal import Journal
from controller.journal.mirror import MirroredJournal
from controller.journal.set_aside import REPLACED, noted

log = logging.getLogger("table")

_LOGGED = 100_000
"""After so many copied entries, that is logged."""


class JournalFiles:
    """The paths of a journal and its mirror.

    Args:
        mirror: None for a table with one journal.
        distinct: the two must lie on different file systems.
    """

    def __init__(self, file: Path, mirror: Path | None, distinct: bool = True) -> None:
        self.file = file
        self.mirror = mirror
        self._distinct = distinct

    async def open(self, show: Callable[[int, int], None]) -> Journal:
        """Open the journal; what the mirror lacks is copied to it.

        Args:
            show: called after each part with how many entries of how many were copied.

        Raises:
            JournalError: see :class:`controller.journal.mirror.MirroredJournal`.
        """
        if self.mirror is None:
            return Journal(self.file)
        journal = MirroredJournal(self.file, self.mirror, self._distinct)
        logged = 0
        try:
            for done in journal.catch_up():
                if done - logged >= _LOGGED:
                    logged = done
                    log.info("%d of %d entries are copied to %s", done, len(journal), self.mirror)
                show(done, len(journal))
                await asyncio.sleep(0)
        except BaseException:
            journal.close()
            raise
        return journal

    def present(self) -> list[Path]:
        """The files that are there: the mirror first."""
        return [file for file in (self.mirror, self.file) if file is not None and file.exists()]

    def replaced(self) -> tuple[Text, ...]:
        """The journals that a new one replaces; empty for none."""
        files = (self.file, self.mirror)
        return tuple(filter(None, (noted(file, REPLACED) for file in files if file is not None)))


def files_of(config: TableConfig, other: Path | None = None) -> JournalFiles:
    """Those that a table's file names.

    Args:
        other: a journal that is used in their place, without a mirror; None for none.
    """
    mirror = config.journal.mirror if other is None else None
    return JournalFiles(other or Path(config.journal.file), Path(mirror) if mirror is not None else None)
