"""The simulated roulette wheel: rotor, ball and the sensor head that watches them. Backend ``mock``."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from pydantic import BaseModel

from hal.events import BALL_1, BALL_2, ENCODER_A, ENCODER_B, INDEX
from hal.interfaces import Clock, EdgeSource
from hal.mock.arrays import Bytes, Times
from hal.mock.ball import BallRun, BallTruth, RotorMotion, beam_edges, leaps
from hal.mock.devices import MockReader, check_known
from hal.mock.encoder import encoder_train
from hal.mock.head import NO_EDGES, NS_PER_S, Edges, SimulatedHead
from hal.mock.index_mark import IndexMark
from hal.mock.settings import RotorSettings

_HAND_NS = 10_000_000
"""A hand that turns the rotor changes its speed every so often."""
_CLIMBS_TURNS, _CLIMBS_WIDE = (0.0, 3.0), (0.5, 1.7)
"""How long before its end a ball runs up the wall; how much longer than on the track it then darkens a beam."""
_FALLS_S, _SETTLES_S = (0.7, 1.3), (0.6, 1.6)
"""How long the ball needs from the track to the rotor, and there until it lies still."""


def open_device(wiring: BaseModel, settings: RotorSettings, clock: Clock) -> EdgeSource:
    """The head of the simulated roulette wheel that stands at this clock's table."""
    from hal.mock.world import World  # The world is made of this module's head.

    beams = 1 if getattr(getattr(wiring, "pins", None), "ball_2", None) is None else 2
    head: EdgeSource = World.of(clock).fit_rotor(settings, beams)
    return head


class MockRotorHead(SimulatedHead):
    """A roulette wheel and its sensors.

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
        """Where they stand, in turns counterclockwise."""
        self._index = IndexMark.of(settings)
        self._half = settings.ball_mm / (math.pi * settings.track_mm) / 2
        self._rotor = RotorMotion(clock.now_ns(), 0.1, 1, 0.0, settings.rotor_slows_rev_s2)
        self._position = self._rotor.at * settings.counts_per_turn
        """The last delivered position of the encoder, in counts."""
        self._run: BallRun | None = None
        self._passes: tuple[Bytes, Times] = (NO_EDGES, np.empty(0, np.int64))
        self.ball: BallTruth | None = None
        """The last throw."""
        self._aim = ""
        super().__init__(np.random.default_rng(settings.seed), settings.jitter_us, clock, slice_ns)

    # -- SimulatedHead -------------------------------------------------------------------------------------

    @property
    def moving(self) -> bool:
        turns = self._rotor.stops_ns > self._polled_ns
        # One that has stopped since it was last polled has edges to deliver.
        turned = self._rotor.angle_at(self._polled_ns) * self._settings.counts_per_turn != self._position
        return turns or turned or len(self._passes[0]) > 0

    @property
    def at_rest_ns(self) -> int:
        """When the ball lies still, or is gone. The rotor turns on."""
        return self.ball.rests_ns if self.ball is not None else self._polled_ns

    @property
    def busy_until_ns(self) -> int:
        return max(self._rotor.stops_ns, self.at_rest_ns)

    def sensor_levels(self) -> dict[str, bool]:
        m = math.floor(self._position)
        a, b = m % 4 in (1, 2), m % 4 in (2, 3)
        if self._settings.reversed:
            a, b = b, a
        beams = dict.fromkeys((BALL_1, BALL_2)[: len(self.beams)], False)
        return {
            ENCODER_A: a,
            ENCODER_B: b,
            INDEX: self._index.level(self._position),
            **beams,
        }

    def sense(self, from_ns: int, to_ns: int) -> tuple[Edges, ...]:
        encoder, index = self._turn(to_ns)
        letters, times = self._passes
        seen = int(times.searchsorted(to_ns, side="right"))
        self._passes = (letters[seen:], times[seen:])
        return encoder, index, [(letters[:seen], times[:seen].astype(np.float64))] if seen else []

    def ease(self) -> None:
        """Nothing can be done to these sensors but through their lines."""

    def repair(self) -> None:
        """The same."""

    # -- actions -------------------------------------------------------------------------------------------

    @property
    def pockets(self) -> tuple[str, ...]:
        """The pockets clockwise around the rotor."""
        return self._settings.pockets

    @property
    def rotor_angle(self) -> float:
        """Where the rotor truly is, in turns counterclockwise."""
        return self._rotor.angle_at(self.clock.now_ns())

    @property
    def rotor_direction(self) -> int:
        """+1 counterclockwise, -1 clockwise, 0 if it stands."""
        return self._rotor.direction if self._rotor.stops_ns > self.clock.now_ns() else 0

    @property
    def ball_angle(self) -> float | None:
        """Where on the track the ball truly is, in turns counterclockwise from ball_1; None if it is not there."""
        run, now_ns = self._run, self.clock.now_ns()
        if run is None or self.ball is None or now_ns >= self.ball.leaves_ns:
            return None
        return (run.at + run.direction * run.angle_after(run.way_at(now_ns))) % 1.0

    def push_rotor(self, speed_rev_s: float, direction: int) -> None:
        """Turn the rotor: it goes on at this speed, and slows down by itself. Speed 0 holds it."""
        self.poll()
        now_ns = self.clock.now_ns()
        self._judge_rotor(now_ns)  # It may have run out before.
        at = self._rotor.angle_at(now_ns)
        self._rotor = RotorMotion(now_ns, at, direction, speed_rev_s, self._settings.rotor_slows_rev_s2)
        self._judge_rotor(now_ns)
        self.schedule()

    def hand_rotor(self, rev_s: float, within_s: float) -> None:
        """A hand brings the rotor to a speed within a time; counterclockwise is positive, 0 holds it."""
        now_ns = self.clock.now_ns()
        begun = self.rotor_direction * self._rotor.speed_at(now_ns)
        steps = max(1, int(within_s * NS_PER_S) // _HAND_NS)
        for step in range(1, steps + 1):
            speed = begun + (rev_s - begun) * step / steps
            action = partial(self.push_rotor, abs(speed), 1 if speed > 0 else -1)
            self.clock.call_at(now_ns + step * _HAND_NS, action)

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
        now_ns = self.clock.now_ns()
        run = self._climbing(self._thrown(now_ns, turns, direction))
        gone = leaves_after is not None and leaves_after < turns
        way = min(turns, leaves_after) if leaves_after is not None else turns
        leaves_ns = run.time_ns(way)
        falls = float(self.rng.uniform(*_FALLS_S)) + float(self.rng.uniform(*_SETTLES_S))
        self._run, self._aim = run, into
        revolutions = self._returns(run, way)
        rests_ns = leaves_ns + (0 if gone else int(falls * NS_PER_S))
        self.ball = BallTruth(direction, revolutions, leaves_ns, rests_ns, natural=leaves_after is None)
        letters, times = beam_edges(run, self.beams, self._half, leaves_ns, () if gone else self._leaps())
        self._passes = (np.concatenate((self._passes[0], letters)), np.concatenate((self._passes[1], times)))
        self._judge_rotor(now_ns)
        truth = self.ball
        self.clock.call_at(leaves_ns, lambda: self._left(truth))
        self.clock.call_at(rests_ns, lambda: self._lands(truth))
        self.schedule()

    def take_ball(self) -> None:
        """Take the ball out of the track or out of its pocket."""
        self.poll()
        now_ns = self.clock.now_ns()
        if self.ball is not None and self._run is not None and now_ns < self.ball.leaves_ns:
            revolutions = self._returns(self._run, self._run.way_at(now_ns))
            ball = replace(self.ball, revolutions=revolutions, natural=False)
            self.ball = replace(ball, leaves_ns=now_ns)
        if self.ball is not None:
            lies = self.ball.pocket != ""
            self.ball = replace(self.ball, pocket="", rests_ns=min(self.ball.rests_ns, now_ns))
            self.ball = replace(self.ball, natural=self.ball.natural and lies)
        letters, times = self._passes
        if len(letters) and letters[0] & 0x20:  # It was in a beam: the beam is free again.
            self._passes = (letters[:1], np.array([now_ns + 1000], np.int64))
        else:
            self._passes = (letters[:0], times[:0])
        self._run = None
        self._reader.forget()

    # -- inside --------------------------------------------------------------------------------------------

    def _thrown(self, now_ns: int, turns: float, direction: int) -> BallRun:
        """A ball thrown from the dealer's place; place, speed and friction vary from throw to throw."""
        settings = self._settings
        hand = settings.hand_deg / 360 + float(self.rng.uniform(-0.03, 0.03))
        return BallRun(
            now_ns,
            hand,
            direction,
            turns,
            settings.leaves_rev_s * float(self.rng.uniform(1 - settings.leaves_varies, 1 + settings.leaves_varies)),
            settings.ball_friction_rev_s2 * self._varied(),
            settings.ball_drag_per_rev * self._varied(),
            settings.tilt_part,
            settings.tilt_deg / 360,
        )

    def _climbing(self, run: BallRun) -> BallRun:
        """The same run up the wall within its last turns, of some throws."""
        settings = self._settings
        if not settings.climbs_part or self.rng.random() >= settings.climbs_part:
            return run
        return replace(
            run,
            climbs_after=max(0.0, run.turns - float(self.rng.uniform(*_CLIMBS_TURNS))),
            climbs_loss=float(self.rng.uniform(0, settings.climbs_loss)),
            climbs_wide=float(self.rng.uniform(*_CLIMBS_WIDE)),
        )

    def _judge_rotor(self, now_ns: int) -> None:
        """The ball runs against the rotor only while that turns, and the other way."""
        if self.ball is None or now_ns >= self.ball.leaves_ns:
            return
        if self.rotor_direction != -self.ball.direction:
            self.ball = replace(self.ball, against=False)

    def _left(self, truth: BallTruth) -> None:
        self.poll()
        ball = self.ball
        if ball is not None and ball.leaves_ns == truth.leaves_ns and self.rotor_direction != -ball.direction:
            self.ball = replace(ball, against=False)

    def _lands(self, truth: BallTruth) -> None:
        """The ball comes to lie in a pocket of the rotor, after it was carried on by chance."""
        self.poll()
        ball = self.ball
        if ball is None or ball.rests_ns != truth.rests_ns or not ball.natural or self._run is None:
            return
        run, pockets = self._run, self.pockets
        angle = self.rotor_angle - (run.at + run.direction * run.turns)
        place = math.floor(angle * len(pockets)) + int(self.rng.integers(2 * len(pockets)))
        pocket = self._aim or pockets[place % len(pockets)]
        self.ball = replace(ball, pocket=pocket)
        self._reader.sees(pocket, pockets, self._reading_s())

    def _reading_s(self) -> float:
        """How long the reader needs until it is certain."""
        speed = max(0.05, self._rotor.speed_at(self.clock.now_ns()))
        return min(20.0, self._settings.reader_turns / speed)

    def _returns(self, run: BallRun, way: float) -> int:
        return replace(run, turns=way).returns(self.beams, self._half)

    def _varied(self) -> float:
        """By how much this throw differs from others."""
        varies = self._settings.ball_varies
        return float(self.rng.uniform(1 - varies, 1 + varies)) if varies else 1.0

    def _leaps(self) -> Sequence[tuple[float, int, float]]:
        settings = self._settings
        if not settings.leaps_part or self.rng.random() >= settings.leaps_part:
            return ()
        return leaps(self.rng, len(self.beams), settings.leaps_most, settings.leaps_s, settings.leap_longest_s)

    def _turn(self, to_ns: int) -> tuple[Edges, Edges]:
        """Edges of A and B, and of the index, until a moment."""
        turn, rotor = self._settings.counts_per_turn, self._rotor
        start, end = self._position, rotor.angle_at(to_ns) * turn
        self._position = end
        direction = rotor.direction
        count = (math.floor(end) - math.floor(start)) * direction
        if count < 0:
            return [], []
        first = math.floor(start) + direction
        # A count is entered at its lower end from below, and at its upper end from above.
        at = np.arange(first, first + direction * count, direction, dtype=np.float64) + (direction < 0)
        train = encoder_train(first, count, direction, self._settings.reversed)
        encoder = [(train, rotor.times_ns(at / turn))] if count else []
        letters, marks = self._index.edges(min(start, end), max(start, end), direction)
        return encoder, [(letters, rotor.times_ns(marks / turn))] if len(letters) else []
