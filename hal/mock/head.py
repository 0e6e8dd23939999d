"""A simulated sensor head: what moves makes edges, lines carry them or break, and virtual time delivers them."""

from abc import ABC, abstractmethod
from array import array
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hal.errors import check_known
from hal.events import LINES, EdgeBatch, FaultEvent
from hal.interfaces import Clock, Timer
from hal.mock.clock import NS_PER_S
from hal.mock.motion import FALLS, Bytes, Encoder, Run, Sensed, Times
from hal.mock.settings import EncoderSettings

_SLIPPED_COUNTS = 1e-3
_PULSE_NS, _APART_NS = 10_000, 30_000
"""How long a disturbance lasts, and how far two are apart at least."""
_SWAP = np.frombuffer(bytes(range(256)).translate(bytes.maketrans(b"ABab", b"BAba")), np.uint8)


@dataclass(slots=True)
class Faults:
    held: dict[str, bool] = field(default_factory=dict)
    """Lines that stand at a level whatever the sensor does: stuck, or open and pulled up."""
    lost: float = 0.0
    """Part of all edges that is never seen."""
    swapped: bool = False
    noise_hz: dict[str, float] = field(default_factory=dict)
    overflow: int = 0
    """Edges that the kernel's buffer is about to lose."""
    slip: float = 0.0
    """Part of the movement that the encoder does not follow."""


class SimulatedLines:
    """What the kernel sees of the edges that a head's sensors make.

    Args:
        levels: the sensors' levels before the first edge, by the lines' letters.
    """

    def __init__(self, rng: np.random.Generator, levels: dict[str, bool]) -> None:
        self._rng = rng
        self.faults = Faults()
        self.sensors = dict(levels)
        self._seen = dict(levels)
        self.seqno = 0
        self.names = tuple(name for name, letter in LINES.items() if letter in levels)

    def letter_of(self, line: str) -> str:
        """The letter of a line.

        Raises:
            UnknownLineError: the head has no such line.
        """
        check_known("line", line, self.names)
        return LINES[line]

    def levels(self) -> dict[str, bool]:
        """The present level of each line, whether or not the kernel has seen its last edge."""
        levels = dict(self.sensors)
        if self.faults.swapped:
            levels["A"], levels["B"] = levels["B"], levels["A"]
        return levels | self.faults.held

    def carry(self, letters: Bytes, times: Times, from_ns: int, to_ns: int) -> EdgeBatch | None:
        """What becomes of the sensors' edges, in order of time, between two moments; None if nothing does."""
        _change(self.sensors, letters)
        faults, dropped = self.faults, 0
        if faults != Faults():
            letters = _SWAP[letters] if faults.swapped else letters
            for line, hertz in faults.noise_hz.items():
                letters, times = self._disturbed(line, hertz, letters, times, from_ns, to_ns)
            keep = ~np.isin(letters | FALLS, [ord(line) | FALLS for line in faults.held])
            if faults.lost:
                keep &= self._rng.random(len(letters)) >= faults.lost
            letters, times = letters[keep], times[keep]
            # The oldest edges go; the newest one stays, and its number tells of the gap.
            dropped = min(faults.overflow, max(0, len(letters) - 1))
            faults.overflow -= dropped
        return self._seen_as(letters[dropped:], times[dropped:], dropped)

    def settle(self, at_ns: int) -> EdgeBatch | None:
        """A fault came or went: lines jump to the level that they have now."""
        jumps = {letter: level for letter, level in self.levels().items() if level != self._seen[letter]}
        text = "".join(letter if level else letter.lower() for letter, level in jumps.items())
        times = at_ns + np.arange(len(jumps), dtype=np.int64)
        return self._seen_as(np.frombuffer(text.encode(), np.uint8), times)

    def _seen_as(self, letters: Bytes, times: Times, dropped: int = 0) -> EdgeBatch | None:
        if not len(letters):
            return None
        first = self.seqno + 1 + dropped
        self.seqno += dropped + len(letters)
        _change(self._seen, letters)
        return EdgeBatch(letters.tobytes(), array("q", times.tobytes()), range(first, first + len(letters)))

    def _disturbed(
        self, line: str, hertz: float, letters: Bytes, times: Times, from_ns: int, to_ns: int
    ) -> tuple[Bytes, Times]:
        """With short pulses away from the line's level and back."""
        count = int(self._rng.poisson(hertz * (to_ns - from_ns) / 1e9))
        at = np.sort(self._rng.integers(from_ns, max(from_ns + 1, to_ns - 2 * _PULSE_NS), count))
        at = at[np.diff(at, prepend=from_ns - 2 * _APART_NS) > _APART_NS]
        own = (letters | FALLS) == (ord(line) | FALLS)
        levels = np.concatenate(([self._seen[line]], (letters[own] & FALLS) == 0))
        before = levels[times[own].searchsorted(at, side="right")]
        away = (ord(line) | np.where(before, FALLS, 0)).astype(np.uint8)
        return in_order([(letters, times), (away, at), ((away ^ FALLS).astype(np.uint8), at + _PULSE_NS)])


def _change(levels: dict[str, bool], letters: Bytes) -> None:
    text = letters.tobytes()
    for line in levels:
        rising, falling = text.rfind(line.encode()), text.rfind(line.lower().encode())
        if rising != falling:
            levels[line] = rising > falling


def in_order(pieces: list[tuple[Bytes, Times]]) -> tuple[Bytes, Times]:
    letters, times = (np.concatenate(some) for some in zip(*pieces, strict=True))
    order = times.argsort(kind="stable")
    return letters[order], times[order]


class SimulatedHead(ABC):
    """What turns before an encoder and further sensors, whose lines can break.

    Args:
        at: where it stands, in its own unit.
        scale: counts of the encoder in such a unit.
        others: lines besides those of the encoder, with their levels.
        slice_ns: how often what moves delivers its edges; None delivers them when someone asks, or at rest.
    """

    def __init__(
        self,
        settings: EncoderSettings,
        at: float,
        scale: float,
        others: dict[str, bool],
        clock: Clock,
        slice_ns: int | None,
    ) -> None:
        self.clock = clock
        self.rng = np.random.default_rng(settings.seed)
        self._jitter_ns = settings.jitter_us * 1000
        self._slice_ns = slice_ns
        self._disc, self._scale = Encoder(settings), scale
        self._x, self._angle = at, at * scale
        """Where it was when it was polled last, and the encoder's shaft in counts."""
        self._polled_ns = clock.now_ns()
        self._legs: deque[tuple[int, int, Run]] = deque()
        """How it moves from then on: when each motion begins and ends."""
        self._later: tuple[Bytes, Times] = (np.empty(0, np.uint8), np.empty(0, np.int64))
        """Edges that the sensors will make, whatever moves now."""
        self._deliver: Callable[[EdgeBatch], None] | None = None
        self._lost: Callable[[FaultEvent], None] | None = None
        self._timer: Timer | None = None
        self.lines = SimulatedLines(self.rng, self._disc.levels(self._angle) | others)

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
        if self.moving or self.lines.faults.noise_hz:
            letters, times = in_order([self._later, *map(self._stamped, self._moved(now_ns))])
            due = int(times.searchsorted(now_ns, side="right"))
            self._later = letters[due:], times[due:]
            self._send(self.lines.carry(letters[:due], times[:due], from_ns, now_ns))

    # -- how it moves --------------------------------------------------------------------------------------

    @property
    def moving(self) -> bool:
        """Whether any sensor has more edges to deliver."""
        return bool(self._legs) or len(self._later[0]) > 0

    @property
    @abstractmethod
    def at_rest_ns(self) -> int:
        """When the present movement ends, or ended."""

    @property
    def x(self) -> float:
        """Where it truly is now."""
        return self._course[0]

    @property
    def velocity(self) -> float:
        """How fast it truly turns now, in its unit a second; negative is clockwise."""
        return self._course[1]

    @property
    def _course(self) -> tuple[float, float]:
        now_ns = self.clock.now_ns()
        for start_ns, _, run in reversed(self._legs):
            if start_ns <= now_ns:
                since_s = (now_ns - start_ns) / NS_PER_S
                return run.place_at(since_s), run.direction * run.speed_at(since_s)
        return self._x, 0.0

    def lead(self, runs: list[Run]) -> None:
        """From now on it moves so; the first motion begins where it is."""
        self.poll()
        self._legs.clear()
        start_ns = self.clock.now_ns()
        for run in runs:
            end_ns = start_ns + int(run.duration_s * NS_PER_S)
            self._legs.append((start_ns, end_ns, run))
            start_ns = end_ns + 1
        self.schedule()

    def schedule(self) -> None:
        """Deliver at the end of the movement that has begun, and now and then until then."""
        ends = [self._polled_ns, *(leg[1] for leg in self._legs), *self._later[1][-1:].tolist()]
        now_ns, end_ns = self.clock.now_ns(), max(ends) + 1
        if self._timer is not None:
            self._timer.cancel()
        if self.moving:
            next_ns = end_ns if self._slice_ns is None else min(end_ns, now_ns + self._slice_ns)
            self._timer = self.clock.call_at(next_ns, self._on_time)

    def _on_time(self) -> None:
        self.poll()
        self.schedule()

    def _moved(self, to_ns: int) -> Iterator[Sensed]:
        """Move on until then: what each sensor did, edges at their times in nanoseconds."""
        while self._legs and self._legs[0][0] < to_ns:
            start_ns, end_ns, run = self._legs[0]
            x, begin = run.end if end_ns <= to_ns else run.place_at((to_ns - start_ns) / NS_PER_S), self._angle
            ratio = self._scale * (1 - self.lines.faults.slip)
            self._angle += (x - self._x) * ratio
            for letters, angles in self._disc.edges(begin, self._angle):
                if len(letters):
                    yield letters, run.times_at(self._x + (angles - begin) / ratio) * NS_PER_S + start_ns
            yield from self._acted(run, start_ns, x)
            self._x = x
            if end_ns > to_ns:
                break
            self._legs.popleft()

    def _acted(self, run: Run, start_ns: int, x: float) -> Iterator[Sensed]:
        """What other sensors than the encoder do in a motion from where it was last to ``x``."""
        yield from ()

    # -- what breaks ---------------------------------------------------------------------------------------

    def break_(self, **faults: Any) -> None:
        """Something more is broken from now on: see :class:`Faults`; lines by their names, ``*`` for all.

        Raises:
            UnknownLineError: the head has no such line.
        """
        self.poll()
        for name, fault in faults.items():
            if isinstance(fault, dict):
                if "*" in fault:
                    fault = dict.fromkeys(self.lines.names, fault["*"])
                letters = {self.lines.letter_of(line): how for line, how in fault.items()}
                fault = getattr(self.lines.faults, name) | letters
            setattr(self.lines.faults, name, fault)
        if faults.keys() & {"held", "swapped"}:
            self.settle()

    def settle(self) -> None:
        self._send(self.lines.settle(self.clock.now_ns()))

    def repair(self, swapped: bool = False, remount: bool = True) -> None:
        """Nothing is broken any more; wires may stay crossed, and an encoder that has slipped where it is."""
        self.poll()
        self.lines.faults = Faults(swapped=swapped)
        if remount and abs(self._angle - self._x * self._scale) > _SLIPPED_COUNTS:
            self._angle = self._x * self._scale
            self.lines.sensors |= self._disc.levels(self._angle)
        self.settle()

    def lose(self) -> None:
        """The chip that the lines are on is gone. Not a fault to repair: the table halts and is started again."""
        self.poll()
        self._deliver = None
        if self._lost is not None:
            self._lost(FaultEvent("the simulated GPIO chip is gone; plug it in", self.clock.now_ns()))

    # -- inside --------------------------------------------------------------------------------------------

    def _send(self, batch: EdgeBatch | None) -> None:
        if batch is not None and self._deliver is not None:
            self._deliver(batch)

    def _stamped(self, edges: Sensed) -> tuple[Bytes, Times]:
        """The edges of one sensor with the stamps that they get, no two at the same moment."""
        letters, times = edges
        numbers = np.arange(len(times))
        stamps = (times + self._jitter_ns * self.rng.random(len(times))).astype(np.int64)
        return letters, np.maximum.accumulate(stamps - numbers) + numbers
