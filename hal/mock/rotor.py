"""The simulated roulette wheel: rotor, ball and the sensor head that watches them. Backend ``mock``."""

import math
from dataclasses import replace
from functools import partial

import numpy as np

from hal.errors import check_known
from hal.events import BALL_1, BALL_2
from hal.interfaces import Clock
from hal.mock.arrays import Sensed
from hal.mock.ball import BallTruth, Climb, ball_run, beam_edges, leaps, returns
from hal.mock.devices import MockReader
from hal.mock.encoder import Encoder
from hal.mock.head import NS_PER_S, SimulatedHead
from hal.mock.motion import Run
from hal.mock.settings import RotorSettings

_FALLS_S, _SETTLES_S = (0.7, 1.3), (0.6, 1.6)
"""How long the ball needs from the track to the rotor, and there until it lies still."""
_READER_TURNS = 2
"""Turns of the rotor until the reader is certain."""


class MockRotorHead(SimulatedHead):
    """A roulette wheel and its sensors. Angles are in turns, growing counterclockwise as seen from above.

    Args:
        beams: 1 or 2.
        reader: sees the ball once it lies in a pocket.
    """

    def __init__(
        self, settings: RotorSettings, beams: int, reader: MockReader, clock: Clock, slice_ns: int | None
    ) -> None:
        self._settings = settings
        self._reader = reader
        self.beams: tuple[float, ...] = (0.0, -settings.beam_angle_deg / 360)[:beams]
        self._half = settings.ball_mm / (math.pi * settings.track_mm) / 2
        begins = settings.index_begins_counts + settings.reversed if settings.index_gate == "none" else 0
        self._disc = Encoder(settings, begins, settings.index_wide_counts)
        self._rotor = self._pushed(0.1, 1, 0.0)
        self._pushed_ns = clock.now_ns()
        self._delivered = self._rotor.begin
        """The last angle whose edges were delivered."""
        self._run: Run | None = None
        self._thrown_ns = 0
        self._edges: list[tuple[int, str]] = []
        """Of the beams, still to come."""
        self.ball: BallTruth | None = None
        """The last throw."""
        self._aim = ""
        super().__init__(np.random.default_rng(settings.seed), settings.jitter_us, clock, slice_ns)

    # -- SimulatedHead -------------------------------------------------------------------------------------

    @property
    def moving(self) -> bool:
        # A rotor that has stopped since it was last polled has edges to deliver.
        return bool(self._edges) or self._stops_ns > self._polled_ns or self._delivered != self._rotor.end

    @property
    def at_rest_ns(self) -> int:
        """When the ball lies still, or is gone. The rotor turns on."""
        return self.ball.rests_ns if self.ball is not None else self._polled_ns

    @property
    def busy_until_ns(self) -> int:
        return max(self._stops_ns, self.at_rest_ns)

    def sensor_levels(self) -> dict[str, bool]:
        beams = dict.fromkeys((BALL_1, BALL_2)[: len(self.beams)], False)
        return {**self._disc.levels(self._delivered * self._settings.counts_per_turn), **beams}

    def sense(self, to_ns: int) -> tuple[list[Sensed], ...]:
        turn, rotor, start = self._settings.counts_per_turn, self._rotor, self._delivered
        self._delivered = self._rotor_at(to_ns)
        both = self._disc.edges(start * turn, self._delivered * turn, rotor.direction)
        sensed = [
            [(letters, rotor.times_at(angles / turn) * NS_PER_S + self._pushed_ns)] if len(letters) else []
            for letters, angles in both
        ]
        seen = [edge for edge in self._edges if edge[0] <= to_ns]
        self._edges = self._edges[len(seen) :]
        letters = np.frombuffer("".join(letter for _, letter in seen).encode(), np.uint8)
        beams = [(letters, np.array([float(at_ns) for at_ns, _ in seen]))] if seen else []
        return *sensed, beams

    # -- actions -------------------------------------------------------------------------------------------

    @property
    def pockets(self) -> tuple[str, ...]:
        """The pockets clockwise around the rotor."""
        return self._settings.pockets

    @property
    def rotor_angle(self) -> float:
        """Where the rotor truly is, in turns counterclockwise."""
        return self._rotor_at(self.clock.now_ns())

    @property
    def rotor_speed(self) -> float:
        """How fast the rotor truly turns, in turns a second, without a sign."""
        return self._rotor.speed_at((self.clock.now_ns() - self._pushed_ns) / NS_PER_S)

    @property
    def rotor_direction(self) -> int:
        """+1 counterclockwise, -1 clockwise, 0 if it stands."""
        return self._rotor.direction if self._stops_ns > self.clock.now_ns() else 0

    @property
    def ball_angle(self) -> float | None:
        """Where on the track the ball truly is, in turns counterclockwise from ball_1; None if it is not there."""
        now_ns = self.clock.now_ns()
        if self._run is None or self.ball is None or now_ns >= self.ball.leaves_ns:
            return None
        return self._run.place_at((now_ns - self._thrown_ns) / NS_PER_S) % 1.0

    def push_rotor(self, speed_rev_s: float, direction: int) -> None:
        """Turn the rotor: it goes on at this speed, and slows down by itself. Speed 0 holds it."""
        self.poll()
        self._judge_rotor()  # It may have run out before.
        self._rotor = self._pushed(self.rotor_angle, direction, speed_rev_s)
        self._pushed_ns = self.clock.now_ns()
        self._judge_rotor()
        self.schedule()

    def throw_ball(self, turns: float, direction: int, into: str = "", leaves_after: float | None = None) -> None:
        """Throw the ball into the track.

        Args:
            turns: around the track, until it is too slow for it.
            into: the pocket that it will come to lie in.
            leaves_after: turns after which it leaves the wheel altogether; beyond ``turns``, as it comes down.

        Raises:
            UnknownLineError: the wheel has no such pocket.
        """
        if into:
            check_known("pocket", into, self.pockets)
        self.take_ball()
        rng, settings, now_ns = self.rng, self._settings, self.clock.now_ns()
        hand = settings.hand_deg / 360 + rng.uniform(-0.03, 0.03)
        leaves = rng.uniform(1 - settings.leaves_varies, 1 + settings.leaves_varies)
        friction, drag = rng.uniform(1 - settings.ball_varies, 1 + settings.ball_varies, 2)
        climb = Climb.drawn(rng, settings, turns)
        run = ball_run(settings, turns, hand, direction, (friction, drag, leaves), climb)
        gone = leaves_after is not None and leaves_after < turns
        way = min(turns, leaves_after) if leaves_after is not None else turns
        leaves_ns = now_ns + int(run.times_at(np.array([hand + direction * way]))[0] * NS_PER_S)
        falls = rng.uniform(*_FALLS_S) + rng.uniform(*_SETTLES_S)
        rests_ns = leaves_ns + (0 if gone else int(falls * NS_PER_S))
        self._run, self._thrown_ns, self._aim = run, now_ns, into
        revolutions = returns(run, way, self.beams, self._half)
        self.ball = BallTruth(direction, revolutions, leaves_ns, rests_ns, natural=leaves_after is None)
        self._edges += beam_edges(run, climb, now_ns, leaves_ns, self.beams, self._half)
        self._edges += [] if gone else leaps(rng, settings, leaves_ns, len(self.beams))
        self._edges.sort()
        self._judge_rotor()
        self.clock.call_at(leaves_ns, partial(self._left, run))
        self.clock.call_at(rests_ns, partial(self._lands, run))
        self.schedule()

    def take_ball(self) -> None:
        """Take the ball out of the track or out of its pocket."""
        self.poll()
        now_ns, ball, run = self.clock.now_ns(), self.ball, self._run
        if ball is not None and run is not None:
            rests_ns = min(ball.rests_ns, now_ns)
            natural = ball.natural and ball.pocket != ""
            if now_ns < ball.leaves_ns:
                way = run.way_at((now_ns - self._thrown_ns) / NS_PER_S)
                revolutions = returns(run, way, self.beams, self._half)
                ball = replace(ball, revolutions=revolutions, leaves_ns=now_ns)
            self.ball = replace(ball, pocket="", rests_ns=rests_ns, natural=natural)
        ends = self._edges[:1]
        # If it was in a beam, the beam is free again.
        self._edges = [(now_ns + 1000, ends[0][1])] if ends and ends[0][1].islower() else []
        self._run = None
        self._reader.forget()

    # -- inside --------------------------------------------------------------------------------------------

    def _pushed(self, at: float, direction: int, speed: float) -> Run:
        """A rotor that runs out."""
        w2 = speed * speed
        return Run.of(
            at, direction, np.array((0.0, w2 / 2 / self._settings.rotor_slows_rev_s2)), np.array((w2, 0.0))
        )

    @property
    def _stops_ns(self) -> int:
        return self._pushed_ns + int(self._rotor.duration_s * NS_PER_S)

    def _rotor_at(self, at_ns: int) -> float:
        return self._rotor.place_at((at_ns - self._pushed_ns) / NS_PER_S)

    def _judge_rotor(self) -> None:
        """The ball runs against the rotor only while that turns, and the other way."""
        ball = self.ball
        if ball is not None and self.clock.now_ns() <= ball.leaves_ns and self.rotor_direction != -ball.direction:
            self.ball = replace(ball, against=False)

    def _left(self, run: Run) -> None:
        self.poll()
        if self._run is run:
            self._judge_rotor()

    def _lands(self, run: Run) -> None:
        """The ball comes to lie in a pocket of the rotor, after it was carried on by chance."""
        self.poll()
        if self._run is not run or self.ball is None or not self.ball.natural:
            return
        pockets = self.pockets
        place = math.floor((self.rotor_angle - run.end) * len(pockets)) + int(self.rng.integers(2 * len(pockets)))
        pocket = self._aim or pockets[place % len(pockets)]
        self.ball = replace(self.ball, pocket=pocket)
        self._reader.sees(pocket, pockets, min(20.0, _READER_TURNS / max(0.05, self.rotor_speed)))
