"""The physics of a wheel with pegs and a leather clapper.

Positions are in sections along the rim (peg ``k`` at about ``k``), growing as the wheel turns counterclockwise.

What acts on the wheel: its bearing's friction, which is Coulomb's; the leather, a spring that gives back only part
of what it takes; the weight of a wheel that is out of balance; and the air, by the square of the speed. For the
squared speed the first three are energies that depend on places alone, and the air is a factor that depends on the
distance alone, so that everything follows in closed form from peg to peg.

A wheel too slow for a peg is pushed back by the leather, and rocks, or it stays where friction holds it.
"""

import math
from dataclasses import dataclass

import numpy as np

from hal.errors import HalError
from hal.mock.arrays import Floats
from hal.mock.leather import Lean, Leather, Path, Pegs
from hal.mock.motion import Run
from hal.mock.settings import WheelSettings

_STICTION = 1.01  # A bearing at rest holds a little better than one that turns.
_LEAST_MOVE = 1e-6  # Sections. Less is rest.
_WITHIN = 1 - 1e-9  # A wheel that stops just where the leather slips off has not come so far.
_FURTHER = 12.0  # Sections.


@dataclass(frozen=True, slots=True)
class Moving:
    """How the wheel moves at a moment."""

    x: float
    """Where it is, in sections along the rim."""
    lean: Lean | None
    """What the leather leans on."""
    direction: int
    """+1 counterclockwise, -1 clockwise, 0 at rest."""
    speed: float
    """Sections a second, without a sign."""


@dataclass(frozen=True, slots=True, eq=False)
class Leg:
    """Motion in one direction, and the leather on its way."""

    run: Run
    path: Path
    leather: Leather

    @property
    def end(self) -> Moving:
        """How the wheel moves when it is over."""
        lean = self.leather.after(self.path, float(self.run.along[-1]))
        return Moving(self.run.end, lean, self.run.direction, math.sqrt(self.run.w2[-1]))


class WheelPhysics:
    """What a throw or a hand makes of a wheel: the legs until it is at rest.

    Raises:
        HalError: nobody said how many sections the wheel has, or no such wheel can be built.
    """

    def __init__(self, settings: WheelSettings, rng: np.random.Generator) -> None:
        if settings.sections is None:
            raise HalError("the simulated wheel has no sections; add `sections: <number>` to its options")
        self.sections = settings.sections
        self._section_rad = 2 * math.pi / self.sections
        self.w2_per_j = 2 / settings.inertia_kg_m2 / self._section_rad**2
        self._bearing = self.w2_of_torque(settings.friction_nm)
        self._friction_spread = settings.friction_spread
        self.friction = self._bearing
        """What the bearing takes off the squared speed, per section, in this spin."""
        self.brake = 0.0
        """What a hand on the rim takes besides."""
        self._drag = 2 * settings.drag_nm_s2 / settings.inertia_kg_m2 * self._section_rad
        self._weight = settings.imbalance_nm * self.w2_per_j
        self._heavy_rad = math.radians(settings.heavy_at_deg)
        self.pegs = Pegs(settings, self.sections, rng)
        spread = rng.normal(1, settings.leather_spread, self.pegs.count).clip(0.5, 1.5)
        peg = settings.peg_j * self.w2_per_j
        self.leather = Leather(settings, self.pegs, peg * spread)
        self._mean_loss = peg * self.pegs.count / self.sections

    def w2_of_torque(self, torque_nm: float) -> float:
        """What a torque takes off the squared speed, per section."""
        return torque_nm * self._section_rad * self.w2_per_j

    def vary(self, rng: np.random.Generator) -> None:
        """A new spin: the bearing is not quite as it was in the last one."""
        if self._friction_spread:
            self.friction = self._bearing * min(1.5, max(0.5, rng.normal(1, self._friction_spread)))

    def section(self, x: float, lean: Lean | None) -> int:
        """The section at the clapper: the one on whose side of the peg the leather is, however far it is bent."""
        if lean is None:  # A peg whose middle is past the pointer has not passed a leather that hangs further on.
            return self.pegs.section(x - self.leather.hangs)
        return (lean.peg - (lean.direction > 0)) % self.sections

    # -- motion --------------------------------------------------------------------------------------------

    def free(self, now: Moving) -> list[Leg]:
        """What becomes of a wheel that nobody holds: it runs out, stays, or rocks back."""
        legs: list[Leg] = []
        direction = now.direction if now.speed else self._driven(now)
        while direction:
            leg = self._coast(now, direction)
            if leg is None or (not now.speed and leg.run.along[-1] < _LEAST_MOVE):
                break
            legs.append(leg)
            now = leg.end
            direction = self._driven(now)
        return legs

    def lead(self, now: Moving, speed: float, seconds: float) -> Leg:
        """Motion that a hand leads: whatever resists, the speed changes evenly to this one."""
        length = (now.speed + speed) / 2 * seconds
        path = self.leather.path(now.x, now.lean, now.direction, length).cut(length)
        w2 = np.interp(path.along, (0.0, length), (now.speed**2, speed**2))
        return Leg(Run.of(now.x, now.direction, path.along, w2), path, self.leather)

    def push(self, now: Moving, sections: float, seconds: float) -> list[Leg]:
        """Turn the wheel by hand so far, smoothly, then let go."""
        if not sections:
            return self.free(now)
        direction = 1 if sections > 0 else -1
        first = self.lead(Moving(now.x, now.lean, direction, 0.0), 2 * abs(sections) / seconds, seconds / 2)
        second = self.lead(first.end, 0.0, seconds / 2)
        return [first, second, *self.free(second.end)]

    def speed_to_reach(self, x: float, lean: Lean | None, target: float) -> float:
        """The squared speed at ``x`` with which the wheel stands still at ``target`` for the first time.

        Where its own weight carries it away from there, it is the speed for the last height before.
        """
        length = abs(target - x)
        path = self.leather.path(x, lean, 1 if target > x else -1, length).cut(length)
        return max(0.0, float(self._losses(path, x)[1].max()))

    def speed_for(self, sections: float) -> float:
        """The squared speed that carries the wheel over about so many sections."""
        loss = (self.friction + self._mean_loss) * sections
        return loss * (1 + self._drag * sections / 2)

    def held_bend(self, peg: int, direction: int) -> float | None:
        """A bend from which a wheel that stopped there comes to rest with the switch open, if there is one.

        Raises:
            HalError: that peg is missing.
        """
        if peg % self.sections not in self.pegs.numbers:
            raise HalError(f"peg {peg} of the simulated wheel is missing; nothing can rest on it")
        leather, slip = self.leather, self.leather.sides[direction].slip
        x = leather.touch(peg, direction) + direction * leather.threshold
        stays = self.friction - self._pull(x, -direction)
        springs = 2 * leather.restitution * leather.stiffness(peg)
        balance = stays / springs if springs * slip > stays else slip
        # From beyond the balance, it swings as far to the other side of it.
        furthest = balance if balance > leather.threshold else min(slip, 2 * balance - leather.releases)
        return (leather.threshold + furthest) / 2 if furthest > leather.threshold else None

    # -- what acts -----------------------------------------------------------------------------------------

    def _pull(self, x: float, direction: int) -> float:
        """What the heavy spot gives, per section, to a wheel that moves in a direction."""
        at_rad = x * self._section_rad - self._heavy_rad  # The pointer is at the top.
        return direction * self._weight * self._section_rad * math.sin(at_rad) if self._weight else 0.0

    def _driven(self, now: Moving) -> int:
        """In which direction what acts on a wheel at rest overcomes friction: +1, -1, or 0 for none."""
        x, lean = now.x, now.lean
        for direction in (1, -1):
            drive = self._pull(x, direction) - _STICTION * (self.friction + self.brake)
            if lean is not None:
                spring = 2 * self.leather.stiffness(lean.peg) * self.leather.bend(x, lean)
                drive += -spring if lean.direction == direction else self.leather.restitution * spring
            if drive > 0:
                return direction
        return 0

    def _losses(self, path: Path, x: float) -> tuple[Floats, Floats, Floats]:
        """What is taken off the squared speed: of a section after each node, in all at the start, and its price.

        Air drag makes a loss cost more at the start, by the factor that it takes on the way: the price.
        """
        along, length = path.along, np.diff(path.along)
        rate = path.rate + (self.friction + self.brake)
        if self._weight:
            height = self._weight * np.cos((x + path.direction * along) * self._section_rad - self._heavy_rad)
            rate += np.diff(height) / np.maximum(length, _LEAST_MOVE)
        price = np.exp(self._drag * along)
        losses = np.zeros(len(along))
        ((rate + path.spring * length) * length * (price[1:] + price[:-1]) / 2).cumsum(out=losses[1:])
        return rate, losses, price

    def _coast(self, now: Moving, direction: int) -> Leg | None:
        """Run until the speed is used up; None if it is none and nothing drives the wheel that way."""
        x, w2 = now.x, now.speed**2
        reach = self._reach(w2)
        while True:
            path = self.leather.path(x, now.lean, direction, reach)
            rate, losses, price = self._losses(path, x)
            over = losses > w2
            stop = int(over.argmax())
            if over[stop]:
                break
            reach += _FURTHER
        node = stop - 1
        speeds = (w2 - losses[:stop]) / price[:stop]
        left = float(speeds[node])
        length, spring = float(path.along[stop] - path.along[node]), float(path.spring[node])
        # rate * s + spring * s² = left
        slows = float(rate[node]) + self._drag * left
        root = math.sqrt(slows * slows + 4 * spring * left)
        if slows > 0:
            last = 2 * left / (slows + root)
        else:
            last = (root - slows) / (2 * spring) if spring else length
        if not last and not node:
            return None
        path = path.cut(float(path.along[node]) + min(last, length * _WITHIN))
        nodes = len(path.along) - 1
        run = Run.of(x, direction, path.along, np.append(speeds[:nodes], 0.0), path.spring)
        return Leg(run, path, self.leather)

    def _reach(self, w2: float) -> float:
        """About how far a squared speed carries the wheel, rather too far."""
        loss = self.friction + self.brake + self._mean_loss
        way = w2 + 2 * self._weight
        return (math.log1p(self._drag * way / loss) / self._drag if self._drag else way / loss) + 2
