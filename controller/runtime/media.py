"""The files of a table's journal and of its mirror."""

from pathlib import Path
from typing import NamedTuple

from config.schema import TableConfig


class JournalFiles(NamedTuple):
    file: Path
    mirror: Path | None = None
    distinct: bool = True
    """The two must lie on different file systems."""


def files_of(config: TableConfig, other: Path | None = None) -> JournalFiles:
    """Those that a table's file names.

    Args:
        other: a journal that is used in their place, without a mirror; None for none.
    """
    mirror = config.journal.mirror if other is None else None
    return JournalFiles(other or Path(config.journal.file), Path(mirror) if mirror is not None else None)
