"""An edge that comes alone while the wheel goes on as before: what most edges are, delivered as they come.

Taken on the way of many edges, one alone costs more than twice as much, with the same outcome (``wheel.py``).
"""

from collections.abc import Sequence

from controller.tracking.clapper_wheel.edge_numbers import EdgeNumbers
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.trust import Trust
from controller.tracking.clapper_wheel.wheel_motion import WheelMotion
from controller.tracking.motion import NEVER


class SingleEdge:
    """Takes the encoder's next edge, if the wheel moves and neither rest, strike nor index is due."""

    def __init__(self, geometry: WheelGeometry, motion: WheelMotion, trust: Trust, numbers: EdgeNumbers) -> None:
        self._motion = motion
        self._trust = trust
        self._numbers = numbers
        self._reversed = geometry.reversed

    def goes_on(self, letter: int, stamps: Sequence[int], seqno: int) -> bool:
        """Take the edge, if it is such a one."""
        motion, trust, numbers, at_ns = self._motion, self._trust, self._numbers, stamps[0]
        direction, due_ns = motion.direction, motion.rest.due_ns
        if (
            seqno != numbers.next_seqno
            or not numbers.last_ns <= at_ns < due_ns
            or due_ns == NEVER
            or not trust.lowest <= motion.count + direction <= trust.highest
            or self._reversed
            or not motion.quadrature.goes_on(letter, direction)
        ):
            return False
        numbers.next_seqno, numbers.last_ns = seqno + 1, at_ns
        motion.advance(1, direction, stamps, 0)
        return True
