"""Strikes of the clapper that come sooner than pegs can: the encoder is dead, or the clapper's line is noisy."""

from controller.events.event import Fault, Health
from controller.tracking.clapper_wheel.geometry import WheelGeometry

UNSEEN_COUNTS = 2  # A line that breaks jumps once, and its neighbour once more, before anything contradicts.
_MOST = 3
"""So many strikes, each less than half a section after the last: encoder or clapper is wrong."""
_NOT_COUNTING = Fault(
    "encoder",
    Health.SILENT,
    "the clapper is struck but the encoder does not count; or the clapper's line is noisy",
)
_TOO_FAST = Fault("clapper", Health.NOISY, "strikes come faster than the wheel's pegs")


class HastyStrikes:
    """How far the encoder went from strike to strike. Paths are the number of encoder edges seen so far."""

    def __init__(self, geometry: WheelGeometry) -> None:
        self._sections, self._turn = geometry.sections, geometry.counts_per_turn
        self._path = 0
        self.forget()

    def forget(self) -> None:
        """None of those so far counts any more."""
        self._strikes = self._moved = 0

    def strike(self, path: int) -> Fault | None:
        """A strike; returns what is wrong if it is one of several that came too soon."""
        moved, self._path = path - self._path, path
        if moved * 2 * self._sections >= self._turn:
            self.forget()
            return None
        self._strikes += 1
        self._moved += moved
        if self._strikes < _MOST:
            return None
        # A dead encoder counts nothing; one that counts is not dead.
        return _NOT_COUNTING if self._moved <= UNSEEN_COUNTS * self._strikes else _TOO_FAST
