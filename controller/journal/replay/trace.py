"""The file with the edges of a table's sensors, beside the journal, for a configured number of rounds.

They are additional evidence in a dispute; the record is the journal. So they are written without waiting for the
disk, the oldest are deleted, and a table whose traces cannot be written plays on.
"""

import json
import sqlite3
import zlib
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from controller.journal.replay.level_readings import (
    READINGS,
    LevelReading,
    add_readings,
    levels_after,
    readings_of,
)

_SCHEMA = """
CREATE TABLE IF NOT EXISTS traces (
    id INTEGER PRIMARY KEY,
    round INTEGER NOT NULL,
    levels TEXT NOT NULL,
    edges BLOB NOT NULL,
    stamps BLOB NOT NULL,
    lost TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS rounds ON traces (round);
"""
_INSERT = "INSERT INTO traces (round, levels, edges, stamps, lost) VALUES (?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class EdgeStretch:
    """Consecutive edges. There may be none, if levels were read at rest after the edges before were stored.

    Attributes:
        levels: of each line before the first edge, by its letter.
        edges: one letter each, as in :class:`hal.events.EdgeBatch`.
        stamps_ns: monotonic time of each.
        lost: the number of edges that the kernel lost in or before a batch, by the index of its first edge.
        readings: levels that were read at rest and were not as the edges said, in order.
    """

    levels: dict[str, bool]
    edges: bytes
    stamps_ns: "array[int]"
    lost: dict[int, int] = field(default_factory=dict)
    readings: tuple[LevelReading, ...] = ()

    @property
    def first_ns(self) -> int:
        """The time of the first edge; without edges, of the first reading."""
        return self.stamps_ns[0] if self.stamps_ns else self.readings[0].at_ns

    @property
    def last_ns(self) -> int:
        """The time of the last edge; without edges, of the last reading."""
        return self.stamps_ns[-1] if self.stamps_ns else self.readings[-1].at_ns

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
        return levels_after(levels, self.edges[since:place])


def trace_file(journal: Path) -> Path:
    """The path of a journal's traces."""
    return journal.with_name(journal.name + ".traces")


class Traces:
    """An open file of traces.

    Args:
        rounds: the number of rounds to keep; 0 to only read.
    """

    def __init__(self, file: Path, rounds: int) -> None:
        self._file = file
        self._rounds = rounds
        self._last: tuple[int, int, int] = (0, 0, 0)
        """The last stretch: its round, its id, and how many edges it has."""
        self._db = sqlite3.connect(file, isolation_level=None)
        try:
            # NORMAL: a power cut may take the last movements, but never damages the file.
            self._db.executescript(f"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; {_SCHEMA}{READINGS}")
        except BaseException:
            self._db.close()
            raise

    def add(self, number: int, stretch: EdgeStretch) -> None:
        """Store a stretch of a round, and delete the oldest rounds.

        Raises:
            sqlite3.Error: the disk is full, or the file is damaged.
        """
        if not stretch.readings:
            self._add_edges(number, stretch)
        else:
            with self._db:  # Edges and readings, or neither.
                self._db.execute("BEGIN")
                if stretch.edges:
                    self._add_edges(number, stretch)
                of, trace, edges = self._last
                # Without edges of its own it comes after the last ones that are stored, of whatever round.
                place = edges if of == number and not stretch.edges else 0
                readings = (reading._replace(place=place + reading.place) for reading in stretch.readings)
                add_readings(self._db, number, trace, readings)
        for table in ("traces", "readings"):
            self._db.execute(f"DELETE FROM {table} WHERE round <= ?", (number - self._rounds,))

    def _add_edges(self, number: int, stretch: EdgeStretch) -> None:
        stamps = stretch.stamps_ns
        steps = array("q", (after - before for before, after in zip((0, *stamps), stamps, strict=False)))
        packed = zlib.compress(stretch.edges), zlib.compress(steps.tobytes())
        row = (number, json.dumps(stretch.levels), *packed, json.dumps(list(stretch.lost.items())))
        self._last = number, self._db.execute(_INSERT, row).lastrowid or 0, len(stamps)

    def of(self, number: int) -> Iterator[EdgeStretch]:
        """The stretches of a round, in order.

        Raises:
            JournalDamagedError: a reading of levels was changed.
        """
        readings = readings_of(self._db, number, self._file)
        query = "SELECT id, levels, edges, stamps, lost FROM traces WHERE round = ? ORDER BY id"
        for trace, levels, edges, packed, lost in self._db.execute(query, (number,)):
            yield from self._without_edges(readings, trace)
            steps, at_ns = array("q"), 0
            steps.frombytes(zlib.decompress(packed))
            stamps = array("q")
            for step in steps:
                at_ns += step
                stamps.append(at_ns)
            own = tuple(readings.pop(trace, ()))
            yield EdgeStretch(json.loads(levels), zlib.decompress(edges), stamps, dict(json.loads(lost)), own)
        yield from self._without_edges(readings)

    def _without_edges(
        self, readings: dict[int, list[LevelReading]], trace: int | None = None
    ) -> Iterator[EdgeStretch]:
        """The readings before a row of edges that come after no edges of their round."""
        for at in [at for at in readings if trace is None or at < trace]:
            own = readings.pop(at)
            yield EdgeStretch(own[0].said, b"", array("q"), {}, tuple(own))

    def rounds(self) -> list[int]:
        """The rounds with stored edges."""
        found = "SELECT round FROM traces UNION SELECT round FROM readings ORDER BY round"
        return [number for (number,) in self._db.execute(found)]

    def close(self) -> None:
        self._db.close()
