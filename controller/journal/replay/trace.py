"""The edges of a table's sensors, stored beside the journal for a configured number of rounds.

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
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from controller.events.effect import RoundOpened
from controller.events.event import BallLeftTrack, WheelRested
from controller.journal.record import RecordedDecision
from hal.events import LINES, EdgeBatch

log = logging.getLogger(__name__)

LONGEST: Final = 50_000
"""The most edges that are kept in memory before they are written."""
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
_WORDS = {"clapper": ("closed", "open")}


class LevelReading(NamedTuple):
    """Levels that a tracker was given, and that are not as the edges before said.

    Attributes:
        place: how many edges of its stretch came before.
        at_ns: monotonic time at which they were read.
        due_ns: when the tracker was due to find the wheel at rest: what it was due for before, it had done.
        unseen: the lines that had changed without an edge, by letter, with the level that was read.
    """

    place: int
    at_ns: int
    due_ns: int
    unseen: dict[str, bool]

    def __str__(self) -> str:
        lines = []
        for letter, level in self.unseen.items():
            name = _NAMES.get(letter, letter)
            words = _WORDS.get(name, ("low", "high"))
            lines.append(f"{name} {words[level]}, after its last edge {words[not level]}")
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
                levels = _after(levels, self.edges[since : reading.place]) | reading.unseen
                since = reading.place
        return _after(levels, self.edges[since:place])


def _after(levels: Mapping[str, bool], edges: bytes) -> dict[str, bool]:
    """The level of each line after edges."""
    text = edges.decode()
    after = {letter: (text.rfind(letter), text.rfind(letter.lower())) for letter in levels}
    return {letter: levels[letter] if rise == fall else rise > fall for letter, (rise, fall) in after.items()}


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


class Tracer:
    """Listens to a table's sensors and decisions, and stores each movement with its round.

    Args:
        levels: of each line at the start, by its letter.
    """

    def __init__(self, traces: Traces, levels: Mapping[str, bool]) -> None:
        self._traces: Traces | None = traces
        self._next_seqno: int | None = None
        self._round = self._seq = 0
        self._begin(dict(levels))

    def _begin(self, levels: dict[str, bool]) -> None:
        self._levels = levels
        self._edges = bytearray()
        self._stamps_ns = array("q")
        self._lost: dict[int, int] = {}
        self._readings: list[LevelReading] = []

    def on_batch(self, batch: EdgeBatch) -> None:
        """Take a batch of edges."""
        edges, kept = batch.edges, self._edges
        if not edges:
            return
        next_seqno = batch.seqnos[-1] + 1
        # The commonest case first: as many edges as numbers since the batch before.
        if next_seqno - len(edges) != self._next_seqno and (lost := batch.lost(self._next_seqno)):
            self._lost[len(kept)] = lost
        self._next_seqno = next_seqno
        kept += edges
        self._stamps_ns.extend(batch.timestamps_ns)
        if len(kept) > LONGEST:
            self._keep()

    def levels_read(self, levels: Mapping[str, bool], at_ns: int, due_ns: int) -> None:
        """Take levels that the tracker is about to be given; those that are as the edges said are not stored."""
        said = self._stretch().levels_at(len(self._edges))
        unseen = {letter: level for letter, level in levels.items() if said[letter] != level}
        if unseen:
            self._readings.append(LevelReading(len(self._edges), at_ns, due_ns, unseen))

    def __call__(self, recorded: RecordedDecision) -> None:
        """Take a recorded decision: a movement is stored once it has ended."""
        record, self._seq = recorded.record, recorded.entry.seq
        opened = [effect.number for effect in record.effects if isinstance(effect, RoundOpened)]
        if opened or isinstance(record.event, WheelRested | BallLeftTrack):
            self._keep()
        self._round = opened[-1] if opened else recorded.entry.round

    def close(self) -> None:
        """Store the remaining edges."""
        self._keep()
        if self._traces is not None:
            self._traces.close()
        self._traces = None

    def _stretch(self) -> EdgeStretch:
        """What is not stored yet."""
        readings = tuple(self._readings)
        return EdgeStretch(self._levels, bytes(self._edges), self._stamps_ns, self._lost, readings, self._seq)

    def _keep(self) -> None:
        if not (self._edges or self._readings):
            return
        stretch = self._stretch()
        if self._traces is not None:
            try:
                self._traces.add(self._round, stretch)
            except sqlite3.Error as error:
                log.warning("edges are no longer stored: %s; free space on the disk, then restart the table", error)
                self._traces.close()
                self._traces = None
        self._begin(stretch.levels_at(len(stretch.edges)))
