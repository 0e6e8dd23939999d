"""The simulated roulette wheel: rotor, ball and the sensor head that watches them. Backend ``mock``.

Angles are in turns, growing counterclockwise as seen from above.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hal.errors import check_known
from hal.events import BALL_1, BALL_2
from hal.interfaces import Clock
from hal.mock.clock import NS_PER_S
from hal.mock.devices import MockReader
from hal.mock.head import SimulatedHead, in_order
from hal.mock.motion import Run
from hal.mock.settings import RotorSettings

_FALLS_S, _SETTLES_S = (0.7, 1.3), (0.6, 1.6)
"""How long the ball needs from the track to the rotor, and there until it lies still."""
_READER_TURNS = 2  # Until it is certain.
_NODES_A_TURN, _STEP = 16, 1e-6
_CLIMBS_TURNS, _CLIMBS_WIDE, _CLIMBS_LOSS = (0.0, 3.0), (0.5, 1.7), 0.1
_LEAPS_MOST, _LEAPS_S, _LEAST_LEAP_S, _APART_S = 2, (0.05, 2.0), 0.001, 0.01

Shadow = tuple[str, float, float]
"""A beam that the ball darkens: its letter, from when to when, in seconds."""


Climb = tuple[float, float, float]
"""How a ball runs up the wall, if it does: after how many turns, from where on it is slower by a part of its speed,
and how much longer than on the track it darkens a beam in the turn after that."""
_ON_THE_TRACK: Climb = (math.inf, 0.0, 1.0)


@dataclass(slots=True)
class BallTruth:
    run: Run
    """In the track, until it is too slow for it."""
    thrown_ns: int
    leaves_ns: int
    """When it left the track, or the wheel."""
    rests_ns: int
    revolutions: int
    """Complete ones: returns to the first beam."""
    against: bool = True
    """It ran against the rotor, which turned all the while."""
    taken: bool = False
    pocket: str = ""
    """Where it lies; empty until it does, and if it is not in the wheel."""


def ball_run(
    settings: RotorSettings,
    turns: float,
    at: float = 0.0,
    direction: int = 1,
    varied: Sequence[float] = (1.0, 1.0, 1.0),
    climb: Climb = _ON_THE_TRACK,
) -> Run:
    """A ball that runs so many turns until it is too slow for the track.

    It is slowed by friction and by air, which takes more the faster it is; on a wheel that is not level, its speed
    swings once a turn.

    Args:
        varied: by how much friction, air and the speed at which it leaves differ from the usual.
    """
    friction, drag = settings.ball_friction_rev_s2 * varied[0], settings.ball_drag_per_rev * varied[1]
    along, (climbs, loss, _) = np.linspace(0, turns, math.ceil(turns * _NODES_A_TURN) + 1), climb
    if climbs < turns:
        along = np.sort(np.append(along, (climbs, climbs + _STEP)))
    part = friction / drag
    w2 = ((settings.leaves_rev_s * varied[2]) ** 2 + part) * np.exp(2 * drag * (turns - along)) - part
    swings = 1 + settings.tilt_part * np.cos(2 * math.pi * (at + direction * along - settings.tilt_deg / 360))
    return Run(at, direction, along, w2 * (swings * np.where(along > climbs, 1 - loss, 1)) ** 2)


class MockRotorHead(SimulatedHead):
    """A roulette wheel and its sensors.

    Args:
        beams: 1 or 2.
        reader: sees the ball once it lies in a pocket.
    """

    def __init__(
        self, settings: RotorSettings, beams: int, reader: MockReader, clock: Clock, slice_ns: int | None
    ) -> None:
        self._settings, self._reader = settings, reader
        self.pockets = settings.pockets
        self.beams = dict(zip((BALL_1, BALL_2)[:beams], (0.0, -settings.beam_angle_deg / 360), strict=False))
        """The angle of each, by its line's letter."""
        self._half = settings.ball_mm / (math.pi * settings.track_mm) / 2
        self.ball: BallTruth | None = None
        free = dict.fromkeys(self.beams, False)
        super().__init__(settings, 0.1, settings.counts_per_turn, free, clock, slice_ns)

    @property
    def at_rest_ns(self) -> int:
        """When the ball lies still, or is gone. The rotor turns on."""
        return self.ball.rests_ns if self.ball is not None else self._polled_ns

    @property
    def rotor_direction(self) -> int:
        return int(np.sign(self.velocity))

    @property
    def ball_angle(self) -> float | None:
        """Where on the track the ball truly is, in turns counterclockwise from ball_1; None if it is not there."""
        ball, now_ns = self.ball, self.clock.now_ns()
        if ball is None or now_ns >= ball.leaves_ns:
            return None
        return ball.run.place_at((now_ns - ball.thrown_ns) / NS_PER_S) % 1.0

    # -- actions -------------------------------------------------------------------------------------------

    def push_rotor(self, speed_rev_s: float, direction: int) -> None:
        """Turn the rotor: it goes on at this speed, and slows down by itself. Speed 0 holds it."""
        self.poll()
        self._judge()  # It may have run out before.
        w2 = speed_rev_s**2
        along = np.array((0.0, w2 / 2 / self._settings.rotor_slows_rev_s2))
        self.lead([Run(self._x, direction, along, np.array((w2, 0.0)))] if w2 else [])
        self._judge()

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
        varies = settings.ball_varies, settings.ball_varies, settings.leaves_varies
        climb = _ON_THE_TRACK
        if rng.random() < settings.climbs_part:
            after = max(0.0, turns - rng.uniform(*_CLIMBS_TURNS))
            climb = after, rng.uniform(0, _CLIMBS_LOSS), rng.uniform(*_CLIMBS_WIDE)
        hand = settings.hand_deg / 360 + rng.uniform(-0.03, 0.03)
        run = ball_run(settings, turns, hand, direction, (1 + rng.uniform(-1, 1, 3) * varies).tolist(), climb)
        gone = leaves_after is not None and leaves_after < turns
        leaves = turns if leaves_after is None else min(turns, leaves_after)
        leaves_s = float(run.times_at(np.array([hand + direction * leaves]))[0])
        falls_s = 0.0 if gone else rng.uniform(*_FALLS_S) + rng.uniform(*_SETTLES_S)
        leaves_ns, rests_ns = (now_ns + int(at_s * NS_PER_S) for at_s in (leaves_s, leaves_s + falls_s))
        ball = BallTruth(run, now_ns, leaves_ns, rests_ns, self._returns(run, leaves))
        self.ball = ball
        self._judge()
        self._darken([*self._passes(run, climb, leaves_s), *([] if gone else self._leaps(leaves_s))])
        self.clock.call_at(leaves_ns, self._judge)
        if leaves_after is None:
            self.clock.call_at(rests_ns, lambda: self._lands(ball, into))

    def take_ball(self) -> None:
        self.poll()
        now_ns, ball = self.clock.now_ns(), self.ball
        if ball is None or ball.taken:
            return
        if now_ns < ball.leaves_ns:
            way = ball.run.way_at((now_ns - ball.thrown_ns) / NS_PER_S)
            ball.revolutions, ball.leaves_ns = self._returns(ball.run, way), now_ns
        ball.taken, ball.pocket, ball.rests_ns = True, "", min(ball.rests_ns, now_ns)
        self._reader.forget()
        letters, times = self._later
        beams = np.isin(letters, np.frombuffer(b"PpQq", np.uint8))
        self._later = letters[~beams], times[~beams]
        next_one = chr(letters[beams][0]) if beams.any() else ""
        if next_one.islower():  # It was in a beam, which is free again.
            self._later = in_order([self._later, (letters[beams][:1], np.array([now_ns + 1000]))])

    # -- inside --------------------------------------------------------------------------------------------

    def _judge(self) -> None:
        """The ball runs against the rotor only while that turns, and the other way."""
        ball = self.ball
        if ball is not None and self.clock.now_ns() <= ball.leaves_ns and self.velocity * ball.run.direction >= 0:
            ball.against = False

    def _lands(self, ball: BallTruth, into: str) -> None:
        """The ball comes to lie in a pocket of the rotor, after it was carried on by chance."""
        self.poll()
        if self.ball is ball and not ball.taken:
            count = len(self.pockets)
            place = math.floor((self.x - ball.run.end) * count) + int(self.rng.integers(2 * count))
            ball.pocket = into or self.pockets[place % count]
            self._reader.sees(ball.pocket, self.pockets, min(20.0, _READER_TURNS / max(0.05, abs(self.velocity))))

    def _returns(self, run: Run, way: float) -> int:
        """How often a ball that has come so far came back to the first beam that it met."""
        # A beam that the ball is in when it is thrown is met a turn later.
        first = min(self._first(run, beam) % 1.0 for beam in self.beams.values())
        return max(0, math.floor(way - first))

    def _first(self, run: Run, beam: float) -> float:
        """How far a ball has come when it meets a beam first; negative for one that it is in."""
        return (beam - run.begin) * run.direction % 1.0 - self._half

    def _passes(self, run: Run, climb: Climb, leaves_s: float) -> Iterator[Shadow]:
        turns = float(run.along[-1])
        for letter, beam in self.beams.items():
            enters = self._first(run, beam) + np.arange(math.ceil(turns) + 1, dtype=np.float64)
            enters = enters[(enters >= 0) & (enters < turns)]
            dark_s = run.times_at(run.begin + run.direction * enters)
            free_s = run.times_at(run.begin + run.direction * (enters + 2 * self._half))
            wide = np.where((enters >= climb[0]) & (enters < climb[0] + 1), climb[2], 1.0)
            for begins_s, ends_s in zip(dark_s.tolist(), (dark_s + (free_s - dark_s) * wide).tolist(), strict=True):
                if begins_s < leaves_s:
                    yield letter, begins_s, min(ends_s, leaves_s)

    def _leaps(self, leaves_s: float) -> Iterator[Shadow]:
        """How some balls leap across the beams once they have left the track: one leap after the other."""
        rng, shortest, longest = self.rng, math.log(_LEAST_LEAP_S), math.log(self._settings.leap_longest_s)
        if rng.random() >= self._settings.leaps_part:
            return
        crossed = [letter for letter in self.beams for _ in range(rng.integers(0, _LEAPS_MOST + 1))]
        rng.shuffle(crossed)
        free_s = 0.0
        for letter, after_s in zip(crossed, sorted(rng.uniform(*_LEAPS_S, len(crossed)).tolist()), strict=True):
            begins_s = max(after_s, free_s + _APART_S)
            free_s = begins_s + math.exp(rng.uniform(shortest, longest))
            yield letter, leaves_s + begins_s, leaves_s + free_s

    def _darken(self, shadows: list[Shadow]) -> None:
        edges = sorted(
            edge for line, dark_s, free_s in shadows for edge in ((dark_s, ord(line)), (free_s, ord(line.lower())))
        )
        if edges:
            times, letters = np.array(edges).T
            planned = self._stamped((letters.astype(np.uint8), self.clock.now_ns() + times * NS_PER_S))
            self._later = in_order([self._later, planned])
        self.schedule()
