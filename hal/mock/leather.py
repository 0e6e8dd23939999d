"""The leather of a simulated clapper: where a peg touches it, bends it, closes the switch, and lets it slip off.

A leather of some thickness hangs down before the wheel. A peg that comes touches it half a peg and half a leather
early, and bends it as a spring: the torque grows with the bend. The switch behind it closes at one bend and opens
at a smaller one. At ``slip`` the tip has drawn back so far that it slips off the peg and snaps straight; it cannot
do so while the peg is still beneath it. A wheel that turns back before that is pushed by what the leather gives
back.

A leather that has taken a set hangs to one side: it is touched later one way and earlier the other, and has as
much less or more to bend until it slips off, for its tip draws back by its slant, not by its bend.
"""

from dataclasses import dataclass

import numpy as np

from hal.errors import HalError
from hal.mock.arrays import Floats
from hal.mock.legs import CLOSES, NO_EDGE, OPENS, Lean, LeatherRelease
from hal.mock.pegs import Pegs
from hal.mock.settings import WheelSettings

_PARTS = 3  # Into so many stretches of constant torque a bend is cut after the switch has closed,
_FAST_PARTS = 2  # into so many where the wheel is too fast to feel it,
_BACK_PARTS = 8  # and into so many the way back, wherever it begins: short ones first, where the wheel is slow.
_HAIR = 1e-9  # Sections: a leather that was let go just now touches its peg again.


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """What follows a touch, in steps. The first of them ends there: it is the free way before it."""

    places: Floats
    """Where each ends, in sections after the touch; up to the slip this is the bend."""
    squares: Floats
    """What each adds to the squared bend."""
    bending: Floats
    """1 for a step that bends the leather, 0 for the free way."""
    centre: Floats
    """Where on each step half of the leather's work is done, as a part of the step."""
    switch: bytes
    """What the switch does at the end of each."""

    @staticmethod
    def of(threshold: float, slip: float, parts: int, *beyond: float) -> "Steps":
        """From the switch's bend to the slip in so many parts, and further places at which a step ends."""
        bends = np.linspace(threshold, slip, parts + 1)
        begins = np.concatenate(((0.0,), bends[:-1]))
        free = np.zeros(len(beyond))
        return Steps(
            np.array((0.0, *bends, *beyond)),
            np.concatenate(((0.0,), bends**2 - begins**2, free)),
            np.concatenate(((0.0,), np.ones(len(bends)), free)),
            np.concatenate(((0.5,), (begins + 2 * bends) / (begins + bends) / 3, free + 0.5)),
            NO_EDGE + CLOSES + NO_EDGE * (parts - 1) + OPENS + NO_EDGE * len(beyond),
        )


@dataclass(frozen=True, slots=True)
class Side:
    """One direction in which pegs come. All in sections along the rim."""

    offset: float
    """From a peg's middle to where the wheel stands when it touches the leather."""
    slip: float
    """From there until the leather slips off."""
    steps: Steps
    fast_steps: Steps
    """Fewer, for pegs that the wheel passes fast."""


class Leather:
    """One leather, before one wheel's pegs.

    Raises:
        HalError: the switch would never close, or two pegs would bend the leather at once.
    """

    def __init__(self, settings: WheelSettings, pegs: Pegs) -> None:
        per_deg = pegs.sections / 360
        self._pegs = pegs
        self.threshold = settings.threshold_deg * per_deg
        self.opens = max(0.0, settings.threshold_deg - settings.hysteresis_deg) * per_deg
        self.restitution = settings.restitution
        self.hangs = settings.set_deg * per_deg
        """How far to the side it hangs, in sections along the rim."""
        self.straight = max(settings.slips_off_deg, 2 * settings.half_deg) * per_deg
        """How far a leather without a set bends."""
        self.sides = {way: self._side(settings, way, pegs.least_gap) for way in (1, -1)}
        slips = [side.slip for side in self.sides.values()]
        if self.threshold >= min(slips):
            raise HalError(
                f"the simulated leather slips off after {min(slips) / per_deg:.2f} degrees, before its switch"
                " closes at threshold_deg; choose a smaller threshold_deg"
            )
        if pegs.least_gap <= max(slips):
            raise HalError(
                "two pegs of the simulated wheel would bend the leather at once; see slip_deg, bent_pegs"
            )

    def _side(self, settings: WheelSettings, direction: int, gap: float) -> Side:
        per_deg = self._pegs.sections / 360
        half_deg, set_deg = settings.half_deg, direction * settings.set_deg
        slip = max(settings.slips_off_deg - set_deg, 2 * half_deg) * per_deg
        closes = min(self.threshold, slip)
        return Side(
            direction * (set_deg - half_deg) * per_deg,
            slip,
            Steps.of(closes, slip, _PARTS, (slip + gap) / 2),
            Steps.of(closes, slip, _FAST_PARTS),
        )

    def touch(self, peg: int, direction: int) -> float:
        """Where a peg that comes in this direction touches the leather."""
        return self._pegs.at(peg) + self.sides[direction].offset

    def bend(self, x: float, lean: Lean) -> float:
        """How far the leather is bent, in sections along the rim."""
        return max(0.0, (x - self.touch(lean.peg, lean.direction)) * lean.direction)

    def free_at(self, lean: Lean, direction: int) -> float:
        """Where the leather leaves its peg when the wheel moves in ``direction``."""
        slip = self.sides[lean.direction].slip if direction == lean.direction else 0.0
        return self.touch(lean.peg, lean.direction) + lean.direction * slip

    def next_touch(self, x: float, direction: int) -> int:
        """The ordinal of the first peg that touches the leather at ``x`` or beyond, coming in this direction."""
        return self._first(x - self.sides[direction].offset - direction * _HAIR, direction)

    def last_touch(self, x: float, direction: int) -> int:
        """The ordinal of the last peg that touched the leather on the way to ``x``."""
        return self._first(x - self.sides[direction].offset, -direction)

    def _first(self, place: float, direction: int) -> int:
        """The first peg at a place or beyond, seen in a direction."""
        ordinal = self._pegs.ordinal_from(place)
        return ordinal if direction > 0 or self._pegs.place(ordinal) <= place else ordinal - 1

    def lean_after(self, x: float, lean: Lean | None, direction: int, to: float) -> Lean | None:
        """What the leather leans on when the wheel has moved one way from ``x`` to ``to``."""
        begin = x
        if lean is not None:
            begin = self.free_at(lean, direction)
            if (to - begin) * direction < 0:
                return lean
        first = self.next_touch(begin, direction)
        last = self.last_touch(to, direction)
        if (last - first) * direction < 0:
            return None
        peg = self._pegs.number(last)
        bent = (to - self.touch(peg, direction)) * direction
        return Lean(peg, direction) if bent < self.sides[direction].slip else None

    def released(self, x: float, lean: Lean | None, direction: int, to: float) -> LeatherRelease | None:
        """How the leather came free for the last time on the way from ``x`` to ``to``; None if it did not."""
        begin, release = x, None
        if lean is not None:
            begin = self.free_at(lean, direction)
            if (to - begin) * direction < 0:
                return None
            release = LeatherRelease(lean.peg, lean.direction, lean.direction == direction)
        last = self.last_touch(to, direction)
        if (to - self.touch(self._pegs.number(last), direction)) * direction < self.sides[direction].slip:
            last -= direction
        if (last - self.next_touch(begin, direction)) * direction < 0:
            return release
        return LeatherRelease(self._pegs.number(last), direction, True)

    def unbending(self, bend: float) -> tuple[list[float], bytes]:
        """The bends through which a leather goes back to straight, and what the switch does at each."""
        bends = [bend * (1 - (part / _BACK_PARTS) ** 2) for part in range(_BACK_PARTS + 1)]
        switch = NO_EDGE * len(bends)
        if self.opens >= bend:
            return bends, switch
        place = sum(some > self.opens for some in bends)
        return [*bends[:place], self.opens, *bends[place:]], switch[:place] + OPENS + switch[place:]
