"""Listens to a table's sensors and decisions, and stores the edges of each movement with its round."""

import logging
import sqlite3
from collections.abc import Mapping

from controller.events.effect import RoundOpened
from controller.events.event import BallLeftTrack, WheelRested
from controller.journal.record import RecordedDecision
from controller.journal.replay.edge_buffer import EdgeBuffer
from controller.journal.replay.level_readings import LevelReading
from controller.journal.replay.trace import EdgeStretch, Traces

log = logging.getLogger(__name__)


class Tracer:
    """Listens to a table's sensors and decisions, and stores each movement with its round.

    Args:
        levels: of each line at the start, by its letter.

    Attributes:
        hear: takes a batch of edges; called by the table.
    """

    def __init__(self, traces: Traces, levels: Mapping[str, bool]) -> None:
        self._traces: Traces | None = traces
        self._levels = dict(levels)
        self._buffer = EdgeBuffer(self._keep)
        self._readings: list[LevelReading] = []
        self._round = 0
        self.hear = self._buffer.take

    def levels_read(self, levels: Mapping[str, bool], at_ns: int, due_ns: int) -> None:
        """Take levels that the tracker is about to be given; those that are as the edges said are not stored."""
        said, read = self._stretch().levels_at(len(self._buffer.edges)), dict(levels)
        if said != read:
            self._readings.append(LevelReading(len(self._buffer.edges), at_ns, due_ns, said, read))

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

    def _stretch(self) -> EdgeStretch:
        """What is not stored yet."""
        buffer = self._buffer
        return EdgeStretch(self._levels, bytes(buffer.edges), buffer.stamps_ns, buffer.lost, tuple(self._readings))

    def _keep(self) -> None:
        if not (self._buffer.edges or self._readings):
            return
        stretch = self._stretch()
        if self._traces is not None and not self._stored(self._traces, stretch):
            self._traces = None
        self._levels = stretch.levels_at(len(stretch.edges))
        self._buffer.empty()
        self._readings = []

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
