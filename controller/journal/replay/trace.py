"""The file with the edges of a table's sensors, beside the journal, for a configured number of rounds.

They are additional evidence in a dispute; the record is the journal. So they are written without waiting for the
disk, the oldest are deleted, and a table whose traces cannot be written plays on.
"""

import json
import sqlite3
import zlib
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from hal.events import LINES

_SCHEMA = """
CREATE TABLE IF NOT EXISTS stretches (
    id INTEGER PRIMARY KEY,
    round INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    levels TEXT NOT NULL,
    edges BLOB NOT NULL,
    stamps BLOB NOT NULL,
    lost TEXT NOT NULL,
    readings TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS stretches_by_round ON stretches (round);
"""
_COLUMNS = "seq, levels, edges, stamps, lost, readings"
_INSERT = f"INSERT INTO stretches (round, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"
_NAMES = {letter: name for name, letter in LINES.items()}
_LEVELS = ("closed", "open")


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


@dataclass(frozen=True, slots=True)
class EdgeStretch:
    """Consecutive edges. There may be none, if levels were read at rest after the edges before were stored.

    Attributes:
        levels: of each line before the first edge, by its letter.
        edges: one letter each, as in :class:`hal.events.EdgeBatch`.
        stamps_ns: monotonic time of each.
        lost: the number of edges that the kernel lost in or before a batch, by the index of its first edge.
        readings: levels that were read at rest and were not as the edges said, in order.
        seq: the last entry of the journal when they were stored; 0 for none yet.
    """

    levels: dict[str, bool]
    edges: bytes
    stamps_ns: "array[int]"
    lost: dict[int, int] = field(default_factory=dict)
    readings: tuple[LevelReading, ...] = ()
    seq: int = 0

    @property
    def latest_ns(self) -> int:
        """The latest time of any edge or reading."""
        return max(chain(self.stamps_ns, (reading.at_ns for reading in self.readings)))

    def levels_at(self, place: int) -> dict[str, bool]:
        """The level of each line before an edge, or after the last one."""
        since, levels = 0, self.levels
        for reading in self.readings:
            if reading.place <= place:
                since, levels = reading.place, reading.levels
        return _after(levels, self.edges[since:place])


def _after(levels: Mapping[str, bool], edges: bytes) -> dict[str, bool]:
    """The level of each line after edges."""
    text = edges.decode()
    after = {letter: (text.rfind(letter), text.rfind(letter.lower())) for letter in levels}
    return {letter: levels[letter] if rise == fall else rise > fall for letter, (rise, fall) in after.items()}


def _word(letter: str, level: bool) -> str:
    """A contact is open or closed, another line high or low."""
    return _LEVELS[level] if _NAMES.get(letter) == "clapper" else ("low", "high")[level]


def trace_file(journal: Path) -> Path:
    """The path of a journal's traces."""
    return journal.with_name(journal.name + ".traces")


class Traces:
    """An open file of traces.

    Args:
        rounds: the number of rounds to keep; 0 to only read.
    """

    def __init__(self, file: Path, rounds: int) -> None:
        self._rounds = rounds
        self._db = sqlite3.connect(file, isolation_level=None)
        try:
            # NORMAL: a power cut may take the last movements, but never damages the file.
            self._db.executescript(f"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; {_SCHEMA}")
        except BaseException:
            self._db.close()
            raise

    def add(self, number: int, stretch: EdgeStretch) -> None:
        """Store a stretch of a round, and delete the oldest rounds.

        Raises:
            sqlite3.Error: the disk is full, or the file is damaged.
        """
        stamps = stretch.stamps_ns
        steps = array("q", (after - before for before, after in zip((0, *stamps), stamps, strict=False)))
        packed = zlib.compress(stretch.edges), zlib.compress(steps.tobytes())
        lists = json.dumps(list(stretch.lost.items())), json.dumps(stretch.readings)
        self._db.execute(_INSERT, (number, stretch.seq, json.dumps(stretch.levels), *packed, *lists))
        self._db.execute("DELETE FROM stretches WHERE round <= ?", (number - self._rounds,))

    def of(self, number: int) -> Iterator[EdgeStretch]:
        """The stretches of a round, in order."""
        query = f"SELECT {_COLUMNS} FROM stretches WHERE round = ? ORDER BY id"
        for seq, levels, edges, packed, lost, readings in self._db.execute(query, (number,)):
            steps, at_ns = array("q"), 0
            steps.frombytes(zlib.decompress(packed))
            stamps = array("q")
            for step in steps:
                at_ns += step
                stamps.append(at_ns)
            read = tuple(LevelReading(*one) for one in json.loads(readings))
            yield EdgeStretch(json.loads(levels), zlib.decompress(edges), stamps, dict(json.loads(lost)), read, seq)

    def rounds(self) -> list[int]:
        """The rounds with stored edges."""
        found = "SELECT DISTINCT round FROM stretches ORDER BY round"
        return [number for (number,) in self._db.execute(found)]

    def close(self) -> None:
        self._db.close()
