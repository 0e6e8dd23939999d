"""The wheel's geometry in whole numbers: counts, sections and angles without rounding.

Positions are encoder counts along the rim, growing in the order of the wheel's sections (clockwise around the
rim, so the wheel itself turns counterclockwise). A count is an interval: where the encoder reads ``n``, the wheel
is anywhere from ``n`` to ``n + 1``. Peg ``k`` stands between section ``k - 1`` and section ``k``; pegs and sections
are numbered on beyond one turn, so that a wheel that runs on counts on.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from controller.tracking.clapper_wheel.energy import SpinLoss
from controller.tracking.clapper_wheel.places import REOPENS_WITHIN_MDEG, Places, assumed

MDEG_PER_TURN: Final = 360_000
NS_PER_S: Final = 1_000_000_000
Window = tuple[int, int]
"""The first and the last count at which something may happen."""


@dataclass(frozen=True, slots=True)
class _Rows:
    """First and last counts of a kind of place, by peg, over two turns of pegs."""

    firsts: tuple[int, ...]
    lasts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
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
    contact_mdeg: int = 2400
    debounce_ns: int = 2_000_000
    final_speed_mdeg_s: int = 15_000
    places: Places | None = None
    """As measured; None for a wheel that was not calibrated."""
    losses: tuple[SpinLoss, SpinLoss] | None = None
    """What the wheel loses counterclockwise and clockwise; None if that was not measured."""
    runout: tuple[float, ...] = ()
    """By what the angle between marks is multiplied, by mark, for an encoder out of centre; empty: by 1."""
    measured: Places = field(init=False)
    _strikes: tuple[_Rows, _Rows] = field(init=False)
    _next_strikes: tuple[tuple[Window, ...], ...] = field(init=False)
    _slips: tuple[_Rows, _Rows] = field(init=False)
    _reopens: tuple[_Rows, _Rows] = field(init=False)
    _free: _Rows = field(init=False)
    _around: tuple[tuple[Window, Window], ...] = field(init=False)
    _pegs: tuple[int, ...] = field(init=False)
    index_near_peg: bool = field(init=False)
    """A strike may come on either side of the index mark, by the wheel's speed: their number differs by turn."""

    def __post_init__(self) -> None:
        places = self.places or assumed(self.contact_mdeg)
        object.__setattr__(self, "measured", places)
        spread = self.tolerance_mdeg + places.spread_mdeg
        if self.places is not None:  # An index edge that falls together with one of the encoder is either count's.
            spread += MDEG_PER_TURN // self.counts_per_turn
        strikes, slips, reopens = [], [], []
        for direction in (1, -1):
            side = places.side(direction)
            closes = side.closes_mdeg
            strikes.append(self._rows(direction, closes - spread, closes + spread))
            slips.append(self._rows(direction, side.slips_from_mdeg - spread, side.slips_to_mdeg + spread))
            reopens.append(self._rows(direction, closes - REOPENS_WITHIN_MDEG - spread, closes + spread))
        object.__setattr__(self, "_strikes", tuple(strikes))
        windows = tuple(tuple(zip(rows.firsts, rows.lasts, strict=True)) for rows in strikes)
        object.__setattr__(self, "_next_strikes", windows)
        object.__setattr__(self, "_slips", tuple(slips))
        object.__setattr__(self, "_reopens", tuple(reopens))
        object.__setattr__(self, "_free", self._free_rows(places, spread))
        pegs_around = ((self.strike_at(peg - 1, -1), self.strike_at(peg + 1, 1)) for peg in range(self.sections))
        object.__setattr__(self, "_around", tuple(pegs_around))
        pegs = tuple(self._last(peg, 0) + self.index_offset_counts for peg in range(self.sections))
        object.__setattr__(self, "_pegs", pegs)
        object.__setattr__(self, "index_near_peg", self._index_is_near_a_peg())

    def _rows(self, direction: int, low_mdeg: int, high_mdeg: int) -> _Rows:
        """Places past every peg in a direction, as counts."""
        if direction < 0:
            low_mdeg, high_mdeg = -high_mdeg, -low_mdeg
        return _Rows(
            tuple(self._first(peg, low_mdeg) for peg in range(2 * self.sections)),
            tuple(self._last(peg, high_mdeg) for peg in range(2 * self.sections)),
        )

    def _free_rows(self, places: Places, spread: int) -> _Rows:
        """Within each section, the counts at which the clapper may hang free."""
        low = min(places.forwards.slips_from_mdeg, -places.backwards.closes_mdeg) - spread
        high = max(-places.backwards.slips_from_mdeg, places.forwards.closes_mdeg) + spread
        return _Rows(
            tuple(self._first(peg, low) for peg in range(2 * self.sections)),
            tuple(self._last(peg + 1, high) for peg in range(2 * self.sections)),
        )

    def _at(self, peg: int, mdeg: int) -> tuple[int, int]:
        """A place along the rim from the index mark, in counts, as a fraction."""
        error = self.measured.pegs_mdeg[peg % self.sections] if self.measured.pegs_mdeg else 0
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

    # -- from the index mark ---------------------------------------------------------------------------------

    def strike_at(self, peg: int, direction: int) -> Window:
        """Where this peg closes the contact."""
        return self._window(self._strikes[direction < 0], peg)

    def closes_at(self, peg: int, direction: int) -> float:
        """Where this peg closes the contact, to a part of a count."""
        turns, peg = divmod(peg, self.sections)
        at, below = self._at(peg, self.measured.side(direction).closes_mdeg * direction)
        return turns * self.counts_per_turn + at / below

    def strikes_around(self, peg: int) -> tuple[int, int, int, int]:
        """Where the peg below is struck by a wheel that turns back, first and last, and the peg above."""
        turns, peg = divmod(peg, self.sections)
        turned = turns * self.counts_per_turn
        (low, to_low), (from_high, high) = self._around[peg]
        return low + turned, to_low + turned, from_high + turned, high + turned

    def slip_at(self, peg: int, direction: int) -> Window:
        """Where the leather slips off this peg."""
        return self._window(self._slips[direction < 0], peg)

    def reopen_at(self, peg: int, direction: int) -> Window:
        """Where the contact that this peg closed, moving in ``direction``, opens if the wheel rocks back."""
        return self._window(self._reopens[direction < 0], peg)

    def slips_after(self, direction: int) -> int:
        """So many counts after a strike, at least, the leather slips off; 0 if that was not measured."""
        if self.places is None:
            return 0
        side = self.places.side(direction)
        bends = side.slips_from_mdeg - side.closes_mdeg
        return bends * 7 * self.counts_per_turn // (10 * MDEG_PER_TURN)  # A leather wears: seven tenths of it.

    def free_in(self, section: int) -> Window:
        """Where the clapper may hang free in a section, which is numbered as the peg at its start."""
        return self._window(self._free, section)

    def section_near(self, count: int) -> int:
        """The section at a count by the count alone, numbered on over the turns."""
        turns, along = divmod(count + self.index_offset_counts, self.counts_per_turn)
        return bisect_right(self._pegs, along) - 1 + turns * self.sections

    def bends(self, count: int, direction: int) -> bool:
        """Whether a peg may bend the leather here, the wheel moving in a direction."""
        near = self.section_near(count)
        for peg in (near, near + 1) if direction > 0 else (near + 1, near):
            ends = (*self.reopen_at(peg, direction), *self.slip_at(peg, direction))
            if min(ends) <= count <= max(ends):
                return True
        return False

    def next_strikes(self, peg: int, direction: int, many: int) -> tuple[Sequence[Window], int]:
        """Where so many pegs after ``peg`` close the contact, less some turns, and these turns in counts.

        Of at most a turn and one; of more, fewer come.
        """
        turns, lowest = divmod(peg + 1 if direction > 0 else peg - many, self.sections)
        windows = self._next_strikes[direction < 0][lowest : lowest + many]
        return windows[::direction], turns * self.counts_per_turn

    def _window(self, rows: _Rows, peg: int) -> Window:
        turns, peg = divmod(peg, self.sections)
        turned = turns * self.counts_per_turn
        return rows.firsts[peg] + turned, rows.lasts[peg] + turned

    def counts_of(self, mdeg: int) -> int:
        """An angle in counts, rounded up."""
        return -(-mdeg * self.counts_per_turn // MDEG_PER_TURN)

    def _index_is_near_a_peg(self) -> bool:
        late = self.counts_of(self.measured.closing_delay_ns * FASTEST_MDEG_S // NS_PER_S) + _INDEX_COUNTS
        windows = [self.strike_at(peg, way) for way in (1, -1) for peg in range(-1, self.sections + 1)]
        return any(first - late <= 0 <= last + late for first, last in windows)


FASTEST_MDEG_S: Final = 400_000
"""No hand turns a wheel faster than this."""
_INDEX_COUNTS: Final = 2
