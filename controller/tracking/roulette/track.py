"""What a ball does in its track: when it passes the beams, and for how long it darkens them."""

from collections.abc import Sequence
from dataclasses import dataclass

from controller.events.event import Fault, Health
from controller.tracking.roulette.rotor import RotorGeometry
from controller.tracking.tracker import sensor_fault

MDEG_PER_TURN = 360_000
FASTEST_NS, SLOWEST_NS = 250_000_000, 2_500_000_000
"""Nobody throws a ball faster, and none that is slower stays in the track, which balls leave at half a revolution a
second: time of a turn."""
LATEST = 1.5
"""A pass may come so many times later than at the speed of the pass before."""
_EARLIEST = 0.8
"""And so many times sooner: on a wheel that is not level the ball is faster on its low side."""
_SHORTEST, _LONGEST = 0.25, 2.5
"""How long a beam is dark, as a part of what a ball across its middle takes. A beam has a width of its own."""
_WHEN, _AS_LONG = 1 / 80, 1 / 25
"""By so much, as parts, a turn and the time in the beam may differ from what the turns before lead to expect."""
_SLOWS_REV_S2 = (0.02, 0.06, 0.2)
"""What a ball loses of its speed: at least, usually, and at most."""
_SURELY = 1.2
"""So much longer a turn takes of a ball that will not run on for long."""
_NS_PER_S = 1e9


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
        return _SHORTEST * self._whole_ns(turn_ns) <= some.dark_ns <= _LONGEST * self._whole_ns(turn_ns)

    def is_cut(self, some: Pass, turn_ns: int) -> bool:
        """Whether it was dark for a shorter time, as by a ball that comes down there."""
        return some.dark_ns < _SHORTEST * self._whole_ns(turn_ns)

    def _whole_ns(self, turn_ns: int) -> float:
        """How long a ball of this speed darkens a beam across its middle."""
        return turn_ns * self._geometry.ball_um / self._geometry.track_um

    def next_turn(self, last: Pass, new: Pass, turn_ns: int, direction: int) -> int:
        """What a turn takes, if the ball can have run on from one pass to the next beam; 0 if it cannot."""
        new_ns = self.turn_of(last, new, direction)
        fits = self.in_turn(last, new) and slows(turn_ns, new_ns) and self.is_ball(new, new_ns)
        return new_ns if fits else 0

    def gains(self, line: Sequence[Pass], new: Pass) -> bool:
        """Whether a ball would have to gain speed to make this pass after those.

        A whole turn is compared with the one before at the same beam: level or not, no wheel lets it take less, and
        friction and air make it take 2 in 100 more at the least.
        """
        before = [one.at_ns for one in line if one.beam == new.beam][-2:]
        return len(before) == 2 and new.at_ns - before[1] < before[1] - before[0]

    def as_before(self, line: Sequence[Pass], new: Pass) -> bool:
        """Whether this pass comes just when the ball, slowing down as it did, comes again, and is dark as long.

        What a ball loses of its speed shrinks as that does. Whole turns past one beam are compared, three of them.
        """
        if len(line) < 3 * self.beams:
            return False
        third, second, first = (line[-turns * self.beams] for turns in (3, 2, 1))
        older_ns, turn_ns, new_ns = second.at_ns - third.at_ns, first.at_ns - second.at_ns, new.at_ns - first.at_ns
        loss = (1 / older_ns - 1 / turn_ns) * 2 / (older_ns + turn_ns) * older_ns / turn_ns
        expected = 1 / turn_ns - loss * (turn_ns + new_ns) / 2
        dark_ns = first.dark_ns * new_ns / turn_ns
        return abs(expected * new_ns - 1) <= _WHEN and abs(new.dark_ns - dark_ns) <= _AS_LONG * dark_ns

    def whole_turn(self, last: Pass, new: Pass, turn_ns: int) -> int:
        """The same for a turn from a beam to itself, past a beam that did not see it."""
        new_ns = new.at_ns - last.at_ns
        return new_ns if slows(turn_ns, new_ns) and self.is_ball(new, new_ns) else 0

    def alone(self, first: Pass, middle: Pass, last: Pass) -> bool:
        """Whether a ball passed one of two beams, and the other one is silent."""
        before_ns, turn_ns = middle.at_ns - first.at_ns, last.at_ns - middle.at_ns
        alike = self.two and first.beam == middle.beam == last.beam
        balls = all(self.is_ball(some, turn_ns) for some in (first, middle, last))
        return alike and balls and slows(before_ns, turn_ns) and before_ns >= FASTEST_NS

    def ways(self, first: Pass, middle: Pass, last: Pass, ends_cut: bool = False) -> list[tuple[int, int, int]]:
        """The directions in which a ball could have made these passes, and what its two turns took.

        Args:
            ends_cut: the last one is the pulse of a ball that comes down there.
        """
        if not (self.in_turn(first, middle) and self.in_turn(middle, last)):
            return []
        ways = []
        for direction in (1, -1) if self.two else (0,):
            before_ns = self.turn_of(first, middle, direction)
            turn_ns = self.turn_of(middle, last, direction)
            ends = self.is_cut(last, turn_ns) if ends_cut else self.is_ball(last, turn_ns)
            balls = ends and all(self.is_ball(some, turn_ns) for some in (first, middle))
            if balls and slows(before_ns, turn_ns) and before_ns >= FASTEST_NS:
                ways.append((direction, before_ns, turn_ns))
        return ways

    def runs(self, passes: Sequence[Pass]) -> bool:
        """Whether a ball could have made all of these passes, three or more, in one direction."""
        threes = zip(passes, passes[1:], passes[2:], strict=False)
        fitting = [{way for way, *_ in self.ways(*three)} for three in threes]
        return bool(fitting and set.intersection(*fitting))

    def slow(self, turn_ns: int) -> bool:
        """Slow enough to leave the track by itself."""
        return turn_ns >= self._geometry.leaves_from_ns

    def surely_slow(self, turn_ns: int) -> bool:
        """So slow that it cannot stay in the track for long."""
        return turn_ns >= self._geometry.leaves_from_ns * _SURELY

    def turn_at(self, line: Sequence[Pass], turn_ns: int, at_ns: int) -> int:
        """What a turn takes at a moment after these passes in turn, if the ball goes on losing speed as it did.

        Whole turns are compared, so that it does not matter where on a wheel that is not level the ball is faster.

        Args:
            line: the last passes of a chain; those of two turns tell how it slows down.
            turn_ns: what a turn took at the last of them, if they are of less than a turn.
        """
        last_ns, least, loss, most = line[-1].at_ns, *_SLOWS_REV_S2
        since_ns = float(at_ns - last_ns)
        if len(line) > self.beams:
            turn_ns = last_ns - line[-1 - self.beams].at_ns
            since_ns += turn_ns / 2
        if len(line) > 2 * self.beams:
            before_ns = line[-1 - self.beams].at_ns - line[-1 - 2 * self.beams].at_ns
            lost = _NS_PER_S / before_ns - _NS_PER_S / turn_ns
            loss = min(most, max(least, lost * _NS_PER_S * 2 / (before_ns + turn_ns)))
        speed = _NS_PER_S / turn_ns - loss * since_ns / _NS_PER_S
        return int(_NS_PER_S / max(speed, _NS_PER_S / SLOWEST_NS))


def slows(before_ns: int, turn_ns: int) -> bool:
    """Whether a ball that took so long for a turn may then take so long."""
    return before_ns * _EARLIEST <= turn_ns <= min(before_ns * LATEST, SLOWEST_NS)


RUNS_ON = 3
"""Passes that only a ball makes which runs on: one that has left the track may by chance make one, or two."""
_THROWN_AGAIN = 5
"""Consecutive pulses that fit a running ball mean a new throw: leaps do not keep that rhythm for so long."""
_LEAPS = 8
"""Pulses that a ball makes as it comes down, at most: it leaps across either beam once or twice."""


class Descent:
    """The pulses since the last pass of a chain.

    Attributes:
        pulses: in order of time.
        on: those among them that a ball would make which runs on.
    """

    def __init__(self, track: Track) -> None:
        self._track = track
        self.clear()

    def clear(self) -> None:
        """The run has ended, or the chain is broken."""
        self.pulses: list[Pass] = []
        self.on: list[Pass] = []
        self.turn_ns = 0
        """What the last of those took for a turn."""
        self._silent = -1
        """The beam that such a ball did not darken."""

    def take(self, new: Pass, line: Sequence[Pass], turn_ns: int, direction: int) -> Fault | None:
        """A pulse after a chain's passes; returns what it shows to be wrong with the beams, if anything."""
        self.pulses.append(new)
        passed, track, now_ns = [*line, *self.on], self._track, 0
        before, before_ns = passed[-1], self.turn_ns if self.on else turn_ns
        if track.gains(passed, new):
            pass  # A ball that runs on loses speed.
        elif track.in_turn(before, new):
            now_ns = track.next_turn(before, new, before_ns, direction)
        elif now_ns := track.whole_turn(before, new, before_ns):
            self._silent = 1 - new.beam
        if now_ns:
            self.on.append(new)
            self.turn_ns = now_ns
        if len(self.on) >= RUNS_ON:
            return silent(self._silent) if self._silent >= 0 else noise(self._stray.beam)
        again = len(self.pulses) >= _THROWN_AGAIN and track.runs(self.pulses[-_THROWN_AGAIN:])
        return noise(new.beam) if again or len(self.pulses) > _LEAPS else None

    @property
    def _stray(self) -> Pass:
        """A pulse that a ball which runs on did not make."""
        return next((pulse for pulse in self.pulses if pulse not in self.on), self.pulses[0])


def beam_fault(beam: int, health: Health, code: str) -> Fault:
    return sensor_fault(code, f"ball_{beam + 1}", health)


def noise(beam: int) -> Fault:
    return beam_fault(beam, Health.NOISY, "no-balls-pulses")


def silent(beam: int) -> Fault:
    return beam_fault(beam, Health.SILENT, "beam-missed")
