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
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

from controller.events.effect import RoundOpened
from controller.events.event import BallLeftTrack, WheelRested
from controller.journal.errors import JournalDamagedError
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
    lost INTEGER NOT NULL,
    reading TEXT NOT NULL,
    anew INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS stretches_by_round ON stretches (round);
"""
_COLUMNS = "seq, levels, edges, stamps, lost, reading, anew"
_INSERT = f"INSERT INTO stretches (round, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_NAMES = {letter: name for name, letter in LINES.items()}
_WORDS = {"clapper": ("closed", "open")}


class LevelReading(NamedTuple):
    """Levels that a tracker was given, and that are not as the edges before said.

    Attributes:
        at_ns: monotonic time at which they were read.
        due_ns: when the tracker was due to find the wheel at rest: what it was due for before, it had done.
        unseen: the lines that had changed without an edge, by letter, with the level that was read.
    """

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
    """Consecutive edges, perhaps none. Another stretch begins where more than edges reached the tracker.

    Attributes:
        levels: of each line before the first edge, by its letter; as read, if it begins with a reading.
        edges: one letter each, as in :class:`hal.events.EdgeBatch`.
        stamps_ns: monotonic time of each.
        lost: the number of edges that the kernel lost in or before its first batch.
        reading: the reading with which it begins.
        anew: whether the tracker learned the sensors anew before the first edge.
        seq: the last entry of the journal when it was stored; 0 for none yet.
    """

    levels: dict[str, bool]
    edges: bytes
    stamps_ns: "array[int]"
    lost: int = 0
    reading: LevelReading | None = None
    anew: bool = False
    seq: int = 0

    @property
    def levels_before(self) -> dict[str, bool]:
        """The level of each line before the reading, if there is one, and the first edge."""
        unseen = self.reading.unseen if self.reading is not None else {}
        return self.levels | {letter: not level for letter, level in unseen.items()}

    @property
    def latest_ns(self) -> int:
        """The latest time of any edge or reading; 0 without one."""
        return max((*self.stamps_ns, self.reading.at_ns if self.reading is not None else 0))

    def levels_after(self) -> dict[str, bool]:
        """The level of each line after the last edge."""
        text = self.edges.decode()
        last = {letter: (text.rfind(letter), text.rfind(letter.lower())) for letter in self.levels}
        return {one: self.levels[one] if rise == fall else rise > fall for one, (rise, fall) in last.items()}


def trace_file(journal: Path) -> Path:
    """The path of a journal's traces."""
    return journal.with_name(journal.name + ".traces")


class Traces:
    """An open file of traces.

    Args:
        rounds: the number of rounds to keep; 0 to only read.

    Raises:
        JournalDamagedError: the file cannot be read or written. So do the methods that read.
    """

    def __init__(self, file: Path, rounds: int) -> None:
        self._rounds = rounds
        with _readable():
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
        begins = stretch.lost, json.dumps(stretch.reading), stretch.anew
        self._db.execute(_INSERT, (number, stretch.seq, json.dumps(stretch.levels), *packed, *begins))
        self._db.execute("DELETE FROM stretches WHERE round <= ?", (number - self._rounds,))

    def of(self, number: int) -> Iterator[EdgeStretch]:
        """The stretches of a round, in order."""
        query = f"SELECT {_COLUMNS} FROM stretches WHERE round = ? ORDER BY id"
        with _readable():
            for seq, levels, edges, packed, lost, read, anew in self._db.execute(query, (number,)):
                steps = array("q")
                steps.frombytes(zlib.decompress(packed))
                reading = LevelReading(*json.loads(read)) if read != "null" else None
                before, moved = json.loads(levels), zlib.decompress(edges)
                if not {*moved.decode().upper()} <= before.keys() <= _NAMES.keys() or len(moved) != len(steps):
                    raise ValueError("edges of no line")
                begins = lost, reading, bool(anew), seq
                yield EdgeStretch(before, moved, array("q", accumulate(steps)), *begins)

    def rounds(self) -> list[int]:
        """The rounds with stored edges."""
        found = "SELECT DISTINCT round FROM stretches ORDER BY round"
        with _readable():
            return [number for (number,) in self._db.execute(found)]

    def close(self) -> None:
        self._db.close()


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, zlib.error, ValueError, TypeError, AttributeError) as error:
        raise JournalDamagedError(f"the kept edges cannot be read: {error}; move JOURNAL.traces away") from error


class Tracer:
    """Listens to a table's sensors and decisions, and stores each movement with its round.

    Args:
        levels: of each line at the start, by its letter.
    """

    def __init__(self, traces: Traces, levels: Mapping[str, bool]) -> None:
        self._traces: Traces | None = traces
        self._next_seqno: int | None = None
        self._last_ns = 0
        self._round = self._seq = 0
        self._done: list[EdgeStretch] = []
        """Stretches that have ended and are not stored yet."""
        self._begin(dict(levels))

    def _begin(
        self, levels: dict[str, bool], lost: int = 0, reading: LevelReading | None = None, anew: bool = False
    ) -> None:
        self._edges, self._stamps_ns = bytearray(), array("q")
        self._stretch = EdgeStretch(levels, b"", self._stamps_ns, lost, reading, anew)

    def _end(self) -> dict[str, bool]:
        """End a stretch; returns the levels after it."""
        self._done.append(replace(self._stretch, edges=bytes(self._edges)))
        return self._done[-1].levels_after()

    def on_batch(self, batch: EdgeBatch) -> None:
        """Take a batch of edges."""
        edges, stamps = batch.edges, batch.timestamps_ns
        if not edges:
            return
        next_seqno, backwards = batch.seqnos[-1] + 1, not self._last_ns <= stamps[0] <= stamps[-1]
        # The commonest case first: as many edges as numbers since the batch before.
        lost = 0 if next_seqno - len(edges) == self._next_seqno else batch.lost(self._next_seqno)
        self._next_seqno, self._last_ns = next_seqno, stamps[-1]
        if lost or backwards:
            self._begin(self._end(), lost)
        self._edges += edges
        self._stamps_ns.extend(stamps)
        if backwards:
            self._begin(self._end())
        elif len(self._edges) > LONGEST:
            self._keep()

    def levels_read(self, levels: Mapping[str, bool], at_ns: int, due_ns: int) -> None:
        """Take levels that the tracker is about to be given; those that are as the edges said are not stored."""
        said = self._end()
        unseen = {letter: level for letter, level in levels.items() if said[letter] != level}
        if unseen:
            self._begin(said | unseen, reading=LevelReading(at_ns, due_ns, unseen))
        else:
            self._done.pop()

    def relearned(self) -> None:
        """The tracker learns the sensors anew."""
        self._begin(self._end(), anew=True)

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

    def _keep(self) -> None:
        levels = self._end()
        done, self._done = self._done, []
        self._begin(levels)
        try:
            for stretch in done:
                if self._traces is not None and (stretch.edges or stretch.reading or stretch.anew):
                    self._traces.add(self._round, replace(stretch, seq=self._seq))
        except sqlite3.Error as error:
            log.warning("edges are no longer stored: %s; free space on the disk, then restart the table", error)
            assert self._traces is not None
            self._traces.close()
            self._traces = None
