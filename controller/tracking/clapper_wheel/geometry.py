"""The wheel's geometry in whole numbers: counts, sections and angles without rounding.

Positions are encoder counts along the rim, growing in the order of the wheel's sections (clockwise around the
rim, so the wheel itself turns counterclockwise). A count is an interval: where the encoder reads ``n``, the wheel
is anywhere from ``n`` to ``n + 1``. Peg ``k`` stands between section ``k - 1`` and section ``k``; pegs and sections
are numbered on beyond one turn, so that a wheel that runs on counts on.

A peg touches the leather before its middle is at the pointer, on the side from which it comes. The contact opens a
little later (a strike), and closes where the leather slips off (a release). So each direction has its own places.
All of them are thousandths of a degree past the peg, in the direction of travel: a negative place is short of it.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from controller.tracking.clapper_wheel.energy import SpinLoss

MDEG_PER_TURN: Final = 360_000
NS_PER_S: Final = 1_000_000_000
FASTEST_MDEG_S: Final = 400_000
"""No hand turns a wheel faster than this."""
ROCKS_BACK_WITHIN_MDEG: Final = 1100
"""How far before the place of a strike a rock-back may close the contact: its hysteresis, and the leather's set."""
_RELEASES_WITHIN_MDEG: Final = 4000
"""A leather slips off within so much after the touch."""
_WORN: Final = (7, 10)
"""A leather that has worn slips off after this part of the way that was measured."""

Window = tuple[int, int]
"""The first and the last count at which something may happen."""


@dataclass(frozen=True, slots=True)
class PegSide:
    """What the contact does while the wheel moves one way.

    Attributes:
        strikes_mdeg: where the contact opens at a low speed.
        releases_from_mdeg: where the leather slips off the peg at a low speed, and the contact closes; the least.
        releases_to_mdeg: the greatest such place.
    """

    strikes_mdeg: int
    releases_from_mdeg: int
    releases_to_mdeg: int


@dataclass(frozen=True, slots=True)
class Places:
    """The contact's places of one wheel.

    Attributes:
        forwards: counterclockwise, in the order of the sections.
        backwards: clockwise.
        pegs_mdeg: how far each peg is from its place on a wheel with even sections, along the rim; empty: nowhere.
        strike_delay_ns: how much later than the place the contact opens.
        release_delay_ns: how much later it closes.
        spread_mdeg: how far a strike at a low speed may be from its place, beside the tolerance.
    """

    forwards: PegSide
    backwards: PegSide
    pegs_mdeg: tuple[int, ...] = ()
    strike_delay_ns: int = 0
    release_delay_ns: int = 0
    spread_mdeg: int = 0

    def side(self, direction: int) -> PegSide:
        """What holds for a direction, +1 or -1."""
        return self.forwards if direction > 0 else self.backwards


def assumed(slips_mdeg: int) -> Places:
    """Of a wheel that was not calibrated: strikes at the pegs, and slips so far past them or somewhat further."""
    side = PegSide(0, slips_mdeg, _RELEASES_WITHIN_MDEG)
    return Places(side, side)


_USUAL: Final = assumed(2400)


@dataclass(frozen=True)
class WheelGeometry:
    """How a wheel, its encoder and its clapper are built, and when it is at rest."""

    counts_per_turn: int
    index_offset_counts: int
    """Position along the rim, from the first section's start, that is at the clapper at the index mark."""
    sections: int
    """How many sections the pegs make, 2 or more: the game's wheel has so many."""
    reversed: bool = False
    rest_ns: int = 1_500_000_000
    tolerance_mdeg: int = 300
    """How far off its place an edge of the clapper's contact may be."""
    debounce_ns: int = 2_000_000
    places: Places = _USUAL
    """As measured, or else assumed."""
    losses: tuple[SpinLoss, SpinLoss] | None = None
    """What the wheel loses counterclockwise and clockwise; None if that was not measured."""
    runout: tuple[float, ...] = ()
    """By what the angle between marks is multiplied, by mark, for an encoder out of centre; empty: by 1."""

    @property
    def calibrated(self) -> bool:
        """The contact's places were measured."""
        return bool(self.places.pegs_mdeg)

    @cached_property
    def spread_mdeg(self) -> int:
        """How far from its place an edge of the contact may be."""
        spread = self.tolerance_mdeg + self.places.spread_mdeg
        # An index edge that falls together with one of the encoder is either count's.
        return spread + (MDEG_PER_TURN // self.counts_per_turn if self.calibrated else 0)

    def _at(self, peg: int, mdeg: int) -> tuple[int, int]:
        """A place along the rim from the index mark, in counts, as a fraction."""
        error = self.places.pegs_mdeg[peg % self.sections] if self.places.pegs_mdeg else 0
        along = peg * MDEG_PER_TURN + (error + mdeg) * self.sections
        below = MDEG_PER_TURN * self.sections
        return along * self.counts_per_turn - self.index_offset_counts * below, below

    def _first(self, peg: int, mdeg: int) -> int:
        """The first count of which a part lies at or above a place."""
        at, below = self._at(peg, mdeg)
        return -(-at // below) - 1

    def _last(self, peg: int, mdeg: int) -> int:
        at, below = self._at(peg, mdeg)
        return at // below

    def counts_of(self, mdeg: int) -> int:
        """An angle in counts, rounded up."""
        return -(-mdeg * self.counts_per_turn // MDEG_PER_TURN)

    # -- from the index mark ---------------------------------------------------------------------------------

    def strike_at(self, peg: int, direction: int) -> Window:
        """Where this peg strikes."""
        strikes = self.places.side(direction).strikes_mdeg
        return self._window(peg, direction, strikes, strikes)

    def strikes_beside(self, peg: int) -> tuple[Window, Window]:
        """Where the peg below this one strikes, clockwise, and the one above it, counterclockwise."""
        turns, peg = divmod(peg, self.sections)
        low, high, next_low, next_high = self._beside[peg]
        along = turns * self.counts_per_turn
        return (low + along, high + along), (next_low + along, next_high + along)

    @cached_property
    def _beside(self) -> list[tuple[int, int, int, int]]:
        """Of each peg in the first turn."""
        return [(*self.strike_at(peg - 1, -1), *self.strike_at(peg + 1, 1)) for peg in range(self.sections)]

    def strike_place(self, peg: int, direction: int) -> float:
        """Where this peg strikes, to a part of a count."""
        at, below = self._at(peg, self.places.side(direction).strikes_mdeg * direction)
        return at / below

    def release_at(self, peg: int, direction: int) -> Window:
        """Where the leather slips off this peg."""
        side = self.places.side(direction)
        return self._window(peg, direction, side.releases_from_mdeg, side.releases_to_mdeg)

    def rock_back_at(self, peg: int, direction: int) -> Window:
        """Where the contact that this peg opened, moving in ``direction``, closes if the wheel rocks back."""
        strikes = self.places.side(direction).strikes_mdeg
        return self._window(peg, direction, strikes - ROCKS_BACK_WITHIN_MDEG, strikes)

    def release_after(self, direction: int) -> int:
        """So many counts after a strike, at least, the leather slips off; 0 if that was not measured."""
        side, (part, of_whole) = self.places.side(direction), _WORN
        bends = side.releases_from_mdeg - side.strikes_mdeg
        return bends * part * self.counts_per_turn // (of_whole * MDEG_PER_TURN)

    def free_in(self, section: int) -> Window:
        """Where the clapper may hang free in a section, which is numbered as the peg at its start."""
        forwards, backwards, spread = self.places.forwards, self.places.backwards, self.spread_mdeg
        low = min(forwards.releases_from_mdeg, -backwards.strikes_mdeg) - spread
        high = max(-backwards.releases_from_mdeg, forwards.strikes_mdeg) + spread
        return self._first(section, low), self._last(section + 1, high)

    def section_near(self, count: int) -> int:
        """The section at a count by the count alone, numbered on over the turns."""
        near = (count + self.index_offset_counts) * self.sections // self.counts_per_turn
        return next(peg for peg in (near + 1, near, near - 1) if self._last(peg, 0) <= count)

    def bent_by(self, peg: int, direction: int) -> Window:
        """Where this peg may bend the leather, the wheel moving in a direction."""
        ends = (*self.rock_back_at(peg, direction), *self.release_at(peg, direction))
        return min(ends), max(ends)

    def bends(self, count: int, direction: int) -> bool:
        """Whether a peg may bend the leather here, the wheel moving in a direction."""
        near = self.section_near(count)
        bent = (self.bent_by(peg, direction) for peg in (near, near + 1))
        return any(first <= count <= last for first, last in bent)

    def _window(self, peg: int, direction: int, low_mdeg: int, high_mdeg: int) -> Window:
        """From one place past a peg to another, with what either may be off, as counts."""
        low_mdeg, high_mdeg = low_mdeg - self.spread_mdeg, high_mdeg + self.spread_mdeg
        if direction < 0:
            low_mdeg, high_mdeg = -high_mdeg, -low_mdeg
        return self._first(peg, low_mdeg), self._last(peg, high_mdeg)
