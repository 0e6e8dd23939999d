"""The physics of a wheel with pegs and a leather clapper.

Positions are in sections along the rim (peg ``k`` at about ``k``), growing as the wheel turns counterclockwise.

What acts on the wheel: its bearing's friction, which is Coulomb's; the leather, a spring that gives back only part
of what it takes; the weight of a wheel that is out of balance; and the air, by the square of the speed. For the
squared speed the first three are energies that depend on places alone, and the air is a factor that depends on the
distance alone, so that everything follows in closed form from node to node: some for each peg.

A peg touches the leather half a peg and half a leather early, and bends it. The switch behind it opens at one bend
and closes at a smaller one. At ``slip`` the leather slips off the peg; it cannot while the peg is still beneath it.
A wheel too slow for that is pushed back by what the leather gives back, and rocks, or friction holds it there.

A leather that has taken a set hangs to one side: it is touched later one way and earlier the other, and has as
much less or more to bend until it slips off, for its tip draws back by its slant, not by its bend.
"""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from hal.errors import HalError
from hal.mock.motion import Bytes, Floats, Run
from hal.mock.settings import WheelSettings

STRIKES, RELEASES = b"Cc"
_STICTION = 1.01  # A bearing at rest holds a little better than one that turns.
_LEAST_MOVE = 1e-6  # Sections. Less is rest.
_WITHIN = 1 - 1e-9  # A wheel that stops just where the leather slips off has not come so far.
_HAIR = 1e-9  # Sections: a leather that was let go just now touches its peg again.
_FURTHER = 12.0  # Sections.
_NODES = 4  # While the leather is bent, and while it gives back.
_EVEN, _HALF_SWING = np.linspace(0, 1, _NODES), np.cos(np.linspace(0, math.pi, 2 * _NODES))


class Lean(NamedTuple):
    """The leather leans on a peg that came to it in this direction (+1 counterclockwise, -1 clockwise)."""

    peg: int
    direction: int


class Moving(NamedTuple):
    """How the wheel moves at a moment: where, what its leather leans on, and sections a second, signed."""

    x: float
    lean: Lean | None
    velocity: float = 0.0


class Side(NamedTuple):
    """How pegs pass that come in one direction."""

    offset: float
    """From a peg's middle to where the wheel stands when it touches the leather."""
    slip: float
    """How far from there it slips off."""
    bends: Floats
    """From there on: touched, struck, bent further, and slipped off."""
    acts: Bytes


class _Way(NamedTuple):
    """Nodes from a place on: how far each is, the squared speed that takes the wheel there, from there on the
    leather's stiffness, and what the switch does.

    Air drag makes a loss cost more at the start, by the factor that it takes on the way: the price.
    """

    along: Floats
    costs: Floats
    prices: Floats
    springs: Floats
    acts: Bytes


class Physics:
    """What a throw or a hand makes of a wheel: its motions until it is at rest.

    Losses are of the squared speed, in (sections/s)².

    Raises:
        HalError: nobody said how many sections the wheel has, or no such wheel can be built.
    """

    def __init__(self, settings: WheelSettings, rng: np.random.Generator) -> None:
        if settings.sections is None:
            raise HalError("the simulated wheel has no sections; add `sections: <number>` to its options")
        self.sections = turn = settings.sections
        per_deg, self._section_rad = turn / 360, 2 * math.pi / turn
        self.w2_per_j = 2 / settings.inertia_kg_m2 / self._section_rad**2
        self.w2_per_nm = self._section_rad * self.w2_per_j
        """What a torque takes off per section."""
        self._bearing = self.friction = settings.friction_nm * self.w2_per_nm
        """What the bearing takes off per section; in this spin."""
        self._friction_spread = settings.friction_spread
        self.brake = 0.0
        """What a hand on the rim takes besides."""
        self._drag = 2 * settings.drag_nm_s2 / settings.inertia_kg_m2 * self._section_rad
        self._weight = settings.imbalance_nm * self.w2_per_j
        self._heavy_rad = math.radians(settings.heavy_at_deg)
        error = settings.peg_error_deg * per_deg
        self.places = np.arange(turn) + rng.uniform(-error, error, turn)
        """Of each peg, within one turn; of a missing one, where it stood."""
        for peg, bent_deg in settings.bent_pegs.items():
            self.places[peg % turn] += bent_deg * per_deg
        self.numbers = np.setdiff1d(np.arange(turn), [peg % turn for peg in settings.missing_pegs])
        if len(self.numbers) < 2 or (np.diff(self.places, append=self.places[0] + turn) <= 0).any():
            raise HalError("the simulated wheel's pegs are bent past each other, or gone; see its options")
        self.there = self.places[self.numbers]
        self.threshold = settings.threshold_deg * per_deg
        self.releases = max(0.0, settings.threshold_deg - settings.hysteresis_deg) * per_deg
        self._restitution = settings.restitution
        self._hangs = settings.set_deg * per_deg
        """How far to the side the leather hangs."""
        work, straight = settings.peg_j * self.w2_per_j, max(settings.slip_deg, 2 * settings.half_deg) * per_deg
        spread = rng.normal(1, settings.leather_spread, len(self.numbers)).clip(0.5, 1.5)
        self._stiffness = np.zeros(turn)
        """By peg: what a bend takes off, per squared section."""
        self._stiffness[self.numbers] = work * spread / straight**2
        self._mean_loss = work * len(self.numbers) / turn
        self.sides = {way: self._side(settings, way) for way in (1, -1)}

    def _side(self, settings: WheelSettings, direction: int) -> Side:
        per_deg, half_deg, set_deg = self.sections / 360, settings.half_deg, direction * settings.set_deg
        slip = max(settings.slip_deg - set_deg, 2 * half_deg) * per_deg
        if self.threshold >= slip:
            raise HalError(
                f"the simulated leather slips off after {slip / per_deg:.2f} degrees, before its switch"
                " opens at threshold_deg; choose a smaller threshold_deg"
            )
        if np.diff(self.there, append=self.there[0] + self.sections).min() <= slip:
            raise HalError(
                "two pegs of the simulated wheel would bend the leather at once; see slip_deg, bent_pegs"
            )
        bends = np.unique((*np.linspace(0, slip, _NODES), self.threshold))
        acts = np.where(bends == self.threshold, STRIKES, np.where(bends == slip, RELEASES, 0)).astype(np.uint8)
        return Side(direction * (set_deg - half_deg) * per_deg, slip, bends, acts)

    def vary(self, rng: np.random.Generator) -> None:
        """A new spin: the bearing is not quite as it was in the last one."""
        if self._friction_spread:
            self.friction = self._bearing * min(1.5, max(0.5, rng.normal(1, self._friction_spread)))

    # -- places --------------------------------------------------------------------------------------------

    def peg_at(self, peg: int) -> float:
        """Where a peg stands; of a missing one, where it stood."""
        return float(self.places[peg % self.sections]) + peg // self.sections * self.sections

    def touch(self, lean: Lean) -> float:
        return self.peg_at(lean.peg) + self.sides[lean.direction].offset

    def bend(self, x: float, lean: Lean) -> float:
        """How far the leather is bent, in sections; negative before it is touched."""
        return (x - self.touch(lean)) * lean.direction

    def section(self, x: float, lean: Lean | None) -> int:
        """The section at the clapper: the one on whose side of the peg the leather is, however far it is bent."""
        if lean is not None:
            return (lean.peg - (lean.direction > 0)) % self.sections
        # A peg whose middle is past the pointer has not passed a leather that hangs further on.
        return self._last(self.places, x - self._hangs, 1) % self.sections

    def _last(self, places: Floats, x: float, direction: int) -> int:
        """Of places in a turn, counted on from turn to turn: the last one that was passed on the way to ``x``."""
        turns, rest = divmod(x, self.sections)
        around = np.concatenate((places - self.sections, places, places + self.sections))
        at = around.searchsorted(rest, "right") - 1 if direction > 0 else around.searchsorted(rest, "left")
        return int(at) + (int(turns) - 1) * len(places)

    def leans(self, begin: float, before: Lean | None, direction: int, x: float) -> Lean | None:
        """What the leather leans on after a way in one direction, where it leaned on this before, or hung free."""
        turns, place = divmod(self._last(self.there, x - self.sides[direction].offset, direction), len(self.there))
        touched = Lean(int(self.numbers[place]) + turns * self.sections, direction)
        if before is not None and before.direction != direction:  # It touches nothing before it is free of that.
            begin = self.touch(before)
        for lean in (before, touched if self.bend(begin, touched) <= _HAIR else None):
            if lean is not None and 0 <= self.bend(x, lean) < self.sides[lean.direction].slip:
                return lean
        return None

    # -- motion --------------------------------------------------------------------------------------------

    def after(self, now: Moving, run: Run) -> Moving:
        velocity = run.direction * run.speed_at(run.duration_s)
        return Moving(run.end, self.leans(now.x, now.lean, run.direction, run.end), velocity)

    def free(self, now: Moving) -> list[Run]:
        """What becomes of a wheel that nobody holds: it runs out, stays, or rocks back."""
        runs: list[Run] = []
        while direction := int(np.sign(now.velocity)) or self._driven(now):
            run = self._coast(now, direction)
            if run is None or (not now.velocity and run.along[-1] < _LEAST_MOVE):
                break
            runs.append(run)
            now = self.after(now, run)
        return runs

    def pushed(self, now: Moving, *steps: tuple[float, float]) -> list[Run]:
        """What a hand makes of a wheel, and what becomes of it when the hand has let go.

        Args:
            steps: to which velocity the hand brings it, evenly, whatever resists; and within how many seconds.
        """
        runs = []
        for after, seconds in steps:
            before = now.velocity
            speeds = (before, 0.0, after) if before * after < 0 else (before, after)
            for first, last in pairwise(speeds):
                if part_s := seconds * abs(last - first) / (abs(after - before) or 1):
                    runs.append(self._led(now, first, last, part_s))
                    now = self.after(now, runs[-1])
            now = now._replace(velocity=after)
        return [*runs, *self.free(now)]

    def speed_to_reach(self, x: float, lean: Lean | None, target: float) -> float:
        """The squared speed at ``x`` with which the wheel stands still at ``target`` for the first time.

        Where its own weight carries it away from there, it is the speed for the last height before.
        """
        length = abs(target - x)
        way = self._way(x, lean, 1 if target > x else -1, length)
        return float(np.append(way.costs[way.along < length], np.interp(length, way.along, way.costs)).max())

    def speed_for(self, sections: float) -> float:
        """The squared speed that carries the wheel over about so many sections."""
        return (self.friction + self._mean_loss) * sections * (1 + self._drag * sections / 2)

    def _driven(self, now: Moving) -> int:
        """In which direction what acts on a wheel at rest overcomes friction: +1, -1, or 0 for none."""
        for direction in (1, -1):
            drive = self._pull(now.x, direction)
            if now.lean is not None:
                spring = 2 * self._stiffness[now.lean.peg % self.sections] * self.bend(now.x, now.lean)
                drive += -spring if now.lean.direction == direction else self._restitution * spring
            if drive > _STICTION * (self.friction + self.brake):
                return direction
        return 0

    def _pull(self, x: float, direction: int) -> float:
        """What its weight gives, per section, to a wheel that moves in a direction."""
        at_rad = x * self._section_rad - self._heavy_rad  # The pointer is at the top.
        return direction * self._weight * self._section_rad * math.sin(at_rad)

    def _led(self, now: Moving, first: float, last: float, seconds: float) -> Run:
        direction, length = (1 if first + last > 0 else -1), abs(first + last) / 2 * seconds
        way = self._way(now.x, now.lean, direction, length)
        nodes = max(1, int(way.along.searchsorted(length)))
        along = np.append(way.along[:nodes], length)
        w2 = np.interp(along, (0.0, length), (first**2, last**2))
        return Run(now.x, direction, along, w2, np.append(way.acts[:nodes], np.uint8(0)))

    def _coast(self, now: Moving, direction: int) -> Run | None:
        """Run until the speed is used up; None if it is none and nothing drives the wheel that way."""
        w2 = now.velocity**2
        reach = 2 + (w2 + 2 * self._weight) / (self.friction + self.brake + self._mean_loss)
        while (way := self._way(now.x, now.lean, direction, reach)).costs.max() <= w2:
            reach += _FURTHER
        stop = int((way.costs > w2).argmax())
        begin, left, price = way.along[stop - 1], w2 - way.costs[stop - 1], way.prices[stop - 1]
        length, spring = way.along[stop] - begin, way.springs[stop - 1] * price
        # slows * way + spring * way² = left
        slows = (way.costs[stop] - way.costs[stop - 1]) / length - spring * length
        root = math.sqrt(slows * slows + 4 * spring * left)
        further = 2 * left / (slows + root) if slows > 0 else (root - slows) / (2 * spring)
        last = begin + min(_WITHIN * length, further)
        if not last:
            return None
        speeds = (w2 - way.costs[:stop]) / way.prices[:stop]
        acts = np.append(way.acts[:stop], np.uint8(0))
        return Run(now.x, direction, np.append(way.along[:stop], last), np.append(speeds, 0.0), acts)

    def _way(self, x: float, lean: Lean | None, direction: int, reach: float) -> _Way:
        """The way from ``x``, past at least one touch that is ``reach`` sections away or further."""
        side, turn = self.sides[direction], self.sections
        along, taken, springs, acts = self._leave(x, lean, direction)
        free = along[-1]
        turns = np.arange(-2, (reach + free) // turn + 3)[:, None] * turn
        pegs = slice(None, None, direction)
        touches = ((self.there + side.offset - x % turn) * direction)[pegs] + turns
        first, last = touches.ravel().searchsorted((free - _HAIR, max(reach, free)))
        passed = slice(first, last + 1)
        stiffness = np.tile(self._stiffness[self.numbers][pegs], len(turns))[passed, None]
        bent = stiffness * side.slip**2
        along = np.concatenate((along, (touches.ravel()[passed, None].clip(min=free) + side.bends).ravel()))
        taken = np.concatenate(
            (taken, (taken[-1] + bent.cumsum()[:, None] - bent + stiffness * side.bends**2).ravel())
        )
        taken = taken + (self.friction + self.brake) * along
        if self._weight:
            taken = taken + self._weight * np.cos((x + direction * along) * self._section_rad - self._heavy_rad)
        prices, costs = np.exp(self._drag * along), np.zeros(len(along))
        (np.diff(taken) * (prices[1:] + prices[:-1]) / 2).cumsum(out=costs[1:])
        springs = np.append(springs, stiffness * (side.acts != RELEASES))
        return _Way(along, costs, prices, springs, np.concatenate((acts, np.tile(side.acts, len(stiffness)))))

    def _leave(self, x: float, lean: Lean | None, direction: int) -> tuple[Floats, Floats, Floats, Bytes]:
        """The nodes until a leather that is bent already is free of its peg: along, taken, springs, acts."""
        if lean is None:
            return np.zeros(1), np.zeros(1), np.zeros(1), np.zeros(1, np.uint8)
        bend, side, stiffness = (
            self.bend(x, lean),
            self.sides[lean.direction],
            self._stiffness[lean.peg % self.sections],
        )
        if lean.direction == direction:
            later = side.bends > bend
            bends, acts = np.append(bend, side.bends[later]), np.append(np.uint8(0), side.acts[later])
        else:
            stiffness = self._restitution * stiffness
            # From rest it swings about the bend that friction balances: no node may be far from where it turns.
            resists = self.friction + self.brake - self._pull(x, direction)
            far = min(bend, max(0.0, resists / stiffness - bend)) if stiffness else bend
            swing = (bend + far + (bend - far) * _HALF_SWING) / 2
            bends = np.array(
                sorted({*swing.tolist(), *(bend * _EVEN).tolist(), min(bend, self.releases)}, reverse=True)
            )
            acts = np.where(bends <= self.releases, RELEASES, 0).astype(np.uint8)
        springs = np.append(np.full(len(bends) - 1, stiffness), 0.0)
        return abs(bends - bend), stiffness * (bends**2 - bend**2), springs, acts
