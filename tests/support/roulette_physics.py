"""A roulette wheel by brute force: rotor and ball are integrated over a fine grid of time, and every edge of their
sensors is where a line's level changes on it. Nothing of the simulated hardware is used, so that a mistake there is
not believed here. Angles are in turns, growing counterclockwise; times in seconds.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from controller.events.event import BallLeftTrack, Event
from controller.tracking.roulette.rotor import RotorGeometry
from controller.tracking.roulette.wheel import RouletteTracker
from hal.events import EdgeBatch

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
STEP_S, BALL_STEP_S = 1e-3, 1e-4
_SINCE_S = np.arange(0, 40, BALL_STEP_S)
HALF = 20 / (np.pi * 760) / 2
"""Half the ball, in turns of the track."""


@dataclass(frozen=True)
class Hand:
    """A hand on the rotor: it brings it to a speed within a time, holds it there for a time, and lets go."""

    at_s: float
    rev_s: float
    within_s: float = 0.15
    holds_s: float = 0.0


@dataclass(frozen=True)
class Throw:
    """The ball, slowed by friction and by air."""

    at_s: float
    rev_s: float
    direction: int
    leaves_rev_s: float = 0.6
    friction: float = 0.04
    drag: float = 0.05
    hand: float = 0.3
    tilt: float = 0.0
    """Part of its speed that it gains and loses once a turn."""


@dataclass(frozen=True)
class Leap:
    """The ball, down from the track, leaps across a beam: seconds after it left, and how long it stays there."""

    after_s: float
    beam: int
    stays_s: float


@dataclass(frozen=True)
class Index:
    """The encoder's index as it is sold: from a place on, in counts, and so many counts wide.

    Attributes:
        gated: "A", or "A and B": its edges are then those of these lines, and not where ``begins`` says.
        low: the pulse is low, and the line high all the rest of the turn.
        slack_us: by how much its edges may come before or after those with which they fall together.
    """

    begins: float = 1.5
    wide: float = 1.0
    gated: str = ""
    low: bool = False
    slack_us: float = 0.0


@dataclass
class Spin:
    """One spin of a wheel whose rotor rested at first.

    Attributes:
        slows: what the rotor loses by itself, in turns per squared second.
        skew: how far line B's edges lie from where they should, in counts.
        at: where the rotor rests at first.
    """

    hands: list[Hand]
    throw: Throw
    slows: float = 0.005
    counts: int = 400
    beams: int = 2
    beam_angle_deg: float = 90.0
    skew: float = 0.0
    at: float = 0.37
    name: str = ""
    after_s: float = 6.0
    index: Index = Index()
    leaps: tuple[Leap, ...] = ()
    speed: Floats = field(init=False)
    leaves_s: float = field(init=False)
    revolutions: int = field(init=False)
    """Complete ones: how often the ball came back to the first beam that it met."""
    first_s: float = field(init=False)
    """When the first revolution was complete."""

    def __post_init__(self) -> None:
        since, angle = self._ball()
        self.leaves_s = self.throw.at_s + float(since[-1])
        passes_of = [_changes(since, _over(angle, beam)) for beam in self._beams()]
        lit = sorted(at_s for passes in passes_of for at_s, dark in passes if not dark)
        self.first_s = self.throw.at_s + lit[len(passes_of)]
        # A beam that the ball stands in as it is thrown is met a turn later.
        darkened = [[at_s for at_s, dark in passes if dark and at_s > 2 * BALL_STEP_S] for passes in passes_of]
        self.revolutions = len(min(times for times in darkened if times)) - 1
        self._passes = [[(self.throw.at_s + at_s, dark) for at_s, dark in passes] for passes in passes_of]
        self.speed = self._rotor()

    # -- the truth -------------------------------------------------------------------------------------------

    def against(self, from_s: float, to_s: float) -> bool:
        """The rotor turned against the ball all the while."""
        while_ = self.speed[max(0, int(from_s / STEP_S)) : int(to_s / STEP_S) + 1]
        return bool(np.all(while_ * self.throw.direction < 0))

    @property
    def valid(self) -> bool:
        """§ 617a.5(a): from the throw until the ball leaves the track."""
        return self.against(self.throw.at_s, self.leaves_s)

    @property
    def plain(self) -> bool:
        """Valid, and seen to be: for a whole turn of rotor and ball before, and until the ball is surely down."""
        ball_s = 1 / self.throw.rev_s + 0.2
        before = int(self.first_s / STEP_S)
        ways = np.cumsum(np.abs(self.speed[before::-1])) * STEP_S
        turn_s = self.first_s - int(np.searchsorted(ways, 1 + 4 / self.counts)) * STEP_S
        began_s = min(self.throw.at_s - ball_s, turn_s)
        return began_s > 0 and self.against(began_s, self.leaves_s + 2.5)

    # -- what the sensors say --------------------------------------------------------------------------------

    def edges(self) -> list[tuple[float, str]]:
        """Every edge, in order of time."""
        x = (self.at + np.concatenate(([0.0], np.cumsum(self.speed) * STEP_S))) * self.counts
        a, b, index = _levels(self.counts, self.skew, self.index)
        rng = random.Random(self.at)
        slack_s = self.index.slack_us / 1e6
        found = [(at_s, "aA"[high]) for at_s, high in _crossings(x, a)]
        found += [(at_s, "bB"[high]) for at_s, high in _crossings(x, b)]
        found += [(at_s + rng.uniform(0, 2) * slack_s, "zZ"[high]) for at_s, high in _crossings(x, index)]
        if slack_s:  # So that an edge of the index comes before as often as after.
            found = [(at_s + (0 if letter in "zZ" else slack_s), letter) for at_s, letter in found]
        for beam, (letters, passes) in enumerate(zip(("pP", "qQ"), self._passes, strict=False)):
            leaps = [leap for leap in self.leaps if leap.beam == beam]
            for leap in leaps:
                begins_s = self.leaves_s + leap.after_s
                passes = [*passes, (begins_s, True), (begins_s + leap.stays_s, False)]
            found += [(at_s, letters[dark]) for at_s, dark in passes]
        return sorted(found)

    def events(self, cut: int = 500) -> list[Event]:
        """The tracker's events of them, in batches of this size."""
        return self.events_of(self.edges(), cut)

    def events_of(self, edges: list[tuple[float, str]], cut: int = 500) -> list[Event]:
        """The events of other edges of this wheel."""
        angle_mdeg = int(self.beam_angle_deg * 1000)
        geometry = RotorGeometry(self.counts, self.beams, angle_mdeg)
        x = np.array([self.at * self.counts])
        a, b, index = (bool(level(x)[0]) for level in _levels(self.counts, self.skew, self.index))
        tracker = RouletteTracker(geometry, {"A": a, "B": b, "Z": index, "P": False, "Q": False})
        found: list[Event] = []
        for i in range(0, len(edges), cut):
            part = edges[i : i + cut]
            stamps = [int(at_s * 1e9) for at_s, _ in part]
            letters = "".join(letter for _, letter in part).encode()
            found += tracker.feed(EdgeBatch(letters, stamps, range(i + 1, i + 1 + len(part))))
        return found + tracker.tick(int(len(self.speed) * STEP_S * 1e9))

    @property
    def left(self) -> BallLeftTrack:
        return self.left_of(self.edges())

    def left_of(self, edges: list[tuple[float, str]]) -> BallLeftTrack:
        """How the run of the ball ended, by these edges."""
        (event,) = [event for event in self.events_of(edges) if isinstance(event, BallLeftTrack)]
        return event

    # -- how it moves ----------------------------------------------------------------------------------------

    def _beams(self) -> tuple[float, ...]:
        return (0.0, -self.beam_angle_deg / 360)[: self.beams]

    def _ball(self) -> tuple[Floats, Floats]:
        """Times since the throw, and where the ball is, until it leaves."""
        throw, floor = self.throw, self.throw.friction / self.throw.drag
        leaves_s = np.log((throw.rev_s + floor) / (throw.leaves_rev_s + floor)) / throw.drag
        since = _SINCE_S[: int(leaves_s / BALL_STEP_S) + 10]
        speed = (throw.rev_s + floor) * np.exp(-throw.drag * since) - floor
        since = since[speed > throw.leaves_rev_s]
        way = (throw.rev_s + floor) / throw.drag * (1 - np.exp(-throw.drag * since)) - floor * since
        return since, throw.hand + throw.direction * (way + throw.tilt / (2 * np.pi) * np.sin(2 * np.pi * way))

    def _rotor(self) -> Floats:
        """The speed at every step."""
        speeds = np.empty(int((self.leaves_s + self.after_s) / STEP_S))
        hands = sorted(self.hands, key=lambda hand: hand.at_s)
        begins = [-1]
        for hand in hands:  # Of two at once, one comes a step later.
            begins.append(min(max(_step_at(hand.at_s), begins[-1] + 1), len(speeds)))
        begins = [0, *begins[1:], len(speeds)]
        speed = 0.0
        for hand, begin, end in zip([None, *hands], begins, begins[1:], strict=False):
            start, step = speed, begin
            while hand and step < end and (now_s := step * STEP_S) < hand.at_s + hand.within_s + hand.holds_s:
                speed = hand.rev_s
                if now_s < hand.at_s + hand.within_s:
                    speed = start + (speed - start) * (now_s - hand.at_s) / hand.within_s
                speeds[step] = speed
                step += 1
            if step < end:
                lost = np.full(end - step + 1, self.slows * STEP_S)
                lost[0] = abs(speed)
                speeds[step:end] = np.maximum(0.0, np.subtract.accumulate(lost)[1:]) * (1 if speed > 0 else -1)
                speed = float(speeds[end - 1])
        return speeds


def _step_at(at_s: float) -> int:
    """The first step at this time or after it."""
    step = max(0, int(at_s / STEP_S) - 1)
    while step * STEP_S < at_s:
        step += 1
    return step


def _over(angle: Floats, beam: float) -> Bools:
    """The ball darkens a beam."""
    over: Bools = np.abs((angle - beam + 0.5) % 1.0 - 0.5) < HALF
    over[0] = False  # A hand's ball, thrown from within a beam, is not yet in the track.
    over[-1] = False
    return over


def _changes(times: Floats, levels: Bools) -> list[tuple[float, bool]]:
    places = np.nonzero(levels[1:] != levels[:-1])[0] + 1
    return [(float(times[place]), bool(levels[place])) for place in places]


def _levels(counts: int, skew: float, mark: Index) -> tuple[Callable[[Floats], Bools], ...]:
    """The lines A, B and index, from the rotor's place in counts."""

    def index(x: Floats) -> Bools:
        if not mark.gated:
            return ((x - mark.begins) % counts < mark.wide) != mark.low
        inside = (x % counts < 4) & a(x)
        return (inside & b(x) if mark.gated == "A and B" else inside) != mark.low

    def a(x: Floats) -> Bools:
        return np.isin(np.floor(x) % 4, (1, 2))

    def b(x: Floats) -> Bools:
        return np.isin(np.floor(x + skew) % 4, (2, 3))

    return a, b, index


def _crossings(x: Floats, level: Callable[[Floats], Bools]) -> list[tuple[float, bool]]:
    """When a line changes, to a sixteenth of a step, and to what."""
    levels = level(x)
    places = np.nonzero(levels[1:] != levels[:-1])[0]
    if not len(places):
        return []
    parts = np.linspace(0, 1, 17)
    fine = level(x[places, None] + (x[places + 1] - x[places])[:, None] * parts)
    after = levels[places + 1]
    times = (places + parts[np.argmax(fine == after[:, None], axis=1)]) * STEP_S
    return list(zip(times.tolist(), after.tolist(), strict=True))
