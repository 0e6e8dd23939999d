"""A clapper whose line says that it hangs free lies where no peg closes the contact: by the last pegs."""

import pytest

from controller.tracking.clapper_wheel.geometry import PegSide, Places, WheelGeometry
from controller.tracking.clapper_wheel.rest import RestedWheel
from controller.tracking.clapper_wheel.way import CountRun, LastWay

TURN, SECTIONS = 3600, 36
SIDE = PegSide(0, 3000, 3200)
"""The contact closes just at the peg: at each hundredth count."""
GEOMETRY = WheelGeometry(TURN, 0, SECTIONS, places=Places(SIDE, SIDE))
COUNT_NS = 10_000_000


class Wheel:
    """Turns evenly, 10 ms a count, and comes to rest with the contact open."""

    def __init__(self, off: float = 0.0, geometry: WheelGeometry = GEOMETRY) -> None:
        self.off = off
        self.line = RestedWheel(geometry)
        self._geometry = geometry

    def is_dead(self, rest: int, farthest: int | None = None, own: bool = False) -> bool:
        """Whether the line is, if the wheel comes from count 0 to ``farthest`` and rests at ``rest``.

        Each peg closes the contact ``off`` counts beyond its place; the last one does not if its line dies before,
        and if it does (``own``) the line dies soon after.
        """
        farthest = rest if farthest is None else farthest
        runs = [CountRun(1, 1, [count * COUNT_NS for count in range(1, farthest + 1)])]
        if rest < farthest:
            runs.append(
                CountRun(-1, farthest - 1, [2 * farthest * COUNT_NS - rest for rest in range(farthest - rest)])
            )
        contact: list[tuple[int, int]] = []
        for peg in range(1, 10):
            at = peg * 100 + self.off
            if (peg < 9 or own) and at < farthest:
                opens = at + (31 if peg < 9 else 0.2)
                contact += [(round(at * COUNT_NS), 1), (round(opens * COUNT_NS), 0)]
        return self.line.is_dead(LastWay(runs, contact, TURN), (rest - 5) // 100, rest, 0)


@pytest.mark.parametrize("off", [-2.5, 0.5, 2.5])
def test_beyond_the_place_where_the_next_peg_closes_the_contact_it_would_be_closed(off: float) -> None:
    """Wherever that place has drifted to."""
    border = int(900 + off)
    assert not Wheel(off).is_dead(border)
    assert Wheel(off).is_dead(border + 1)


def test_what_was_learned_counts_for_the_next_spin_until_the_position_is_found_anew() -> None:
    wheel = Wheel(-4.5)
    assert not wheel.is_dead(850)
    ended = LastWay([CountRun(1, 880, [count * COUNT_NS for count in range(1, 20)])], (), TURN)
    assert wheel.line.is_dead(ended, 8, 898, 0)
    assert not wheel.line.is_dead(ended, 8, 899, 1)
