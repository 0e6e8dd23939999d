"""A roulette wheel's sensor head: edges of rotor and ball beams become events.

The table feeds every batch of edges to :meth:`RouletteTracker.feed` and calls :meth:`RouletteTracker.tick` when
:attr:`RouletteTracker.due_ns` has come.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace

from controller.events.event import BallLeftTrack, BallRevolution, BallThrown, Fault, Health, RotorTurned
from controller.tracking.motion import NEVER, direction_of
from controller.tracking.roulette.ball import WAYS, BallTracker
from controller.tracking.roulette.rotor import STILL_NS, RotorGeometry, RotorTracker
from controller.tracking.tracker import HeadTracker, ReportedHealth
from hal.events import BALL_1, BALL_2

_BEAMS = (ord(BALL_1), ord(BALL_2))


class RouletteTracker(HeadTracker):
    """One roulette wheel.

    Args:
        levels: the level of each line at the start, by letter (see :mod:`hal.events`).
    """

    def __init__(self, geometry: RotorGeometry, levels: Mapping[str, bool]) -> None:
        super().__init__(levels, geometry.reversed)
        self._beams = _BEAMS[: geometry.beams]
        self.rotor = RotorTracker(geometry.counts_per_turn)
        self.ball = BallTracker(geometry, tuple(levels[chr(line)] for line in self._beams))
        self._ball_due_ns = self.ball.due_ns
        self._reported_direction = self._reported_revolutions = 0
        self._reported_running = False
        self._health = {"rotor": ReportedHealth(), "ball": ReportedHealth()}

    @property
    def _waits_ns(self) -> int:
        return NEVER if self._ball_due_ns is None else self._ball_due_ns

    def relearn(self) -> None:
        """People have worked on the sensors: the trial spin shows anew how the lines lie."""
        self.rotor.relearn()

    # -- edges -----------------------------------------------------------------------------------------------

    def _come_to(self, stamps: Sequence[int], first: int, end: int) -> int:
        at_ns = stamps[first]
        self._wait(at_ns)
        if self.rotor.stood(at_ns):
            self._quadrature.rested()
        if self._aside:
            end = min(end, self._aside[0][0])
        until_ns = min(at_ns + STILL_NS, NEVER if self._ball_due_ns is None else self._ball_due_ns)
        return max(first + 1, bisect_left(stamps, until_ns, first, end))

    def _run(self, edges: int, direction: int, stamps: Sequence[int], first: int) -> None:
        a, b = self._quadrature.levels
        line = ((a != b) != (direction > 0)) != self._backwards  # The one that changed last, as it is wired.
        while edges:
            taken = self.rotor.move(edges, direction, line, stamps, first)
            edges, first = edges - taken, first + taken
            self._report_rotor(stamps[first - 1])

    def _index(self, rises: bool, at_ns: int) -> None:
        self._wait(at_ns)
        self._unseen_index(rises, at_ns)
        self.rotor.index(rises, at_ns)
        self._report_rotor(at_ns)

    def _other(self, line: int, rises: bool, at_ns: int) -> None:
        self._wait(at_ns)
        if line in self._beams:
            self.ball.edge(self._beams.index(line), rises, at_ns)
            self._after(None, at_ns)

    def _lost(self, found: Fault, at_ns: int, gap: int = 0) -> None:
        if self._ball_due_ns is not None:  # The lost edges may precede an event that is already due.
            at_ns = min(at_ns, self._ball_due_ns)
        self.rotor.lost(found, at_ns)
        self._report_rotor(at_ns)
        if gap or found.health is Health.NOISY:  # Of any line.
            self.ball.lost()
            self._ball_due_ns = self.ball.due_ns
            self._report_health("ball", self.ball.doubt, at_ns)

    def _wait(self, now_ns: int) -> None:
        """What the ball does by not passing a beam."""
        while self._ball_due_ns is not None and self._ball_due_ns <= now_ns:
            due_ns = self._ball_due_ns
            self._after(self.ball.tick(due_ns), due_ns)

    # -- events -----------------------------------------------------------------------------------------------

    def _after(self, left: BallLeftTrack | None, at_ns: int) -> None:
        """Report what an edge of a beam, or its absence, has made of the ball."""
        ball = self.ball
        # When a ball begins to run, the limit for a dark beam is shorter: its time may already have passed.
        self._ball_due_ns = None if ball.due_ns is None else max(ball.due_ns, at_ns)
        if ball.running and not self._reported_running:
            self._events.append(BallThrown(at_ns, WAYS[ball.direction]))
        if ball.running and ball.revolutions > self._reported_revolutions:
            turned = self.rotor.turned_since(ball.thrown_ns, at_ns)
            against = None if 0 in (ball.direction, turned) else ball.direction != turned
            for number in range(self._reported_revolutions + 1, ball.revolutions + 1):
                self._events.append(BallRevolution(at_ns, number, WAYS[ball.direction], against))
        if left is not None:
            # No beam sees just when it is thrown and when it leaves: the rotor turns from before the one until it
            # is clear that it has left. With one beam nobody asks which way the rotor turned.
            turned = self.rotor.turned_since(ball.thrown_ns, left.at_ns)
            fault = left.fault or (self.rotor.doubt if len(self._beams) > 1 else None)
            self._events.append(replace(left, rotor=WAYS[turned], fault=fault))
        self._reported_running = ball.running
        self._reported_revolutions = ball.revolutions if ball.running else 0
        self._report_health("ball", ball.doubt, at_ns)

    def _report_rotor(self, at_ns: int) -> None:
        direction = self.rotor.direction
        if direction not in (0, self._reported_direction):
            self._events.append(RotorTurned(at_ns, direction_of(direction)))
            self._reported_direction = direction
        self._report_health("rotor", self.rotor.doubt, at_ns)

    def _report_health(self, part: str, doubt: Fault | None, at_ns: int) -> None:
        """Make a change of a doubt an event."""
        unproved = part == "ball" and self.ball.running and not self.ball.proved
        if doubt is not None or not unproved:
            self._events += self._health[part].change(doubt, at_ns)
