"""Reads the entries that an audit compares: from a journal, or from JSON lines. Nothing in them is believed."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError
from controller.journal.reading import copied

_SQLITE = b"SQLite format 3\0"
# A table, and not by an index: a view or an index in the file could show other entries than a table reads.
_ENTRIES = f"SELECT {', '.join(Entry._fields)} FROM entries NOT INDEXED ORDER BY seq"


def entries_of(file: Path) -> Iterator[Entry]:
    """The entries of a journal, or of a file with a JSON object per line that has the columns of an entry.

    Raises:
        JournalDamagedError: it can be read no further.
        JournalError: there is no file, or it cannot be read.
    """
    with copied(file) as copy:
        with copy.open("rb") as stream:
            lines = stream.read(len(_SQLITE)) != _SQLITE
        yield from _of_lines(copy) if lines else _of_database(copy)


def _of_lines(file: Path) -> Iterator[Entry]:
    with file.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            try:
                row = json.loads(line)
                entry = Entry(*(row[column] for column in Entry._fields))
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise JournalDamagedError(f"line {number} of the file is no entry") from error
            yield entry


def _of_database(file: Path) -> Iterator[Entry]:
    try:
        with closing(sqlite3.connect(file)) as db:
            db.execute("PRAGMA trusted_schema=OFF")
            if db.execute("SELECT type FROM pragma_table_list('entries')").fetchone() != ("table",):
                raise JournalDamagedError("the file has no table of entries")
            yield from map(Entry._make, db.execute(_ENTRIES))
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise JournalDamagedError(f"the file cannot be read: {error}") from error
