"""Stores the edges of a table's sensors beside the journal, for a configured number of rounds.

They are additional evidence in a dispute; the record is the journal. So they are written without waiting for the
disk, the oldest are deleted, and a table whose traces cannot be written plays on.
"""

import json
import logging
import sqlite3
import zlib
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from controller.events.effect import RoundOpened
from controller.events.event import BallLeftTrack, WheelRested
from controller.journal.record import RecordedDecision
from hal.events import EdgeBatch

log = logging.getLogger(__name__)

LONGEST = 50_000
"""The most edges that are kept in memory before they are written."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS traces (
    id INTEGER PRIMARY KEY,
    round INTEGER NOT NULL,
    levels TEXT NOT NULL,
    edges BLOB NOT NULL,
    stamps BLOB NOT NULL,
    lost TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX IF NOT EXISTS rounds ON traces (round);
"""
_ADD_LOST = "ALTER TABLE traces ADD COLUMN lost TEXT NOT NULL DEFAULT '[]'"
_INSERT = "INSERT INTO traces (round, levels, edges, stamps, lost) VALUES (?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class EdgeStretch:
    """Consecutive edges.

    Attributes:
        levels: of each line before the first edge, by its letter.
        edges: one letter each, as in :class:`hal.events.EdgeBatch`.
        stamps_ns: monotonic time of each.
        lost: the number of edges that the kernel lost in or before a batch, by the index of its first edge.
    """

    levels: dict[str, bool]
    edges: bytes
    stamps_ns: "array[int]"
    lost: dict[int, int] = field(default_factory=dict)


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
            self._lost = self._prepared()
        except BaseException:
            self._db.close()
            raise

    def _prepared(self) -> str:
        """Set up the file; returns the SQL expression of the column of lost edges."""
        # NORMAL: a power cut may take the last movements, but never damages the file.
        self._db.executescript(f"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; {_SCHEMA}")
        columns = [column[1] for column in self._db.execute("PRAGMA table_info(traces)")]
        if self._rounds and "lost" not in columns:
            self._db.execute(_ADD_LOST)  # An older version created the file.
        return "lost" if "lost" in columns or self._rounds else "'[]'"

    def add(self, number: int, stretch: EdgeStretch) -> None:
        """Store a stretch of a round, and delete the oldest rounds.

        Raises:
            sqlite3.Error: the disk is full, or the file is damaged.
        """
        stamps = stretch.stamps_ns
        steps = array("q", (after - before for before, after in zip((0, *stamps), stamps, strict=False)))
        packed = zlib.compress(stretch.edges), zlib.compress(steps.tobytes())
        row = (number, json.dumps(stretch.levels), *packed, json.dumps(list(stretch.lost.items())))
        self._db.execute(_INSERT, row)
        self._db.execute("DELETE FROM traces WHERE round <= ?", (number - self._rounds,))

    def of(self, number: int) -> Iterator[EdgeStretch]:
        """The stretches of a round, in order."""
        query = f"SELECT levels, edges, stamps, {self._lost} FROM traces WHERE round = ? ORDER BY id"
        for levels, edges, packed, lost in self._db.execute(query, (number,)):
            steps, at_ns = array("q"), 0
            steps.frombytes(zlib.decompress(packed))
            stamps = array("q")
            for step in steps:
                at_ns += step
                stamps.append(at_ns)
            yield EdgeStretch(json.loads(levels), zlib.decompress(edges), stamps, dict(json.loads(lost)))

    def rounds(self) -> list[int]:
        """The rounds with stored edges."""
        return [number for (number,) in self._db.execute("SELECT DISTINCT round FROM traces ORDER BY round")]

    def close(self) -> None:
        self._db.close()


class Tracer:
    """Listens to a table's sensors and decisions, and stores each movement with its round.

    Args:
        levels: of each line at the start, by its letter.
    """

    def __init__(self, traces: Traces, levels: Mapping[str, bool]) -> None:
        self._traces: Traces | None = traces
        self._levels = dict(levels)
        self._edges = bytearray()
        self._stamps = array("q")
        self._lost: dict[int, int] = {}
        self._next_seqno: int | None = None
        self._round = 0

    def hear(self, batch: EdgeBatch) -> None:
        """Take a batch of edges; called by the table."""
        if not len(batch):
            return
        if lost := batch.lost(self._next_seqno):
            self._lost[len(self._edges)] = lost
        self._next_seqno = batch.seqnos[-1] + 1
        self._edges += batch.edges
        self._stamps.extend(batch.timestamps_ns)
        if len(self._edges) > LONGEST:
            self._keep()

    def __call__(self, recorded: RecordedDecision) -> None:
        """Take a recorded decision: a movement is stored once it has ended."""
        record = recorded.record
        opens = any(isinstance(effect, RoundOpened) for effect in record.effects)
        if opens or isinstance(record.event, WheelRested | BallLeftTrack):
            self._keep()
        self._round = record_round(recorded)

    def close(self) -> None:
        """Store the remaining edges."""
        self._keep()
        if self._traces is not None:
            self._traces.close()
        self._traces = None

    def _keep(self) -> None:
        if not self._edges or self._traces is None:
            return
        try:
            self._traces.add(self._round, EdgeStretch(self._levels, bytes(self._edges), self._stamps, self._lost))
        except sqlite3.Error as error:
            log.warning("edges are no longer stored: %s; free space on the disk, then restart the table", error)
            self._traces.close()
            self._traces = None
        text = self._edges.decode()
        for letter in self._levels:
            rises, falls = text.rfind(letter), text.rfind(letter.lower())
            if rises != falls:
                self._levels[letter] = rises > falls
        self._edges, self._stamps, self._lost = bytearray(), array("q"), {}


def record_round(recorded: RecordedDecision) -> int:
    """The round after a recorded decision."""
    opened = [effect.number for effect in recorded.record.effects if isinstance(effect, RoundOpened)]
    return opened[-1] if opened else recorded.entry.round
