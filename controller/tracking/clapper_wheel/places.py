"""Where a peg bends the clapper, closes its contact and lets it go: measured by ``calibrate``, or as in the file.

A peg touches the leather before its middle is at the pointer, on the side from which it comes; the contact closes
later than that, and opens where the leather slips off. So each direction has places of its own. All of them are
thousandths of a degree past the peg, in the direction in which the wheel moves: a negative place is short of it.
"""

from dataclasses import dataclass

REOPENS_WITHIN_MDEG = 1100
"""How far before the place of a strike a rock-back may open the contact: its hysteresis, and the leather's set."""
_SLIPS_WITHIN_MDEG = 4000


@dataclass(frozen=True, slots=True)
class PegSide:
    """What the contact does while the wheel moves one way.

    Attributes:
        closes_mdeg: where the contact closes at a low speed: the strike.
        slips_from_mdeg: where the leather slips off the peg at a low speed, and the contact opens; the least.
        slips_to_mdeg: the greatest such place.
    """

    closes_mdeg: int
    slips_from_mdeg: int
    slips_to_mdeg: int


@dataclass(frozen=True, slots=True)
class Places:
    """The contact's places of one wheel.

    Attributes:
        forwards: counterclockwise, in the order of the sections.
        backwards: clockwise.
        pegs_mdeg: how far each peg is from its place on a wheel with even sections, along the rim; empty: nowhere.
        closing_delay_ns: how much later than the place the contact closes.
        opening_delay_ns: how much later it opens.
        spread_mdeg: how far a strike at a low speed may be from its place, beside the tolerance.
    """

    forwards: PegSide
    backwards: PegSide
    pegs_mdeg: tuple[int, ...] = ()
    closing_delay_ns: int = 0
    opening_delay_ns: int = 0
    spread_mdeg: int = 0

    def side(self, direction: int) -> PegSide:
        """What holds for a direction, +1 or -1."""
        return self.forwards if direction > 0 else self.backwards


def assumed(contact_mdeg: int) -> Places:
    """A wheel that was not calibrated: strikes at the pegs, and somewhere beyond them the leather slips off."""
    side = PegSide(0, 0, max(contact_mdeg, _SLIPS_WITHIN_MDEG))
    return Places(side, side)
