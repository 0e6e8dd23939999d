"""Listens to a table's sensors and decisions, and stores the edges of each movement with its round."""

import logging
import sqlite3
from array import array
from collections.abc import Mapping
from typing import Final

from controller.events.effect import RoundOpened
from controller.events.event import BallLeftTrack, WheelRested
from controller.journal.record import RecordedDecision
from controller.journal.replay.trace import EdgeStretch, LevelReading, Traces
from hal.events import EdgeBatch

log = logging.getLogger(__name__)

LONGEST: Final = 50_000
"""The most edges that are kept in memory before they are written."""


class Tracer:
    """Listens to a table's sensors and decisions, and stores each movement with its round.

    Args:
        levels: of each line at the start, by its letter.
    """

    def __init__(self, traces: Traces, levels: Mapping[str, bool]) -> None:
        self._traces: Traces | None = traces
        self._levels = dict(levels)
        self._next_seqno: int | None = None
        self._round = self._seq = 0
        self._begin()

    def _begin(self) -> None:
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
        said, read = self._stretch().levels_at(len(self._edges)), dict(levels)
        if said != read:
            self._readings.append(LevelReading(len(self._edges), at_ns, due_ns, said, read))

    def __call__(self, recorded: RecordedDecision) -> None:
        """Take a recorded decision: a movement is stored once it has ended."""
        record, self._seq = recorded.record, recorded.entry.seq
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

    def _stretch(self) -> EdgeStretch:
        """What is not stored yet."""
        return EdgeStretch(
            self._levels, bytes(self._edges), self._stamps_ns, self._lost, tuple(self._readings), self._seq
        )

    def _keep(self) -> None:
        if not (self._edges or self._readings):
            return
        stretch = self._stretch()
        if self._traces is not None and not self._stored(self._traces, stretch):
            self._traces = None
        self._levels = stretch.levels_at(len(stretch.edges))
        self._begin()

    def _stored(self, traces: Traces, stretch: EdgeStretch) -> bool:
        try:
            traces.add(self._round, stretch)
        except sqlite3.Error as error:
            log.warning("edges are no longer stored: %s; free space on the disk, then restart the table", error)
            traces.close()
            return False
        return True


def record_round(recorded: RecordedDecision) -> int:
    """The round after a recorded decision."""
    opened = [effect.number for effect in recorded.record.effects if isinstance(effect, RoundOpened)]
    return opened[-1] if opened else recorded.entry.round
