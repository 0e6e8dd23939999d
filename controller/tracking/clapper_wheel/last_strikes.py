"""Where pegs close the contact now: by the last strikes of this wheel, more exactly than by its calibration.

A leather drifts by tenths of a degree in weeks, and the table allows for that. From one strike to the next it does
not. So a wheel at rest with its contact open does not lie beyond the place at which the last pegs closed it: there
the contact would be closed, and a line that says it is open is dead.
"""

from collections import deque
from statistics import median

from controller.tracking.clapper_wheel.geometry import MDEG_PER_TURN, WheelGeometry

_FEWEST, _MOST = 4, 9
_OWN_MDEG = 200
"""A peg may have been bent so far since the calibration; half a count and the calibration's own error besides."""


class LastStrikes:
    """How far the last strikes lay from their calibrated places, by direction."""

    def __init__(self, geometry: WheelGeometry) -> None:
        self._geometry = geometry
        off_mdeg = max(_OWN_MDEG, geometry.measured.spread_mdeg)
        self._margin = 0.5 + off_mdeg * geometry.counts_per_turn / MDEG_PER_TURN
        self.forget()

    def forget(self) -> None:
        """The position was found anew."""
        self._off: tuple[deque[float], deque[float]] = (deque(maxlen=_MOST), deque(maxlen=_MOST))

    def add(self, peg: int, direction: int, at: int) -> None:
        """A slow strike at a count."""
        self._off[direction < 0].append(at - self._place(peg, direction))

    def bent_in(self, section: int, at: int) -> bool:
        """Whether one of a section's two pegs has the contact closed here."""
        ahead, behind = self.beyond(section + 1, 1, at), self.beyond(section, -1, at)
        return max(ahead, behind) > self._margin

    def beyond(self, peg: int, direction: int, at: int) -> float:
        """How many counts beyond the strike of this peg; negative before it, and if that is not known."""
        off = self._off[direction < 0]
        if len(off) < _FEWEST or self._geometry.places is None:  # Each peg's own place was not measured.
            return -1.0
        return (at - self._place(peg, direction) - median(off)) * direction

    def _place(self, peg: int, direction: int) -> float:
        first, last = self._geometry.strike_at(peg, direction)
        return (first + last) / 2
