"""The wheel's geometry in whole numbers: counts, sections and angles without rounding.

Positions are encoder counts along the rim, growing in the order of the wheel's sections (clockwise around the
rim, so the wheel itself turns counterclockwise). To compare counts with pegs when the number of sections does
not divide the encoder's counts, both are measured in *units* of 1/sections of a count: a count is ``sections``
units long and a section ``counts_per_turn`` units. Peg ``k`` stands at unit ``k * counts_per_turn``, between
section ``k - 1`` and section ``k``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import le

MDEG_PER_TURN = 360_000


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
    contact_mdeg: int = 2400
    debounce_ns: int = 2_000_000
    final_speed_mdeg_s: int = 15_000
    tolerance: int = field(init=False)
    """How near to a peg is between two sections, in units."""
    contact: int = field(init=False)
    """How far the wheel turns while a peg holds the clapper, in units."""
    _at_pegs: tuple[tuple[int, int], ...] = field(init=False)
    _firsts: tuple[int, ...] = field(init=False)
    _lasts: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tolerance", self._units(self.tolerance_mdeg))
        object.__setattr__(self, "contact", self._units(self.contact_mdeg))
        # Two turns of pegs, so that one turn of them can be cut out wherever it begins.
        firsts, lasts = zip(*(self._at_peg(peg) for peg in range(2 * self.sections)), strict=True)
        object.__setattr__(self, "_firsts", firsts)
        object.__setattr__(self, "_lasts", lasts)
        object.__setattr__(self, "_at_pegs", tuple(zip(firsts, lasts, strict=True)))

    def _units(self, mdeg: int) -> int:
        return mdeg * self.sections * self.counts_per_turn // MDEG_PER_TURN

    def low(self, count: int) -> int:
        """The lower end, in units along the rim, of the position where the encoder reads ``count``.

        The true position lies anywhere in ``[low, low + sections]``: a count is an interval, not a point.
        """
        return (count + self.index_offset_counts) * self.sections

    def nearest_peg(self, count: int) -> tuple[int, int]:
        """The peg nearest to a count, and the distance between the two in units (0 if the count spans it)."""
        low = self.low(count)
        span = self.sections
        peg = (2 * low + span + self.counts_per_turn) // (2 * self.counts_per_turn)
        at = peg * self.counts_per_turn
        return peg, max(0, low - at, at - low - span)

    def section(self, count: int) -> int:
        """The section at a count that no peg is near to: an index into the wheel's order."""
        return self.low(count) // self.counts_per_turn % self.sections

    def past(self, peg: int, direction: int, count: int) -> int:
        """How far the wheel stands past a peg in the direction of travel (+1 or -1), in units.

        The nearer end of the count's interval is measured; negative on the near side of the peg.
        """
        low = self.low(count)
        at = peg * self.counts_per_turn
        return low - at if direction > 0 else at - low - self.sections

    def at_peg(self, peg: int) -> tuple[int, int]:
        """The first and the last count that lie at a peg, tolerance included."""
        turns, peg = divmod(peg, self.sections)
        first, last = self._at_pegs[peg]
        turned = turns * self.counts_per_turn
        return first + turned, last + turned

    def passes(self, peg: int, direction: int, counts: Sequence[int]) -> bool:
        """Whether these counts, of at most one turn, lie each at the next peg in turn, coming from ``peg``."""
        lowest = peg + 1 if direction > 0 else peg - len(counts)
        turns, lowest = divmod(lowest, self.sections)
        turned = turns * self.counts_per_turn
        upwards = [count - turned for count in counts[::direction]]
        pegs = slice(lowest, lowest + len(counts))
        return all(map(le, self._firsts[pegs], upwards)) and all(map(le, upwards, self._lasts[pegs]))

    def _at_peg(self, peg: int) -> tuple[int, int]:
        low = peg * self.counts_per_turn - self.tolerance - self.sections
        high = peg * self.counts_per_turn + self.tolerance
        return -(-low // self.sections) - self.index_offset_counts, high // self.sections - self.index_offset_counts
