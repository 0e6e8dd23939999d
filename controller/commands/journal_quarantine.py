"""``journal quarantine``: puts a damaged or forked journal away under another name, if the other medium is whole.

Nothing is deleted. At its next start, or at once if it is closed for that, the table fills the medium again.
"""

import os
import time
from contextlib import closing
from pathlib import Path

from controller.commands.console import complain
from controller.configuration.shipped import LoadedTable
from controller.journal.chain import ChainVerdict
from controller.journal.errors import JournalInUseError
from controller.journal.journal import Journal
from controller.journal.journal_file import lock_for_writing
from controller.journal.medium import JOURNAL
from controller.journal.pair_mark import unmark
from controller.journal.quarantine import examine, quarantine
from controller.runtime import exit_codes as exits
from controller.runtime.media import files_of


def put_away(loaded: LoadedTable, name: str) -> int:
    """Put one of the two media's journals away.

    Raises:
        JournalError: a table writes them.
    """
    files = files_of(loaded.config)
    if files.mirror is None:
        return _refused(f"{loaded.path}: the table has no journal: mirror:, so there is no other that could count")
    bad, other = (files.file, files.mirror) if name == JOURNAL else (files.mirror, files.file)
    if not bad.is_file():
        return _refused(f"{bad}: there is no journal here")
    if not other.is_file():
        return _refused(f"{other}: there is no journal here, so {bad} stays; put its medium back")
    found = examine(other)
    if found.problem:
        return _refused(f"{other} is not whole, so {bad} stays: {found.problem}")
    if not found.entries:
        return _refused(f"{other} is empty, so {bad} stays")
    if _has_all(bad, found):
        return _refused(f"{bad} is whole, and has all that {other} has: it stays")
    return _renamed(bad, other)


def _has_all(file: Path, other: ChainVerdict) -> bool:
    """Whether nothing is wrong with a journal, and another one is its beginning."""
    if examine(file).problem:
        return False
    with closing(Journal(file, read_only=True)) as journal:
        entry = journal.entry(other.entries)
    return entry is not None and entry.hash == other.head


def _renamed(bad: Path, other: Path) -> int:
    locks: list[int] = []
    try:
        for file in (bad, other):
            locks.append(lock_for_writing(file))
        kept_as = quarantine(bad, "put away by hand", time.time_ns(), what="quarantined")
        unmark(bad)
        unmark(other)
    except JournalInUseError:
        raise
    except OSError as error:
        return _refused(f"{bad}: it cannot be renamed: {error.strerror}")
    finally:
        for lock in locks:
            os.close(lock)
    print(f"{bad} is kept as {kept_as.name}; {other} counts, and the table fills {bad} from it when it starts")
    return exits.OK


def _refused(why: str) -> int:
    complain(f"table-controller journal: {why}")
    return exits.FAILED
