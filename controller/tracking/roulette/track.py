"""What a ball does in its track: when it passes the beams, and for how long it darkens them."""

from dataclasses import dataclass

from controller.tracking.roulette.rotor import RotorGeometry

MDEG_PER_TURN = 360_000
FASTEST_NS, SLOWEST_NS = 250_000_000, 4_000_000_000
"""Nobody throws a ball faster, and no ball stays in the track that is slower: time of a turn."""
LATEST = (3, 2)
"""A pass may come so many times later than at the speed of the pass before."""
_EARLIEST = (9, 10)
_WIDTHS = ((1, 4), (17, 10))
"""How long a beam is dark, as a part of what a ball across its middle takes."""


@dataclass(frozen=True, slots=True)
class Pass:
    """A beam was dark, and is free again."""

    beam: int
    """0 or 1."""
    at_ns: int
    """When it went dark."""
    dark_ns: int
    """For how long."""

    @property
    def free_ns(self) -> int:
        return self.at_ns + self.dark_ns


class Track:
    """The ball's track, as its beams see it. Times of a turn are in nanoseconds.

    Attributes:
        beams: 1 or 2.
        two: there are two, and the ball passes them in turn.
    """

    def __init__(self, geometry: RotorGeometry) -> None:
        self._geometry = geometry
        self.beams = geometry.beams
        self.two = geometry.beams == 2

    def in_turn(self, first: Pass, second: Pass) -> bool:
        """Whether the second pass is at the beam that comes after the first's."""
        return not self.two or first.beam != second.beam

    def part_mdeg(self, beam: int, direction: int) -> int:
        """From a beam to the next one."""
        if not self.two:
            return MDEG_PER_TURN
        angle = self._geometry.beam_angle_mdeg
        return angle if (beam == 0) == (direction < 0) else MDEG_PER_TURN - angle

    def turn_of(self, first: Pass, second: Pass, direction: int) -> int:
        """What a turn takes at the speed between two passes."""
        return (second.at_ns - first.at_ns) * MDEG_PER_TURN // self.part_mdeg(first.beam, direction)

    def is_ball(self, some: Pass, turn_ns: int) -> bool:
        """Whether the beam was dark for as long as a ball of this speed darkens it."""
        whole_ns = turn_ns * self._geometry.ball_um // self._geometry.track_um
        _, (most, of_most) = _WIDTHS
        return not self.is_cut(some, turn_ns) and some.dark_ns * of_most <= whole_ns * most

    def is_cut(self, some: Pass, turn_ns: int) -> bool:
        """Whether it was dark for a shorter time, as by a ball that comes down there."""
        whole_ns = turn_ns * self._geometry.ball_um // self._geometry.track_um
        (least, of_least), _ = _WIDTHS
        return some.dark_ns * of_least < whole_ns * least

    def is_round(self, first: Pass, second: Pass, turn_ns: int) -> bool:
        """Whether a ball of this speed can have come around to the same beam."""
        early, of_early = _EARLIEST
        return turn_ns * early <= (second.at_ns - first.at_ns) * of_early

    def slow(self, turn_ns: int) -> bool:
        """Slow enough to leave the track by itself."""
        return turn_ns >= self._geometry.leaves_from_ns


def slows(before_ns: int, turn_ns: int) -> bool:
    """Whether a ball that took so long for a turn may then take so long."""
    (late, of_late), (early, of_early) = LATEST, _EARLIEST
    return before_ns * early <= turn_ns * of_early and turn_ns * of_late <= before_ns * late
