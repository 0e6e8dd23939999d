"""A roulette wheel's sensor head: edges of rotor and ball beams become events.

The table feeds every batch of edges to :meth:`RouletteTracker.feed` and calls :meth:`RouletteTracker.tick` when
:attr:`RouletteTracker.due_ns` has come. The events do not depend on how the edges were cut into batches.
"""

from collections.abc import Mapping

from controller.events.event import (
    BallLeftTrack,
    BallRevolution,
    BallThrown,
    Direction,
    Event,
    Fault,
    RotorTurned,
)
from controller.tracking.roulette.ball import BallTracker
from controller.tracking.roulette.rotor import RotorGeometry, RotorTracker
from controller.tracking.roulette.track import Left
from controller.tracking.tracker import SWAP_A_B, EdgeNumbers, ReportedHealth
from hal.events import BALL_1, BALL_2, ENCODER_A, ENCODER_B, INDEX, EdgeBatch

_BEAMS = (BALL_1, BALL_2)
_ENCODER = f"{ENCODER_A}{ENCODER_B}".encode() + f"{ENCODER_A}{ENCODER_B}".lower().encode()
_RISING_BELOW = ord("a")
_WAYS = {1: Direction.COUNTERCLOCKWISE, -1: Direction.CLOCKWISE, 0: None}


class RouletteTracker:
    """One roulette wheel.

    Args:
        levels: the level of each line at the start, by letter (see :mod:`hal.events`).
    """

    def __init__(self, geometry: RotorGeometry, levels: Mapping[str, bool]) -> None:
        self._geometry = geometry
        self.rotor = RotorTracker(geometry, levels[ENCODER_A], levels[ENCODER_B], levels[INDEX])
        self.ball = BallTracker(geometry, tuple(levels[line] for line in _BEAMS[: geometry.beams]))
        self._numbers = EdgeNumbers()
        self._due_ns = self.ball.due_ns
        self._reported_direction = 0
        self._reported_revolutions = 0
        self._reported_running = False
        self._health = {"rotor": ReportedHealth(), "ball": ReportedHealth()}
        self._events: list[Event] = []

    @property
    def moving(self) -> bool:
        """A rotor may turn at any time."""
        return False

    def look(self, levels: Mapping[str, bool], now_ns: int) -> list[Event]:
        """No spin of a rotor ends with its rest."""
        return []

    def stands(self, now_ns: int) -> bool:
        """No spin of a rotor ends with its rest."""
        return False

    @property
    def due_ns(self) -> int | None:
        """When to call :meth:`tick` unless edges come before."""
        return self._due_ns

    def feed(self, batch: EdgeBatch) -> list[Event]:
        """Take a batch of edges; returns the events that they prove, in order of time."""
        if not len(batch):
            return []
        if wrong := self._numbers.check(batch):
            self._lost_edges(wrong[0][0], batch.timestamps_ns[0])
        edges = batch.edges.translate(SWAP_A_B) if self._geometry.reversed else batch.edges
        for letter, at_ns in zip(edges, batch.timestamps_ns, strict=True):
            self._tick(at_ns)
            if letter in _ENCODER:
                self.rotor.edge(letter, at_ns)
                if self.rotor.has_news:
                    self._report_rotor()
            else:
                self._other(chr(letter).upper(), letter < _RISING_BELOW, at_ns)
        return self._take()

    def tick(self, now_ns: int) -> list[Event]:
        """Time has passed without edges."""
        self._tick(now_ns)
        return self._take()

    def relearn(self) -> None:
        """People have worked on the sensors: the trial spin shows anew how the lines lie."""
        self.rotor.relearn()

    # -- edges -----------------------------------------------------------------------------------------------

    def _other(self, line: str, rises: bool, at_ns: int) -> None:
        if line == INDEX:
            self.rotor.index(rises, at_ns)
            self._report_rotor()
        elif line in _BEAMS[: self._geometry.beams]:
            self._after(self.ball.edge(_BEAMS.index(line), rises, at_ns), at_ns)

    def _tick(self, now_ns: int) -> None:
        """What the ball does by not passing a beam."""
        while self._due_ns is not None and self._due_ns <= now_ns:
            due_ns = self._due_ns
            self._after(self.ball.tick(due_ns), due_ns)

    def _lost_edges(self, fault: Fault, at_ns: int) -> None:
        self.rotor.lost(fault, at_ns)
        self.ball.lost()
        self._due_ns = self.ball.due_ns
        self._report_rotor()
        self._report_health("ball", self.ball.doubt, at_ns)

    # -- events -----------------------------------------------------------------------------------------------

    def _after(self, left: Left | None, at_ns: int) -> None:
        """Report what an edge of a beam, or its absence, has made of the ball."""
        ball = self.ball
        self._due_ns = ball.due_ns
        if ball.running and not self._reported_running:
            self._events.append(BallThrown(at_ns, _WAYS[ball.direction]))
        if ball.running and ball.revolutions > self._reported_revolutions:
            turned = self.rotor.turned_since(ball.thrown_ns, at_ns)
            against = None if 0 in (ball.direction, turned) else ball.direction != turned
            self._events.append(BallRevolution(at_ns, ball.revolutions, _WAYS[ball.direction], against))
        if left is not None:
            self._events.append(self._left(left))
        self._reported_running = ball.running
        self._reported_revolutions = ball.revolutions if ball.running else 0
        self._report_health("ball", ball.doubt, at_ns)

    def _left(self, left: Left) -> BallLeftTrack:
        """The ball has left: what is beyond doubt of its run."""
        fault = left.fault
        # No beam sees just when it is thrown and when it leaves: the rotor turns from before the one until it is
        # clear that it has left.
        turned = self.rotor.turned_since(left.thrown_ns, left.at_ns)
        if fault is None and self._geometry.beams > 1:
            fault = self.rotor.doubt  # With one beam nobody asks which way the rotor turned.
        return BallLeftTrack(
            left.at_ns,
            left.left_ns,
            left.revolutions,
            _WAYS[left.direction],
            _WAYS[turned],
            fault,
            left.early,
        )

    def _report_rotor(self) -> None:
        turned, changes = self.rotor.news()
        for turned_ns, direction in turned:
            if direction != self._reported_direction:
                self._events.append(RotorTurned(turned_ns, _WAYS[direction] or Direction.CLOCKWISE))
                self._reported_direction = direction
        for changed_ns, doubt in changes:
            self._report_health("rotor", doubt, changed_ns)

    def _report_health(self, part: str, doubt: Fault | None, at_ns: int) -> None:
        """Make a change of a doubt an event."""
        unproved = part == "ball" and self.ball.running and not self.ball.proved
        if doubt is not None or not unproved:
            self._events += self._health[part].change(doubt, at_ns)

    def _take(self) -> list[Event]:
        events, self._events = self._events, []
        return events
