"""How a wheel with pegs and a leather clapper moves: an equation of motion, integrated in small steps.

Independent of ``hal/mock``: written from physics and from what workshops build alone. Angles in degrees, forces as
what they do to the wheel in degrees/s². The leather has no mass of its own: it bends at a peg, or hangs free.
"""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

_FREE_STEP_S, _LEATHER_STEP_S = 0.02, 0.003
_NEAR = 1e-7
_STILL = 1e-5


@dataclass(frozen=True, slots=True)
class MotionParts:
    """What decides how a wheel moves.

    Attributes:
        pegs: the place of each peg from its own, degrees; None for a peg that is gone.
        half: half a peg and half a leather, degrees: so far before the pointer is a peg touched.
        leans: how far the leather hangs to one side, degrees, and how much more after a pass to that side.
        slips: the bend at which the leather slips off, degrees, and its variation from pass to pass.
        stiff: force for each degree of bend, in degrees/s², and its variation, relative.
        gives: what part of the force is left when the leather pushes back.
        leather_drag: what the leather rubs, for each degree/s.
        friction, drag, air: constant, by speed, by speed squared.
        heavy: force of the heavy side, and where it is, degrees.
    """

    sections: int
    pegs: tuple[float | None, ...]
    half: float
    leans: tuple[float, float]
    slips: tuple[float, float]
    stiff: tuple[float, float]
    gives: float
    leather_drag: float
    friction: float
    drag: float
    air: float
    heavy: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Deed:
    """What a hand does for a while: it pushes, or holds against the motion, or leads the wheel at its own speed.

    Attributes:
        push: force at a time since it began; positive to higher angles.
        grip: as friction, degrees/s².
        lead: the speed at which it leads the wheel, degrees/s.
    """

    from_s: float
    to_s: float
    push: Callable[[float], float] | None = None
    grip: float = 0.0
    lead: float | None = None


class Watcher(Protocol):
    """What looks at the wheel: the sensors."""

    def moved(self, start: tuple[float, float, float], end: tuple[float, float, float], bend: float) -> None:
        """The wheel moved one way: time, place and speed before and after; the leather's bend after."""

    def slipped(self, at_s: float) -> None:
        """The leather slipped off a peg."""


@dataclass(slots=True)
class _Side:
    """The leather at the peg to one side of it: where it touches, by how much it bends, how stiff it is."""

    touch: float
    slips: float
    stiff: float


@dataclass(slots=True)
class MovingWheel:
    """A wheel that moves.

    Attributes:
        x: its angle, degrees; v: its speed; gap: how many pegs it has passed, the section at the leather.
        scale: this spin's friction, relative; trace: time and speed after each step.
    """

    parts: MotionParts
    seed: int
    t: float = 0.0
    x: float = 0.0
    v: float = 0.0
    gap: int = 0
    scale: float = 1.0
    deeds: list[Deed] = field(default_factory=list)
    watcher: Watcher | None = None
    trace: list[tuple[float, float]] = field(default_factory=list)
    _sides: dict[int, _Side] = field(default_factory=dict)
    _now: tuple[Deed, ...] = ()
    _entered: int = 0
    _at: int = 0
    _turned: float = 0.0
    _way: int = 0
    _most: float = 0.0

    def __post_init__(self) -> None:
        self.x = (self.gap + 0.5) * 360 / self.parts.sections
        self._enter(0)

    def state(self) -> tuple[float, float, float, int, dict[int, _Side], int]:
        """All that moves, to come back to."""
        return self.t, self.x, self.v, self.gap, dict(self._sides), self._entered

    def restore(self, state: tuple[float, float, float, int, dict[int, _Side], int]) -> None:
        """Come back to a state."""
        self.t, self.x, self.v, self.gap, sides, self._entered = state
        self._sides = dict(sides)

    # -- the leather ---------------------------------------------------------------------------------------

    def _enter(self, way: int) -> None:
        """The leather came to lie between two pegs: what it does at either differs from time to time."""
        parts, self._entered = self.parts, self._entered + 1
        chance = random.Random(f"{self.seed}/{self._entered}")
        lean = parts.leans[0] + way * parts.leans[1]
        for side, peg in ((1, self.gap + 1), (-1, self.gap)):
            error = parts.pegs[peg % parts.sections]
            touch = peg * 360 / parts.sections + (error or 0.0) + lean - side * parts.half
            slips = max(2 * parts.half + 0.05, chance.gauss(*parts.slips))
            stiff = parts.stiff[0] * max(0.3, chance.gauss(1, parts.stiff[1]))
            self._sides[side] = _Side(touch, slips, stiff if error is not None else 0.0)
        # The peg just passed is out of the leather's way.
        passed = self._sides[-way] if way else None
        if passed is not None:
            passed.touch = min(passed.touch, self.x - _NEAR) if way > 0 else max(passed.touch, self.x + _NEAR)

    def touches(self) -> dict[int, float]:
        """Where the leather touches the peg to either side; far off where a peg is gone."""
        return {side: at.touch + (0 if at.stiff else side * 1e3) for side, at in self._sides.items()}

    def most_turns(self) -> float:
        """The longest way one way since this was asked last, in turns."""
        most, self._most, self._way = self._most, 0.0, 0
        return most / 360

    @property
    def bend(self) -> float:
        """How far a peg bends the leather, degrees, by side; 0 if it hangs free."""
        for side, at in self._sides.items():
            if (self.x - at.touch) * side > 0 and at.stiff:
                return self.x - at.touch
        return 0.0

    def _leather(self, x: float, v: float, way: int) -> float:
        """What it does to the wheel. A step is wholly at a peg or free, or it would depend on where it begins."""
        at = self._sides.get(self._at)
        if at is None or not at.stiff:
            return 0.0
        part = 1.0 if self._at == way else self.parts.gives
        return -at.stiff * (x - at.touch) * part - self.parts.leather_drag * v

    # -- forces --------------------------------------------------------------------------------------------

    def _outer(self, t: float, x: float, v: float) -> float:
        force, at = self.parts.heavy
        total = force * math.sin(math.radians(x + at))
        for deed in self._now:
            if deed.push is not None:
                total += deed.push(t - deed.from_s)
            if deed.lead is not None:
                total += (deed.lead - v) / 0.03
        return total

    @property
    def _grip(self) -> float:
        return self.parts.friction * self.scale + sum(deed.grip for deed in self._now)

    def _force(self, t: float, x: float, v: float, way: int, grip: float) -> float:
        parts = self.parts
        loss = way * grip + self.scale * (parts.drag * v + parts.air * v * abs(v))
        return self._outer(t, x, v) - loss + self._leather(x, v, way)

    def _start_way(self) -> int:
        """Which way a wheel that stands begins to move: 0 if it stands on."""
        self._at = next((side for side, at in self._sides.items() if (self.x - at.touch) * side > _NEAR / 2), 0)
        outer, grip = self._outer(self.t, self.x, 0.0), self._grip * 1.05
        for way in (1, -1):
            if way * (outer + self._leather(self.x, 0.0, way)) > grip:
                return way
        return 0

    # -- steps ---------------------------------------------------------------------------------------------

    def run(self, until_s: float) -> None:
        """Move until then."""
        while self.t < until_s - 1e-9:
            self._now = tuple(deed for deed in self.deeds if deed.from_s <= self.t + 1e-9 < deed.to_s)
            edges = [at for deed in self.deeds for at in (deed.from_s, deed.to_s) if at > self.t + 1e-9]
            end = min([until_s, *edges])
            way = self._start_way() if abs(self.v) < _STILL else (1 if self.v > 0 else -1)
            if not way:
                self.v = 0.0
                self.t = min(end, self.t + 0.005) if self._now else end
                continue
            self._step(way, end - self.t)

    def rest(self, limit_s: float = 300.0) -> bool:
        """Move until it stands and no hand is to come; False if it never does."""
        end = self.t + limit_s
        while self.t < end:
            self._now = ()
            coming = [deed.to_s for deed in self.deeds if deed.to_s > self.t]
            if not coming and self.v == 0 and not self._start_way():
                return True
            self.run(max([*coming, self.t + 0.05]))
        return False

    def _rk4(self, way: int, dt: float) -> tuple[float, float]:
        t, x, v, grip, half = self.t, self.x, self.v, self._grip, dt / 2
        a1 = self._force(t, x, v, way, grip)
        v2 = v + half * a1
        a2 = self._force(t + half, x + half * v, v2, way, grip)
        v3 = v + half * a2
        a3 = self._force(t + half, x + half * v2, v3, way, grip)
        v4 = v + dt * a3
        a4 = self._force(t + dt, x + dt * v3, v4, way, grip)
        return x + dt * (v + 2 * v2 + 2 * v3 + v4) / 6, v + dt * (a1 + 2 * a2 + 2 * a3 + a4) / 6

    def _bound(self, way: int) -> tuple[float, bool]:
        """What the wheel comes to next on its way: a touch, a release, or (True) where the leather slips off."""
        ahead, behind = self._sides[way], self._sides[-way]
        self._at = -way
        if way * (self.x - behind.touch) < -_NEAR / 2:
            return behind.touch, False
        self._at = 0
        if way * (self.x - ahead.touch) < -_NEAR / 2:
            return ahead.touch, False
        self._at = way
        return ahead.touch + way * ahead.slips, True

    def _step(self, way: int, most: float) -> None:
        bound, slips = self._bound(way)
        longest = _LEATHER_STEP_S if self.bend else _FREE_STEP_S
        dt = min(most, longest)
        if self.v:
            dt = min(dt, abs(bound - self.x) / abs(self.v) * 1.02 + 1e-5)
        x, v = self._rk4(way, dt)
        if v * way < 0:
            dt = self._find(way, dt, lambda _x, v: -v * way)
            x, v = self._rk4(way, dt)[0], 0.0
        reached = (x - bound) * way >= 0
        if reached:
            dt = self._find(way, dt, lambda x, _v: (x - bound) * way)
            v = self._rk4(way, dt)[1]
            x, v = bound, (v if v * way > 0 else 0.0)
        self._arrive(way, dt, x, v, slips and reached)

    def _find(self, way: int, high: float, late: Callable[[float, float], float]) -> float:
        """When in a step something happens: where what is negative before it becomes 0, by false position."""
        low, below, above, side = 0.0, late(self.x, self.v), late(*self._rk4(way, high)), 0
        for _ in range(30):
            middle = (low * above - high * below) / (above - below) if above > below else high
            value = late(*self._rk4(way, middle))
            if abs(value) < _NEAR or high - low < 1e-9:
                return middle
            if value > 0:
                high, above = middle, value
                below, side = (below / 2 if side > 0 else below), 1
            else:
                low, below = middle, value
                above, side = (above / 2 if side < 0 else above), -1
        return high

    def _arrive(self, way: int, dt: float, x: float, v: float, slipped: bool) -> None:
        start = (self.t, self.x, self.v)
        self.t, self.x, self.v = self.t + dt, x, v
        if self.watcher is not None:
            self.watcher.moved(start, (self.t, x, v), self.bend)
        self.trace.append((self.t, v))
        if way != self._way:
            self._way, self._turned = way, start[1]
        self._most = max(self._most, abs(x - self._turned))
        if slipped:
            bent = self._sides[way].stiff > 0
            self.gap += way
            self._enter(way)
            if self.watcher is not None and bent:
                self.watcher.slipped(self.t)
