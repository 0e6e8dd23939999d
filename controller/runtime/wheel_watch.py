"""Collects the edges of each spin at a table, and hands them to who measures them once the wheel is at rest.

A table's loop only hands over. Measuring takes long, and is done elsewhere (``measuring_process.py``); what is
found comes back as events. A spin that cannot be measured, for whatever reason, is left out; nothing waits for it.
"""

from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Protocol

from config.schema import WheelSection
from controller.events.event import Event, SpinMeasured, WheelDegraded, WheelRested
from controller.journal.journal import Journal
from controller.journal.record import RecordedDecision
from controller.journal.replay.level_readings import levels_after
from controller.journal.replay.trace import EdgeStretch
from controller.runtime.recorded_spins import was_touched
from controller.runtime.spin_measurer import EndedSpin, SpinMeasurer
from controller.wheel_health.measures import LEAST_TURNS
from hal.events import EdgeBatch
from hal.interfaces import Clock

MOST_EDGES = 1_000_000
"""A movement of more edges is not measured: somebody plays with the wheel."""
TakeMeasured = Callable[[Iterable[SpinMeasured | WheelDegraded]], None]


class Measuring(Protocol):
    """Measures spins, at once or elsewhere and later."""

    def start(self, answer: TakeMeasured) -> None:
        """Begin; what is to be recorded of each spin goes to ``answer``, on the caller's thread."""

    def measure(self, spin: EndedSpin) -> None:
        """Take a spin, or leave it out; returns at once."""

    def close(self) -> None:
        """End; nothing is answered any more."""


MakeMeasuring = Callable[[WheelSection, int, Journal], Measuring]
"""From a calibrated wheel, the number of its sections, and the table's journal."""


class MeasuringAtOnce:
    """Measures each spin before :meth:`measure` returns: for virtual time, and for tests."""

    def __init__(self, wheel: WheelSection, sections: int, journal: Journal) -> None:
        self._wheel, self._sections, self._journal = wheel, sections, journal
        self._measurer: SpinMeasurer | None = None
        self._answer: TakeMeasured | None = None

    def start(self, answer: TakeMeasured) -> None:
        self._measurer = SpinMeasurer(self._wheel, self._sections, self._journal)
        self._answer = answer

    def measure(self, spin: EndedSpin) -> None:
        if self._measurer is not None and self._answer is not None:
            self._answer(self._measurer.measured(spin))

    def close(self) -> None:
        self._answer = None


class WheelWatch:
    """Listens to a table's wheel: to its edges, and to its recorded decisions.

    Args:
        take: takes what is to be recorded.
    """

    def __init__(self, measuring: Measuring, clock: Clock, take: Callable[[Iterable[Event]], None]) -> None:
        self._measuring = measuring
        self._clock = clock
        self._take = take
        self._levels: dict[str, bool] = {}
        self._next_seqno: int | None = None
        self._lost = 0
        self._edges, self._stamps = bytearray(), array("q")
        self._at_rest: tuple[dict[str, bool], int] | None = None
        """Levels that were not as the edges said, and how many edges came before."""

    def start(self, levels: Mapping[str, bool]) -> None:
        """Begin to listen.

        Args:
            levels: of each line, by its letter.
        """
        self._levels = dict(levels)
        self._measuring.start(self._answer)

    def close(self) -> None:
        """Listen no more."""
        self._measuring.close()

    def hear(self, batch: EdgeBatch) -> None:
        """Take a batch of edges."""
        if not len(batch):
            return
        self._lost += batch.lost(self._next_seqno)
        self._next_seqno = batch.seqnos[-1] + 1
        self._edges += batch.edges
        self._stamps.extend(batch.timestamps_ns)
        if len(self._edges) > MOST_EDGES:
            self._lost += len(self._edges)
            self._begin()

    def levels_read(self, levels: Mapping[str, bool], _at_ns: int, _due_ns: int) -> None:
        """Take the levels of the wheel at rest: a line that changed without an edge has lost one."""
        if self._levels_now() != dict(levels):
            self._lost += 1
            self._at_rest = dict(levels), len(self._edges)

    def __call__(self, recorded: RecordedDecision) -> None:
        """Take a recorded decision: once the wheel is at rest, its edges are handed over."""
        rested = recorded.record.event
        if not isinstance(rested, WheelRested):
            return
        edges, stamps, levels, lost = bytes(self._edges), self._stamps, self._levels, self._lost
        self._lost = 0
        self._begin()
        if len(edges) >= LEAST_TURNS * rested.counts_per_turn and not lost:
            stretch = EdgeStretch(levels, edges, stamps)
            self._measuring.measure(EndedSpin(recorded.entry.round, was_touched(rested), stretch))

    def _begin(self) -> None:
        """The edges so far are done with."""
        self._levels = self._levels_now()
        self._edges, self._stamps, self._at_rest = bytearray(), array("q"), None

    def _levels_now(self) -> dict[str, bool]:
        """The level of each line, as far as is known."""
        levels, since = self._at_rest or (self._levels, 0)
        return levels_after(levels, bytes(self._edges[since:]))

    def _answer(self, events: Iterable[SpinMeasured | WheelDegraded]) -> None:
        self._take([replace(event, at_ns=self._clock.now_ns()) for event in events])
