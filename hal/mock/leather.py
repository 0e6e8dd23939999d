"""The pegs of a simulated wheel and the leather before them: where it is touched, bent, and slips off.

A leather of some thickness hangs down before the wheel. A peg that comes touches it half a peg and half a leather
early, and bends it as a spring: the torque grows with the bend. The switch behind it opens at one bend and closes
at a smaller one. At ``slip`` the tip has drawn back so far that it slips off the peg and snaps straight; it cannot
do so while the peg is still beneath it. A wheel that turns back before that is pushed by what the leather gives
back.

A leather that has taken a set hangs to one side: it is touched later one way and earlier the other, and has as
much less or more to bend until it slips off, for its tip draws back by its slant, not by its bend.

Positions are in sections along the rim, growing as the wheel turns counterclockwise.
"""

import math
from bisect import bisect_left
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from hal.errors import HalError
from hal.mock.arrays import Floats
from hal.mock.settings import WheelSettings

NO_EDGE, STRIKES, RELEASES = b"\0Cc"
_HAIR = 1e-9  # Sections: a leather that was let go just now touches its peg again.
_NODES = 3  # Of a peg: touched, struck, slipped off.


@dataclass(frozen=True, slots=True)
class Lean:
    """The leather leans on a peg that came to it in this direction (+1 counterclockwise, -1 clockwise)."""

    peg: int
    direction: int


@dataclass(frozen=True, slots=True)
class Side:
    """One direction in which pegs come. Both in sections along the rim."""

    offset: float
    """From a peg's middle to where the wheel stands when it touches the leather."""
    slip: float
    """From there until the leather slips off."""


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """The way in one direction past pegs and leather, before anyone knows its speeds."""

    lean: Lean | None
    """What the leather leans on at the beginning."""
    direction: int
    along: Floats
    """Nodes, from the beginning on: where the leather is touched, where its switch acts, where it gets free."""
    rate: Floats
    """What the leather takes off the squared speed of a section, just after each node; negative if it gives."""
    spring: Floats
    """What it takes more per squared section, from each node to the next."""
    switch: bytes
    """What the switch does at each node."""
    first: int
    """The ordinal of the first peg that is touched."""
    leaves: int
    """How many nodes there are until the leather is free of ``lean``."""

    def cut(self, length: float) -> "Path":
        """The same way, ended after some length that is not beyond its last node."""
        nodes = max(1, int(self.along.searchsorted(length)))
        along = np.append(self.along[:nodes], length)
        switch = self.switch[:nodes] + bytes([NO_EDGE])
        return replace(self, along=along, rate=self.rate[:nodes], spring=self.spring[:nodes], switch=switch)


class Pegs:
    """Where the pegs stand: peg ``k`` at about ``k``, for any whole number ``k``. Out of place, bent, or gone.

    Pegs that are there are counted by *ordinals*: ordinal 0 is the first one of the turn that begins at 0.

    Raises:
        HalError: pegs are bent past each other, or fewer than two are there.
    """

    def __init__(self, settings: WheelSettings, sections: int, rng: np.random.Generator) -> None:
        self.sections = sections
        error = settings.peg_error_deg / 360 * sections
        places = np.arange(sections) + rng.uniform(-error, error, sections)
        for peg, bent_deg in settings.bent_pegs.items():
            places[peg % sections] += bent_deg / 360 * sections
        gone = {peg % sections for peg in settings.missing_pegs}
        self.numbers = [peg for peg in range(sections) if peg not in gone]
        """Of those that are there."""
        if len(self.numbers) < 2 or (np.diff(places, append=places[0] + sections) <= 0).any():
            raise HalError("the simulated wheel's pegs are bent past each other, or gone; see its options")
        self._places: list[float] = places.tolist()
        self.there = places[self.numbers]
        """The places of those that are there, within one turn."""
        self._there: list[float] = self.there.tolist()
        self.count = len(self.numbers)
        self.least_gap = float(np.diff(self.there, append=self.there[0] + sections).min())
        """The least distance between two neighbours that are there."""

    def at(self, peg: int) -> float:
        """Where a peg stands; of a missing one, where it stood."""
        turns, peg = divmod(peg, self.sections)
        return self._places[peg] + turns * self.sections

    def section(self, x: float) -> int:
        """The section at a place, bounded by the pegs as they stand."""
        peg = math.floor(x)
        while self.at(peg) > x:
            peg -= 1
        while self.at(peg + 1) <= x:
            peg += 1
        return peg % self.sections

    def number(self, ordinal: int) -> int:
        """A peg's number by its ordinal."""
        turns, place = divmod(ordinal, self.count)
        return self.numbers[place] + turns * self.sections

    def place(self, ordinal: int) -> float:
        """Where the peg of an ordinal stands."""
        turns, place = divmod(ordinal, self.count)
        return self._there[place] + turns * self.sections

    def ordinal_from(self, x: float) -> int:
        """The first peg that stands at ``x`` or beyond, counterclockwise."""
        turns = math.floor(x / self.sections)
        ordinal = turns * self.count + bisect_left(self._there, x - turns * self.sections)
        # Next to the end of a turn, or within the rounding of a place.
        while self.place(ordinal) < x:
            ordinal += 1
        while self.place(ordinal - 1) >= x:
            ordinal -= 1
        return ordinal


class Leather:
    """One leather, before one wheel's pegs.

    Args:
        stiffness: for each peg that is there, what a bend takes off the squared speed, per squared section.

    Raises:
        HalError: the switch would never open, or two pegs would bend the leather at once.
    """

    def __init__(self, settings: WheelSettings, pegs: Pegs, work: Floats) -> None:
        per_deg = pegs.sections / 360
        self._pegs = pegs
        self.threshold = settings.threshold_deg * per_deg
        self.releases = max(0.0, settings.threshold_deg - settings.hysteresis_deg) * per_deg
        self.restitution = settings.restitution
        self.hangs = settings.set_deg * per_deg
        """How far to the side it hangs."""
        straight = max(settings.slips_off_deg, 2 * settings.half_deg) * per_deg
        self._stiffness = work / straight**2
        self._of_peg: dict[int, float] = dict(zip(pegs.numbers, self._stiffness.tolist(), strict=True))
        self.sides = {way: self._side(settings, way) for way in (1, -1)}
        slips = [side.slip for side in self.sides.values()]
        if self.threshold >= min(slips):
            raise HalError(
                f"the simulated leather slips off after {min(slips) / per_deg:.2f} degrees, before its switch"
                " opens at threshold_deg; choose a smaller threshold_deg"
            )
        if pegs.least_gap <= max(slips):
            raise HalError(
                "two pegs of the simulated wheel would bend the leather at once; see slip_deg, bent_pegs"
            )

    def _side(self, settings: WheelSettings, direction: int) -> Side:
        per_deg = self._pegs.sections / 360
        half_deg, set_deg = settings.half_deg, direction * settings.set_deg
        slip = max(settings.slips_off_deg - set_deg, 2 * half_deg) * per_deg
        return Side(direction * (set_deg - half_deg) * per_deg, slip)

    def stiffness(self, peg: int) -> float:
        """What the leather's bend on a peg takes off the squared speed, per squared section."""
        return self._of_peg[peg % self._pegs.sections]

    def touch(self, peg: int, direction: int) -> float:
        """Where a peg that comes in this direction touches the leather."""
        return self._pegs.at(peg) + self.sides[direction].offset

    def bend(self, x: float, lean: Lean) -> float:
        """How far the leather is bent."""
        return max(0.0, (x - self.touch(lean.peg, lean.direction)) * lean.direction)

    def path(self, x: float, lean: Lean | None, direction: int, reach: float) -> Path:
        """The way from ``x``, past at least one touch that is ``reach`` sections away or further."""
        side, pegs = self.sides[direction], self._pegs
        along, rate, spring, switch = self._leave(x, lean, direction)
        free = x + direction * along[-1]
        first = self._next_touch(free, direction)
        last = self._next_touch(x + direction * max(reach, along[-1]), direction)
        turns, which = np.divmod(np.arange(first, last + direction, direction), pegs.count)
        touches = (pegs.there[which] + turns * pegs.sections + (side.offset - x)) * direction
        touches = touches.clip(min=along[-1])
        stiffness = self._stiffness[which][:, None]
        return Path(
            lean,
            direction,
            np.concatenate((along, (touches[:, None] + (0.0, self.threshold, side.slip)).ravel())),
            np.concatenate((rate, (stiffness * (0.0, 0.0, 2 * self.threshold)).ravel())),
            np.concatenate((spring, (stiffness * (0.0, 1.0, 1.0)).ravel())),
            bytes(switch) + bytes((NO_EDGE, STRIKES, RELEASES)) * len(touches),
            first,
            len(along),
        )

    def _leave(
        self, x: float, lean: Lean | None, direction: int
    ) -> tuple[list[float], list[float], list[float], list[int]]:
        """The way on which a leather that is bent already gets free of its peg: as in a path, up to that node."""
        if lean is None:
            return [0.0], [], [], [NO_EDGE]
        bend, stiffness = self.bend(x, lean), self.stiffness(lean.peg)
        if lean.direction == direction:
            steps = [(self.threshold, STRIKES)] if bend < self.threshold else []
            steps.append((max(bend, self.sides[direction].slip), RELEASES))
        else:
            stiffness *= self.restitution
            steps = [(self.releases, RELEASES)] if bend > self.releases > 0 else []
            steps.append((0.0, NO_EDGE if steps else RELEASES))
        bends = [bend, *(to for to, _ in steps)]
        rate = [2 * stiffness * (some if to >= some else -some) for some, to in pairwise(bends)]
        switch = [NO_EDGE, *(letter for _, letter in steps)]
        return [abs(some - bend) for some in bends], rate, [stiffness] * len(steps), switch

    def _next_touch(self, x: float, direction: int) -> int:
        """The ordinal of the first peg that touches the leather at ``x`` or beyond, coming in this direction."""
        place = x - self.sides[direction].offset - direction * _HAIR
        ordinal = self._pegs.ordinal_from(place)
        return ordinal if direction > 0 or self._pegs.place(ordinal) <= place else ordinal - 1

    def after(self, path: Path, way: float) -> Lean | None:
        """What the leather leans on so far along a path that was cut."""
        passed = int(path.along[:-1].searchsorted(way, side="right")) - path.leaves
        if passed < 0:
            return path.lean
        pegs, phase = divmod(passed - 1, _NODES)
        if not passed or phase == _NODES - 1:
            return None
        return Lean(self._pegs.number(path.first + path.direction * pegs), path.direction)
