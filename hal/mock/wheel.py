"""The physics of a wheel with pegs and a leather clapper.

Positions are in sections along the rim (peg ``k`` at about ``k``), growing as the wheel turns counterclockwise.
Motion is a chain of *legs*: stretches in one direction, given as the square of the speed at nodes of position.

What acts on the wheel: its bearing's friction, which is Coulomb's; the leather, a spring that gives back only part
of what it takes; the weight of a wheel that is out of balance; and the air, by the square of the speed. For the
squared speed the first three are energies that depend on places alone, and the air is a factor that depends on the
distance alone, so that everything follows in closed form, all but exact at the nodes.

A wheel too slow for a peg is pushed back by the leather, and rocks, or it stays where friction holds it.
"""

import math

import numpy as np

from hal.errors import HalError
from hal.mock.arrays import Floats
from hal.mock.leather import Leather
from hal.mock.leather_path import LeatherPath, LeatherPaths
from hal.mock.legs import NO_EDGE, Lean, Leg, Motion
from hal.mock.pegs import Pegs
from hal.mock.settings import WheelSettings

_STICTION = 1.01  # A bearing at rest holds a little better than one that turns.
_LEAST_MOVE = 1e-6  # Sections. Less is rest.
_SLOW = 24.0  # Sections before the wheel may stop in which its speed within a bend matters.
_WITHIN = 1 - 1e-9  # A wheel that stops just where the leather slips off has not come so far.
_LAST_PARTS = np.array((0.25, 0.5, 0.75, 1.0))  # Nodes of the stretch on which the wheel stops.


class WheelPhysics:
    """What a throw or a hand makes of a wheel: the legs until it is at rest.

    Raises:
        HalError: nobody said how many sections the wheel has, or no such wheel can be built.
    """

    def __init__(self, settings: WheelSettings, rng: np.random.Generator) -> None:
        if settings.sections is None:
            raise HalError("the simulated wheel has no sections; add `sections: <number>` to its options")
        self.sections = settings.sections
        section_rad = 2 * math.pi / self.sections
        self.w2_per_j = 2 / settings.inertia_kg_m2 / section_rad**2
        self._bearing = settings.friction_nm * section_rad * self.w2_per_j
        self._friction_spread = settings.friction_spread
        self.friction = self._bearing
        """What the bearing takes off the squared speed, per section, in this spin."""
        self.brake = 0.0
        """What a hand on the rim takes besides."""
        self._drag = 2 * settings.drag_nm_s2 / settings.inertia_kg_m2 * section_rad
        self._weight = settings.imbalance_nm * self.w2_per_j
        self._heavy_rad = math.radians(settings.heavy_at_deg)
        self.pegs = Pegs(settings, self.sections, rng)
        self.leather = Leather(settings, self.pegs)
        spread = rng.normal(1, settings.leather_spread, self.pegs.count).clip(0.5, 1.5)
        peg = settings.peg_j * self.w2_per_j
        self._paths = LeatherPaths(self.pegs, self.leather, peg / self.leather.straight**2 * spread)
        self._mean_loss = peg * self.pegs.count / self.sections

    def peg_at(self, peg: int) -> float:
        """Where a peg truly stands."""
        return self.pegs.at(peg)

    def vary(self, rng: np.random.Generator) -> None:
        """A new spin: the bearing is not quite as it was in the last one."""
        if self._friction_spread:
            self.friction = self._bearing * min(1.5, max(0.5, rng.normal(1, self._friction_spread)))

    def lean_after(self, x: float, lean: Lean | None, direction: int, to: float) -> Lean | None:
        """What the leather leans on when the wheel has moved one way from ``x`` to ``to``."""
        return self.leather.lean_after(x, lean, direction, to)

    def section(self, x: float, lean: Lean | None) -> int:
        """The section at the clapper: the one on whose side of the peg the leather is, however far it is bent."""
        if lean is None:  # A peg whose middle is past the pointer has not passed a leather that hangs further on.
            return self.pegs.section(x - self.leather.hangs)
        return (lean.peg - (lean.direction > 0)) % self.sections

    # -- motion --------------------------------------------------------------------------------------------

    def throw(self, x: float, lean: Lean | None, direction: int, w2: float) -> Motion:
        """Let the wheel go with a squared speed and let it run out."""
        leg = self._coast(x, lean, direction, w2)
        if leg is None:
            return self.settle(x, lean)
        return self._then_settle([leg])

    def push(self, x: float, lean: Lean | None, target: float, seconds: float) -> Motion:
        """Turn the wheel by hand to ``target``, smoothly, then let go."""
        length = abs(target - x)
        if not length:
            return [], lean
        peak = (2 * length / seconds) ** 2
        leg = self.lead(x, lean, 1 if target > x else -1, ((0.0, 0.0), (length / 2, peak), (length, 0.0)))
        return self._then_settle([leg])

    def lead(self, x: float, lean: Lean | None, direction: int, knots: tuple[tuple[float, float], ...]) -> Leg:
        """Motion that a hand leads: whatever resists, the squared speed is linear between knots.

        Args:
            knots: distances from ``x``, the first of them 0, and the squared speed at each.
        """
        places, w2 = np.array(knots).T
        path = self._paths.path(x, lean, direction, float(places[-1])).cut(float(places[-1]))
        path = path.with_knots(places[1:-1])
        return Leg.of(direction, x + direction * path.along, np.interp(path.along, places, w2), path.switch, lean)

    def settle(self, x: float, lean: Lean | None) -> Motion:
        """What becomes of a wheel that stands still, held by nobody: it stays, or is pushed away and rocks."""
        legs: list[Leg] = []
        while direction := self._driven(x, lean):
            leg = self._rock_back(x, lean, direction) or self._coast(x, lean, direction, 0.0)
            if leg is None or abs(float(leg.xs[-1]) - x) < _LEAST_MOVE:
                break
            legs.append(leg)
            lean = self.end_lean(leg)
            x = float(leg.xs[-1])
        return legs, lean

    def end_lean(self, leg: Leg) -> Lean | None:
        """What the leather leans on at a leg's end."""
        return self.lean_after(float(leg.xs[0]), leg.lean, leg.direction, float(leg.xs[-1]))

    def _then_settle(self, legs: list[Leg]) -> Motion:
        rocking, lean = self.settle(float(legs[-1].xs[-1]), self.end_lean(legs[-1]))
        return legs + rocking, lean

    def speed_to_reach(self, x: float, lean: Lean | None, target: float) -> float:
        """The squared speed at ``x`` with which the wheel stands still at ``target`` for the first time.

        Where its own weight carries it away from there, it is the speed for the last height before.
        """
        direction = 1 if target > x else -1
        path = self._paths.path(x, lean, direction, abs(target - x)).cut(abs(target - x))
        return max(0.0, float(self._losses(path, x, direction)[0].max()))

    def speed_for(self, sections: float) -> float:
        """The squared speed that carries the wheel over about so many sections."""
        loss = (self.friction + self._mean_loss) * sections
        return loss * (1 + self._drag * sections / 2)

    def held_bend(self, peg: int, direction: int) -> float | None:
        """A bend from which a wheel that stopped there comes to rest with the switch closed, if there is one.

        Raises:
            HalError: that peg is missing.
        """
        if peg % self.sections not in self.pegs.numbers:
            raise HalError(f"peg {peg} of the simulated wheel is missing; nothing can rest on it")
        leather, stiffness = self.leather, self._paths.stiffness(peg)
        x = leather.touch(peg, direction) + direction * leather.threshold
        stays = self.friction - self._pull(x, -direction)
        springs = 2 * leather.restitution * stiffness
        slip = leather.sides[direction].slip
        balance = stays / springs if springs * slip > stays else slip
        # From beyond the balance, it swings as far to the other side of it.
        furthest = min(slip, 2 * balance - leather.opens)
        if balance > leather.threshold:
            furthest = balance
        return (leather.threshold + furthest) / 2 if furthest > leather.threshold else None

    # -- what acts -----------------------------------------------------------------------------------------

    def _height(self, xs: Floats) -> Floats:
        """The energy of the heavy spot's height, as squared speed. The pointer is at the top."""
        height: Floats = self._weight * np.cos(xs * (2 * math.pi / self.sections) - self._heavy_rad)
        return height

    def _pull(self, x: float, direction: int) -> float:
        """What the heavy spot gives, per section, to a wheel that moves in a direction."""
        if not self._weight:
            return 0.0
        section_rad = 2 * math.pi / self.sections
        return direction * self._weight * section_rad * math.sin(x * section_rad - self._heavy_rad)

    def _driven(self, x: float, lean: Lean | None) -> int:
        """In which direction what acts on a wheel at rest overcomes friction: +1, -1, or 0 for none."""
        for direction in (1, -1):
            drive = self._pull(x, direction) - _STICTION * (self.friction + self.brake)
            if lean is not None:
                spring = 2 * self._paths.stiffness(lean.peg) * self.leather.bend(x, lean)
                drive += -spring if lean.direction == direction else self.leather.restitution * spring
            if drive > 0:
                return direction
        return 0

    def _losses(self, path: LeatherPath, x: float, direction: int) -> tuple[Floats, Floats]:
        """The squared speed at the start that is used up at each node, and what a loss costs there.

        Air drag makes a loss cost more at the start, by the factor that it takes on the way.
        """
        along, drag, friction = path.along, self._drag, self.friction + self.brake
        price = np.exp(drag * along)
        losses = (price - 1) * (friction / drag) if drag else friction * along
        taken = path.taken * (price[:-1] + (price[1:] - price[:-1]) * path.centre)
        if self._weight:
            taken += np.diff(self._height(x + direction * along)) * price[:-1]
        losses[1:] += taken.cumsum()
        return losses, price

    def _coast(self, x: float, lean: Lean | None, direction: int, w2: float) -> Leg | None:
        """Run from ``x`` until the speed is used up; None if it is none and nothing drives the wheel that way."""
        reach = self._reach(w2)
        slow = _SLOW + 2 * self._weight / self._mean_loss
        while True:
            path = self._paths.path(x, lean, direction, reach, slow)
            losses, price = self._losses(path, x, direction)
            over = losses > w2
            stop = int(over.argmax())
            if over[stop]:
                break
            reach += slow / 2
        node = stop - 1
        cost = float(price[node])
        last, left = self._last_stretch(path, node, x, direction, (w2 - float(losses[node])) / cost)
        if not last[-1]:
            if not node:
                return None
            last, left = last[:0], left[:0]
        along = np.concatenate((path.along[:stop], path.along[node] + last))
        speeds = np.concatenate(((w2 - losses[:stop]) / price[:stop], left))
        speeds[-1] = 0.0
        switch = path.switch[:stop] + NO_EDGE * len(last)
        return Leg.of(direction, x + direction * along, speeds, switch, lean)

    def _rock_back(self, x: float, lean: Lean | None, direction: int) -> Leg | None:
        """Back from a peg by a hair, as most spins end: as :meth:`_coast`, but in less time. None if it is more."""
        if lean is None or lean.direction == direction or self._weight:
            return None
        leather, friction = self.leather, self.friction + self.brake
        bend, stiffness = leather.bend(x, lean), leather.restitution * self._paths.stiffness(lean.peg)
        free = leather.free_at(lean, direction)
        reach = bend * (stiffness * bend / friction - 1)
        next_peg = self.pegs.number(leather.next_touch(free, direction))
        if not 0 < reach < abs(leather.touch(next_peg, direction) - free):
            return None
        bends, switch = leather.unbending(bend)
        xs = np.array([*(free - direction * some for some in bends), free + direction * reach])
        w2 = [(bend - some) * (stiffness * (bend + some) - friction) for some in bends]
        return Leg.of(direction, xs, np.array([*w2, 0.0]), switch + NO_EDGE, lean)

    def _last_stretch(
        self, path: LeatherPath, node: int, x: float, direction: int, w2: float
    ) -> tuple[Floats, Floats]:
        """The stretch on which the squared speed is used up: nodes from its beginning, and what is left at each."""
        length = float(path.along[node + 1] - path.along[node])
        rate, curve = path.rate(node) + self.friction + self.brake, float(path.curve[node])
        if self._weight:
            ends = x + direction * path.along[node : node + 2]
            rate += float(np.diff(self._height(ends))[0]) / length
        # rate * s + curve / 2 * s² = w2
        root = math.sqrt(max(0.0, rate * rate + 2 * curve * w2))
        stops = 2 * w2 / (rate + root) if rate > 0 else (root - rate) / curve if curve > 0 else length
        places = min(stops, length * _WITHIN) * _LAST_PARTS
        return places, np.maximum(w2 - rate * places - curve / 2 * places * places, 0.0)

    def _reach(self, w2: float) -> float:
        """About how far a squared speed carries the wheel, rather too far."""
        loss = self.friction + self.brake + self._mean_loss
        way = w2 + 2 * self._weight
        return (math.log1p(self._drag * way / loss) / self._drag if self._drag else way / loss) + 2
