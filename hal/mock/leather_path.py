"""What the leather does to a simulated wheel on its way: the nodes of a leg before anyone knows its speeds."""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from hal.mock.arrays import Floats
from hal.mock.leather import Leather, Steps
from hal.mock.legs import NO_EDGE, Lean
from hal.mock.pegs import Pegs


@dataclass(frozen=True, slots=True)
class LeatherPath:
    """Places on the way in one direction, counted from its beginning, in sections."""

    along: Floats
    """Nodes: the beginning, where the leather is touched, half bent, let go, and so on."""
    taken: Floats
    """What the leather takes off the squared speed from each node to the next; negative if it gives."""
    curve: Floats
    """By how much what it takes of a section grows with each section, from each node to the next."""
    centre: Floats
    """Where it takes it, on average, as a part of the way from each node to the next."""
    switch: bytes
    """What the switch does at each node."""

    def cut(self, length: float) -> "LeatherPath":
        """The same way, ended after some length that is not beyond its last node."""
        nodes = max(1, int(self.along.searchsorted(length)))
        part = length - float(self.along[nodes - 1])
        taken = self.taken[:nodes].copy()
        taken[-1] = self.rate(nodes - 1) * part + float(self.curve[nodes - 1]) * part * part / 2
        along = np.append(self.along[:nodes], length)
        return LeatherPath(along, taken, self.curve[:nodes], self.centre[:nodes], self.switch[:nodes] + NO_EDGE)

    def rate(self, node: int) -> float:
        """What the leather takes of a section, just after a node."""
        length = float(self.along[node + 1] - self.along[node])
        if length <= 0:
            return 0.0
        return float(self.taken[node]) / length - float(self.curve[node]) * length / 2

    def with_knots(self, knots: Floats) -> "LeatherPath":
        """The same way with more nodes, for motion that a hand leads: there, the leather's forces do not count."""
        along, switch = self.along, self.switch
        for knot in knots:
            place = int(along.searchsorted(knot))
            along = np.insert(along, place, knot)
            switch = switch[:place] + NO_EDGE + switch[place:]
        nothing = np.zeros(len(along) - 1)
        return LeatherPath(along, nothing, nothing, nothing, switch)


_Piece = tuple[Floats, Floats, Floats, Floats, bytes]
"""Part of a path: its nodes, and what it says of the stretches that end there."""
_BEGINNING: _Piece = (np.zeros(1), np.empty(0), np.empty(0), np.empty(0), NO_EDGE)


class LeatherPaths:
    """Paths past these pegs, under this leather.

    Args:
        stiffness: for each peg that is there, what a bend takes off the squared speed, per squared section.
    """

    def __init__(self, pegs: Pegs, leather: Leather, stiffness: Floats) -> None:
        self._pegs = pegs
        self._leather = leather
        self._stiffness = stiffness
        self._centres: dict[Steps, Floats] = {}
        """The centres of steps, of as many pegs as have been passed at once so far."""
        self._of_peg = {pegs.numbers[place]: float(stiff) for place, stiff in enumerate(stiffness)}

    def stiffness(self, peg: int) -> float:
        """What the leather's bend on a peg takes, per squared section."""
        return self._of_peg[peg % self._pegs.sections]

    def path(
        self, x: float, lean: Lean | None, direction: int, reach: float, slow: float = math.inf
    ) -> LeatherPath:
        """The way from ``x``, past at least one touch that is ``reach`` sections away or further.

        Args:
            slow: over so many sections before the end the wheel is slow.
        """
        leather = self._leather
        side = leather.sides[direction]
        free = x if lean is None else leather.free_at(lean, direction)
        first = leather.next_touch(free, direction)
        last = leather.next_touch(max(x * direction + reach, free * direction) * direction, direction)
        places, which = self._pegs.places(np.arange(first, last + direction, direction))
        touches = (places + (side.offset - x)) * direction
        stiffness = self._stiffness[which]
        pieces = [self._leave(x, lean, direction)]
        fast = max(0, len(touches) - int(slow)) if slow < len(touches) else 0
        if fast:
            pieces.append(self._past(touches[:fast], stiffness[:fast], side.fast_steps))
        pieces.append(self._past(touches[fast:], stiffness[fast:], side.steps))
        along, taken, curve, centre, switch = zip(*pieces, strict=True)
        return LeatherPath(
            np.concatenate(along),
            np.concatenate(taken),
            np.concatenate(curve),
            np.concatenate(centre),
            b"".join(switch),
        )

    def _leave(self, x: float, lean: Lean | None, direction: int) -> _Piece:
        """The way on which a leather that is bent already gets free of its peg."""
        if lean is None:
            return _BEGINNING
        bend, stiffness = self._leather.bend(x, lean), self.stiffness(lean.peg)
        if lean.direction == direction:
            side = self._leather.sides[direction]
            steps = side.steps
            first, end = (int(some) for some in steps.places.searchsorted((bend, side.slip), side="right"))
            bends, switch = [bend, *map(float, steps.places[first:end])], NO_EDGE + steps.switch[first:end]
        else:
            bends, switch = self._leather.unbending(bend)
            stiffness *= self._leather.restitution
        along = np.array([abs(some - bend) for some in bends])
        taken = np.array([stiffness * (to * to - some * some) for some, to in pairwise(bends)])
        return along, taken, np.full(len(taken), 2 * stiffness), np.full(len(taken), 0.5), switch

    def _past(self, touches: Floats, stiffness: Floats, steps: Steps) -> _Piece:
        """Past pegs that touch the leather at these places."""
        centres, needed = self._centres.get(steps), len(touches) * len(steps.centre)
        if centres is None or len(centres) < needed:
            centres = self._centres[steps] = np.tile(steps.centre, 2 * len(touches))
        stiffness = stiffness[:, None]
        return (
            (touches[:, None] + steps.places).ravel(),
            (stiffness * steps.squares).ravel(),
            (stiffness * (2 * steps.bending)).ravel(),
            centres[:needed],
            steps.switch * len(touches),
        )
