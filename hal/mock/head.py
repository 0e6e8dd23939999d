"""A simulated sensor head: edges get stamps, lines carry them, and whoever moves delivers them."""

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from hal.events import EdgeBatch, FaultEvent
from hal.interfaces import Clock, Timer
from hal.mock.arrays import NO_EDGES, Bytes, Sensed, Times
from hal.mock.lines import SimulatedLines

NS_PER_S = 1_000_000_000


class SimulatedHead(ABC):
    """A sensor head whose lines can break.

    Args:
        jitter_us: largest error of the time stamps.
        slice_ns: how often what moves delivers its edges; None delivers them when someone asks, or at rest.
    """

    def __init__(self, rng: np.random.Generator, jitter_us: float, clock: Clock, slice_ns: int | None) -> None:
        self.clock = clock
        self.rng = rng
        self._slice_ns = slice_ns
        self._jitter_ns = jitter_us * 1000
        self._polled_ns = clock.now_ns()
        self._later: tuple[Bytes, Times] = (NO_EDGES[0], np.empty(0, np.int64))
        self._deliver: Callable[[EdgeBatch], None] | None = None
        self._lost: Callable[[FaultEvent], None] | None = None
        self._timer: Timer | None = None
        self.lines = SimulatedLines(rng, self.sensor_levels())

    # -- EdgeSource ----------------------------------------------------------------------------------------

    def levels(self) -> dict[str, bool]:
        self.poll()
        return self.lines.levels()

    def start(self, deliver: Callable[[EdgeBatch], None], lost: Callable[[FaultEvent], None] | None = None) -> None:
        self._deliver = deliver
        self._lost = lost

    def close(self) -> None:
        self._deliver = None

    def poll(self) -> None:
        now_ns = self.clock.now_ns()
        if now_ns <= self._polled_ns:
            return
        from_ns, self._polled_ns = self._polled_ns, now_ns
        if not self.moving and not len(self._later[0]) and not self.lines.faults.noise_hz:
            return
        letters, times = self._merged([self._stamped(edges) for edges in self.sense(now_ns) if edges], now_ns)
        self._send(self.lines.carry(letters, times, from_ns, now_ns))

    # -- what a head has ------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def moving(self) -> bool:
        """Whether any sensor has more edges to deliver."""

    @property
    @abstractmethod
    def at_rest_ns(self) -> int:
        """When the present movement ends, or ended."""

    @property
    def busy_until_ns(self) -> int:
        """When the last sensor has delivered all edges."""
        return self.at_rest_ns

    @abstractmethod
    def sensor_levels(self) -> dict[str, bool]:
        """The level of each line by its letter, as the sensors have it."""

    @abstractmethod
    def sense(self, to_ns: int) -> tuple[list[Sensed], ...]:
        """What each sensor did since it was last asked: edges at their times in nanoseconds."""

    # -- what heads do ---------------------------------------------------------------------------------------

    def settle_lines(self) -> None:
        """A fault of the lines came or went."""
        self._send(self.lines.settle(self.clock.now_ns()))

    def lose(self) -> None:
        """The chip that the lines are on is gone. Not a fault to repair: the table halts and is started again."""
        self.poll()
        self._deliver = None
        if self._lost is not None:
            self._lost(FaultEvent("the simulated GPIO chip is gone; plug it in", self.clock.now_ns()))

    def schedule(self) -> None:
        """Deliver at the end of the movement that has begun, and now and then until then."""
        end_ns = self.busy_until_ns + 1
        now_ns = self.clock.now_ns()
        if self._timer is not None:
            self._timer.cancel()
        if now_ns < end_ns:
            next_ns = end_ns if self._slice_ns is None else min(end_ns, now_ns + self._slice_ns)
            self._timer = self.clock.call_at(next_ns, self._on_time)

    def _on_time(self) -> None:
        self.poll()
        if self.moving and self._slice_ns is not None:
            self.schedule()

    def _send(self, batch: EdgeBatch | None) -> None:
        if batch is not None and self._deliver is not None:
            self._deliver(batch)

    def _stamped(self, edges: list[Sensed]) -> tuple[Bytes, Times]:
        """The edges of one sensor with the stamps that they get."""
        letters, times = edges[0]
        if len(edges) > 1:
            letters, times = np.concatenate([some for some, _ in edges]), np.concatenate([at for _, at in edges])
        stamps = (times + self._jitter_ns * self.rng.random(len(times))).astype(np.int64)
        if (stamps[1:] < stamps[:-1]).any():
            stamps = np.maximum.accumulate(stamps)
        return letters, stamps

    def _merged(self, sensors: list[tuple[Bytes, Times]], to_ns: int) -> tuple[Bytes, Times]:
        letters = np.concatenate([self._later[0], *(letters for letters, _ in sensors)])
        times = np.concatenate([self._later[1], *(times for _, times in sensors)])
        order = times.argsort(kind="stable")
        letters, times = letters[order], times[order]
        due = int(times.searchsorted(to_ns, side="right"))
        self._later = (letters[due:], times[due:])
        if len(self._later[0]):
            # A contact may still chatter, and a stamp may jitter, just past the moment.
            self.clock.call_at(int(self._later[1][-1]) + 1, self.poll)
        return letters[:due], times[:due]
