"""Whether the contact's line is alive, where a wheel rests with its contact open: a dead one says "open" too.

The calibration knows where each peg closes the contact, and the last pegs show to a part of a count by how much the
leather has drifted since. A wheel that came beyond that place with the contact open has a dead line, wherever
it rests then. So has one whose contact opened, as if it rocked back, while the wheel went on.
"""

from collections import deque
from collections.abc import Sequence
from statistics import median

from controller.tracking.clapper_wheel.contact import ContactEdges
from controller.tracking.clapper_wheel.geometry import MDEG_PER_TURN, WheelGeometry
from controller.tracking.clapper_wheel.last_passes import LastWay, PegPass, must_have_passed, reopened

_FEWEST, _MOST = 4, 9
_SURE_COUNTS, _SURE_MDEG, _SPREADS = 0.1, 10, 4
"""So exactly the last pegs tell where the next one closes the contact; and by so many times what they differ by."""
_BACK_COUNTS, _BACK_MDEG = 0.35, 40
"""So exactly it opens, rocking back, where it opened the last times; it never opens beyond where it closed."""
_FEWEST_BACKS = 3
_UNSURE_COUNTS = 0.5
_OTHER_MDEG = 60
_OWN_MDEG = 200
"""As long as too few pegs have told, the calibration says it: less exactly, for a leather drifts."""
_NEAR_PEG = 4
"""A closing that lies farther from its peg than this part of a section is no peg's."""


class ContactLine:
    """Where the last pegs of one wheel have closed the contact, measured by the places of the calibration."""

    def __init__(self, geometry: WheelGeometry) -> None:
        self._geometry = geometry
        degrees = geometry.counts_per_turn / MDEG_PER_TURN
        self._sure = _SURE_COUNTS + _SURE_MDEG * degrees
        off_mdeg = geometry.tolerance_mdeg + max(_OWN_MDEG, geometry.measured.spread_mdeg)
        self._unsure = _UNSURE_COUNTS + off_mdeg * degrees
        self._other = _OTHER_MDEG * degrees
        self._back = _BACK_COUNTS + _BACK_MDEG * degrees
        self._backs: tuple[deque[float], deque[float]] = (deque(maxlen=_MOST), deque(maxlen=_MOST))
        self._near = geometry.counts_per_turn / geometry.sections / _NEAR_PEG
        self._forget(0)

    def _forget(self, origin: int) -> None:
        self._origin = origin
        self._off: tuple[deque[float], deque[float]] = (deque(maxlen=_MOST), deque(maxlen=_MOST))
        self._own: dict[tuple[int, int], float] = {}

    def is_dead(
        self, way: LastWay, passes: Sequence[PegPass], contact: ContactEdges, stand: tuple[int, int, int]
    ) -> bool:
        """Whether it cannot be alive. If it can, the pegs that were passed are learned from.

        Args:
            stand: the section in which the clapper seems to hang free, numbered on over the turns; the count at
                rest; and the one at the index mark.
        """
        section, at, origin = stand
        if self._geometry.places is None:  # Each peg's own place was not measured.
            return False
        if origin != self._origin:  # The position was found anew.
            self._forget(origin)
        closings = self._closings(way, passes)
        forwards, backwards = (
            [*self._off[way < 0], *(how_far for _, other, how_far in closings if other == way)] for way in (1, -1)
        )
        off = forwards, backwards
        opened_ns = contact.last_ns
        for peg, direction in ((section + 1, 1), (section, -1)):
            place, within = self._place(peg, direction, off, closings)
            if (way.farthest(direction, opened_ns, at) - origin - place) * direction > within:
                return True
        for peg, direction, how_far in closings:
            self._off[direction < 0].append(how_far)
            self._own[peg % self._geometry.sections, direction] = how_far
        return False

    def opened_too_soon(self, way: LastWay, passed: PegPass) -> bool:
        """Whether the contact cannot have opened because the wheel rocked back."""
        if passed.goes_on or must_have_passed(passed, self._geometry):
            return True
        how_far = reopened(passed, way, self._geometry)
        if how_far is None:
            return False
        before, most = self._backs[passed.direction < 0], self._back
        if len(before) >= _FEWEST_BACKS:
            most += min(0.0, max(before))
        if how_far > most:
            return True
        before.append(how_far)
        return False

    def _closings(self, way: LastWay, passes: Sequence[PegPass]) -> list[tuple[int, int, float]]:
        """Which pegs closed the contact, in which direction, and how far from their places."""
        geometry, found = self._geometry, []
        for passed in passes:
            place = way.place(passed.closed_ns - geometry.measured.closing_delay_ns)
            if place is None or place[1] != passed.direction:
                continue
            at, direction = place[0] - self._origin, place[1]
            near = geometry.section_near(int(at))
            how_far, peg = min(
                ((at - geometry.closes_at(peg, direction), peg) for peg in (near - 1, near, near + 1, near + 2)),
                key=lambda off: abs(off[0]),
            )
            if abs(how_far) < self._near:
                found.append((peg, direction, how_far))
        return found

    def _place(
        self,
        peg: int,
        direction: int,
        off: tuple[Sequence[float], Sequence[float]],
        closings: Sequence[tuple[int, int, float]],
    ) -> tuple[float, float]:
        """Where this peg closes the contact, and how exactly that is known."""
        place = self._geometry.closes_at(peg, direction)
        for other, way, how_far in reversed(closings):
            if (other, way) == (peg, direction):
                return place + how_far, self._sure  # It has just done so.
        mine, others = off if direction > 0 else off[::-1]
        if len(mine) < _FEWEST:
            # What has drifted in neither direction, or in one, has hardly drifted more in the other.
            drifted = self._sure + self._other + abs(median(others)) if len(others) >= _FEWEST else self._unsure
            return place, min(drifted, self._unsure)
        usual = median(mine)
        differ = median(abs(one - usual) for one in mine)
        own = self._own.get((peg % self._geometry.sections, direction), usual)
        return place + (max(own, usual) if direction > 0 else min(own, usual)), self._sure + _SPREADS * differ
