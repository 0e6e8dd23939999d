"""Which journal a command reads: the named one, or that of a table's file; as a copy, or from the table itself."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.configuration.shipped import LoadedTable, load_table, table_path
from controller.errors import UsageError
from controller.journal.errors import JournalInUseError
from controller.journal.head_anchor import anchored_head
from controller.journal.journal import Journal
from controller.journal.journal_file import holder, in_use
from controller.journal.reading import copied, copy_of
from controller.journal.replay.trace import trace_file
from controller.runtime.media import files_of
from controller.runtime.socket import MOST_ENTRIES, reached_at
from controller.runtime.table_client import RunningJournal, TableClient, UnreachableError


def journal_file(name: str) -> Path:
    """The journal that is named, or that of the table whose file is."""
    path = table_path(name)
    return files_of(load_table(path).config).file if path.suffix in (".yaml", ".yml") else path


def add_file_and_table(parser: ArgumentParser, kinds: str) -> None:
    """The arguments for :func:`file_and_table`.

    Args:
        kinds: what ``file`` may be besides a table's YAML file, as in the help: ``JOURNAL``.
    """
    parser.add_argument("file", metavar=f"{kinds}|FILE", help=f"{kinds}, or the YAML file of its table")
    parser.add_argument("--table", metavar="FILE", help=f"the YAML file of the table, beside {kinds}")


def file_and_table(arguments: Namespace) -> tuple[LoadedTable, Path]:
    """The table, and its journal or what else was named.

    Raises:
        UsageError: one of the two was not named, or one twice.
        ConfigError: the table's file is wrong.
    """
    path = table_path(arguments.file)
    if path.suffix in (".yaml", ".yml"):
        if arguments.table is not None:
            raise UsageError(f"{path} is a table's file: name a journal in its place, or leave --table out")
        loaded = load_table(path)
        return loaded, files_of(loaded.config).file
    if arguments.table is None:
        raise UsageError(f"{path} does not say how its table is built: add --table with its YAML file")
    return load_table(table_path(arguments.table)), path


@contextmanager
def traces(journal: Path) -> Iterator[Path]:
    """The file of the edges kept beside a journal: a copy, or itself if its table runs or it is missing."""
    file = trace_file(journal)
    if holder(file) or not file.exists():
        yield file  # Of a running table, they are in nobody's exclusive use.
    else:
        with copied(file) as copy:
            yield copy


@contextmanager
def opened(file: Path) -> Iterator[Journal]:
    """A copy of a journal; of one that a running table has open, what that says at its socket.

    Raises:
        JournalInUseError: it is in use, and no table answers for it.
        JournalError: as :func:`controller.journal.reading.copy_of`.
    """
    if not holder(file):
        with copy_of(file) as journal:
            yield journal
        return
    known = anchored_head(file)
    with TemporaryDirectory(prefix="table-controller-") as folder:
        copy = Path(folder) / "copy.journal"
        try:
            _fetch(copy, reached_at(file))
        except UnreachableError as error:
            raise JournalInUseError(f"{in_use(file)}; nor does the table answer: {error}") from error
        with closing(Journal(copy, read_only=True)) as journal:
            journal.known_head = known
            if journal.missing_at_end():  # It is another table that answers.
                raise in_use(file)
            yield journal


def _fetch(copy: Path, place: Path) -> None:
    with TableClient(place) as table, closing(Journal(copy)) as journal:
        entries = RunningJournal(table).entries()
        while some := list(islice(entries, MOST_ENTRIES)):
            journal.take_over(some)
