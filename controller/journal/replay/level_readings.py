"""Keeps the levels of a sensor head's lines that were read at rest and were not as the last edges said.

A reading that agrees with the edges changes nothing in a tracker
(:meth:`controller.tracking.tracker.HeadTracker.look`) and is not kept. Each row has the hash of the one before.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from controller.journal.errors import JournalDamagedError, JournalError
from hal.events import LINES

READINGS = """
CREATE TABLE IF NOT EXISTS readings (
    id INTEGER PRIMARY KEY,
    round INTEGER NOT NULL,
    trace INTEGER NOT NULL,
    place INTEGER NOT NULL,
    reading TEXT NOT NULL,
    before TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;
"""
_COLUMNS = "round, trace, place, reading, before, hash"
_NAMES = {letter: name for name, letter in LINES.items()}
_LEVELS = ("open", "closed")


class LevelReading(NamedTuple):
    """Levels that a tracker was given, and that are not as the edges before said.

    Attributes:
        place: how many edges of its stretch came before.
        at_ns: monotonic time at which they were read.
        due_ns: when the tracker was due to find the wheel at rest: what it was due for before, it had done.
        said: the level of each line after its last edge, by its letter.
        levels: the level of each line as it was read.
    """

    place: int
    at_ns: int
    due_ns: int
    said: dict[str, bool]
    levels: dict[str, bool]

    @property
    def unseen(self) -> dict[str, bool]:
        """The lines that had changed without an edge, with the level read."""
        return {letter: level for letter, level in self.levels.items() if self.said[letter] != level}

    def __str__(self) -> str:
        lines = [
            f"{_NAMES.get(letter, letter)} {_word(letter, level)}, after its last edge {_word(letter, not level)}"
            for letter, level in self.unseen.items()
        ]
        return f"levels read at rest: {'; '.join(lines)}"


class KeptReading(NamedTuple):
    """A row of the table.

    Attributes:
        trace: the id of the edges that it was taken in or after.
    """

    round: int
    trace: int
    place: int
    reading: str
    before: str
    hash: str

    @property
    def expected_hash(self) -> str:
        row = json.dumps([self.round, self.trace, self.place, self.reading, self.before])
        return hashlib.sha256(row.encode()).hexdigest()

    def unpacked(self) -> LevelReading:
        plain = json.loads(self.reading)
        return LevelReading(self.place, plain["at_ns"], plain["due_ns"], plain["said"], plain["levels"])


def levels_after(levels: Mapping[str, bool], edges: bytes) -> dict[str, bool]:
    """The level of each line after edges."""
    text = edges.decode()
    after = {letter: (text.rfind(letter), text.rfind(letter.lower())) for letter in levels}
    return {letter: levels[letter] if rise == fall else rise > fall for letter, (rise, fall) in after.items()}


def add_readings(db: sqlite3.Connection, number: int, trace: int, readings: Iterable[LevelReading]) -> None:
    """Store readings of a round, after a row of edges.

    Raises:
        sqlite3.Error: the disk is full, or the file is damaged.
    """
    last = db.execute("SELECT hash FROM readings ORDER BY id DESC LIMIT 1").fetchone()
    before = last[0] if last else ""
    for one in readings:
        plain = {"at_ns": one.at_ns, "due_ns": one.due_ns, "said": one.said, "levels": one.levels}
        row = KeptReading(number, trace, one.place, json.dumps(plain), before, "")
        before = row.expected_hash
        values = (row.round, row.trace, row.place, row.reading, row.before, before)
        db.execute(f"INSERT INTO readings ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", values)


def readings_of(db: sqlite3.Connection, number: int, file: Path) -> dict[int, list[LevelReading]]:
    """The readings of a round, by the row of edges.

    Raises:
        JournalDamagedError: one of them was changed; the message names it.
    """
    found: dict[int, list[LevelReading]] = {}
    for row in _rows(db, f"WHERE round = {number:d}"):
        if row.hash != row.expected_hash:
            raise JournalDamagedError(f"{file}: {_damaged(row)}; replay a copy, without {file.name}")
        found.setdefault(row.trace, []).append(row.unpacked())
    return found


def readings_beside(file: Path) -> Iterator[tuple[int, LevelReading]]:
    """All readings of a file of traces with their rounds, in order, each checked. Nothing is written.

    Raises:
        JournalError: the file cannot be read.
        JournalDamagedError: a reading was changed or is missing; the message names it.
    """
    if not file.exists():
        return
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as db:
            rows = list(_rows(db))
    except sqlite3.Error as error:
        raise JournalError(f"{file} cannot be read: {error}; move it away, a new one begins") from error
    head = rows[0].before if rows else ""  # Those of the oldest rounds are deleted.
    for row in rows:
        if row.hash != row.expected_hash:
            raise JournalDamagedError(f"{file}: {_damaged(row)}")
        if row.before != head:
            raise JournalDamagedError(f"{file}: a reading of levels before that of round {row.round} is missing")
        head = row.hash
        yield row.round, row.unpacked()


def _rows(db: sqlite3.Connection, which: str = "") -> Iterator[KeptReading]:
    for row in db.execute(f"SELECT {_COLUMNS} FROM readings {which} ORDER BY id"):
        yield KeptReading(*row)


def _damaged(row: KeptReading) -> str:
    return (
        f"the reading of levels in round {row.round}, after edge {row.place} of movement {row.trace}, was changed"
    )


def _word(letter: str, level: bool) -> str:
    """A contact is open or closed, another line high or low."""
    return _LEVELS[level] if _NAMES.get(letter) == "clapper" else ("low", "high")[level]
