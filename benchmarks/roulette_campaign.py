"""Spins of roulette wheels as they are built: ``python -m benchmarks.roulette_campaign --spins N --seed S``.

Each wheel of the fleet (:mod:`hal.mock.roulette_fleet`) is spun ten times before a tracker that knows its
geometry alone. Half of the spins are honest: the dealer sets the rotor turning and pushes it on now and then,
before, in and after the throw. In the others a hand slows the rotor, holds it or turns it around at any moment.
A false alarm is an honest spin that is no spin or raises a doubt; a wrong result is a spin that counts although
the rotor did not turn against the ball from the throw until it had left the track, or although the ball made
fewer than four revolutions. What is true comes from the simulated wheel's angles and the ball's motion, not
by any sensor. A rotor that a hand slows, stops and pushes on the same way within a tenth of a second was pushed on;
one that turns with the ball, however little, or stands for longer, did not turn against it.
"""

import random
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import log

from controller.bench.workers import spread
from controller.commands.progress import shown_progress
from controller.events.event import BallLeftTrack, BallThrown, Event, Health, SensorHealth
from controller.games.roulette.play import REVOLUTIONS, void_reason
from controller.tracking.roulette.rotor import RotorGeometry
from controller.tracking.roulette.wheel import RouletteTracker
from hal.events import EdgeBatch
from hal.mock.clock import NS_PER_S, VirtualClock
from hal.mock.rotor import MockRotorHead
from hal.mock.roulette_fleet import draw_rotor
from hal.mock.settings import RotorSettings
from hal.mock.world import World

SPINS_OF_A_WHEEL = 10
_LOOK_S = 0.02
"""How often the truth looks where the rotor is."""
_STILL = 1e-9
"""A rotor that moved less than this part of a turn between two looks stood."""
_PUSH_LOOKS = 5
"""For so many looks a rotor may stand in the hand that pushes it on the same way: a tenth of a second."""


@dataclass
class Tally:
    """What became of the spins."""

    honest: int = 0
    alarms: list[str] = field(default_factory=list)
    hostile: int = 0
    against: int = 0
    """Hostile spins in which the rotor turned against the ball all the same, with four revolutions."""
    refused: Counter[str] = field(default_factory=Counter)
    """Why such a spin was none."""
    wrong: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        self.honest += other.honest
        self.alarms += other.alarms
        self.hostile += other.hostile
        self.against += other.against
        self.refused += other.refused
        self.wrong += other.wrong


def geometry_of(settings: RotorSettings) -> RotorGeometry:
    """What the table's file says of a wheel."""
    return RotorGeometry(
        settings.counts_per_turn,
        2,
        int(settings.beam_angle_deg * 1000),
        settings.reversed,
        int(settings.ball_mm * 1000),
        int(settings.track_mm * 3141.5927),
    )


class WheelCase:
    """One wheel of the fleet, and all that happens to it."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rng = random.Random(f"spins of {seed}")
        self.settings = draw_rotor(seed)
        self.clock = VirtualClock()
        self.head: MockRotorHead = World.of(self.clock).fit_rotor(self.settings, 2)
        self.events: list[Event] = []
        self.tracker = RouletteTracker(geometry_of(self.settings), self.head.levels())
        self.head.start(self._see)
        self.turned = True
        """The rotor has turned against the ball since it was thrown."""

    def _see(self, batch: EdgeBatch) -> None:
        self.events += self.tracker.feed(batch)

    def play(self) -> Tally:
        """Ten spins."""
        tally = Tally()
        for number in range(SPINS_OF_A_WHEEL):
            hostile = self.rng.random() < 0.5
            way = self.rng.choice([1, -1])
            ends = self._spin(-way, (_hostile if hostile else _honest)(self.rng, way))
            name = f"wheel {self.seed}, spin {number + 1}: {ends}"
            fit = self.turned and self._revolutions >= REVOLUTIONS
            if hostile:
                tally.hostile += 1
                tally.against += fit
                tally.refused[ends] += fit and bool(ends)
                tally.wrong += [] if fit or ends else [name]
            elif fit:
                tally.honest += 1
                tally.alarms += [name] if ends else []
        return tally

    def _spin(self, ball: int, hands: "Sequence[Hand]") -> str:
        """Returns why it was no spin; empty if it was one."""
        self.events.clear()
        rng, settings, start_ns = self.rng, self.settings, self.clock.now_ns()
        throw_ns = start_ns + int(rng.uniform(6, 9) * NS_PER_S)
        for hand in hands:
            at_ns = max(start_ns, throw_ns + int(hand.at_s * NS_PER_S))
            self.clock.call_at(at_ns, _acts(self.head, hand))
        self._watch(throw_ns, 0)
        floor = settings.ball_friction_rev_s2 / settings.ball_drag_per_rev
        ends, begins = settings.leaves_rev_s, rng.uniform(1.2, 2.2)
        self.head.throw_ball(log((begins**2 + floor) / (ends**2 + floor)) / (2 * settings.ball_drag_per_rev), ball)
        assert self.head.ball is not None
        self.turned = True
        self._watch(self.head.ball.leaves_ns, ball)
        self._watch(self.head.ball.leaves_ns + 9 * NS_PER_S, 0)
        return self._ended()

    def _watch(self, until_ns: int, ball: int) -> None:
        """Let time pass, and look whether the rotor turns against the ball, if one runs."""
        before, stood = self.head.rotor_angle, 0
        while (now_ns := self.clock.now_ns()) < until_ns:
            self.clock.advance_to(min(until_ns, now_ns + int(_LOOK_S * NS_PER_S)))
            angle = self.head.rotor_angle
            with_ball = (angle - before) * ball
            stood = stood + 1 if with_ball > -_STILL else 0
            if ball and (with_ball > _STILL or stood > _PUSH_LOOKS):
                self.turned = False
            before = angle
        self.head.poll()
        self.events += self.tracker.tick(until_ns)

    @property
    def _revolutions(self) -> int:
        assert self.head.ball is not None
        return self.head.ball.revolutions

    def _ended(self) -> str:
        """What the table makes of the events."""
        lefts = [event for event in self.events if isinstance(event, BallLeftTrack)]
        if len(lefts) != 1 or len([event for event in self.events if isinstance(event, BallThrown)]) != 1:
            return f"the ball left the track {len(lefts)} times"
        if reason := void_reason(lefts[0], True):
            return f"{reason} ({lefts[0].fault})" if lefts[0].fault is not None else reason
        doubts = (
            event for event in self.events if isinstance(event, SensorHealth) and event.health is not Health.OK
        )
        return next((f"{doubt.sensor} {doubt.health.value}" for doubt in doubts), "")


# -- hands -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand on the rotor, so long after the throw: it brings it to a speed within a time."""

    at_s: float
    rev_s: float
    within_s: float


def _acts(head: MockRotorHead, hand: Hand) -> Callable[[], None]:
    return lambda: head.hand_rotor(hand.rev_s, hand.within_s)


def _honest(rng: random.Random, way: int) -> list[Hand]:
    """Set turning, the other way than before or not, and pushed on now and then."""
    hands = [Hand(-rng.uniform(1.5, 6), way * rng.uniform(0.3, 0.6), rng.uniform(0.1, 0.5))]
    for _ in range(rng.choice([0, 0, 1, 2])):
        hands.append(Hand(rng.choice([rng.uniform(-0.5, 0.3), rng.uniform(-1, 14)]), way * 0.6, 0.3))
    return [*hands, Hand(9.0, way * rng.uniform(0.35, 0.6), 0.3)]  # So that it turns until the ball is down.


def _hostile(rng: random.Random, way: int) -> list[Hand]:
    """It stands, is slowed, held, pushed late or turned around, at any moment."""
    first = Hand(-rng.uniform(1, 6), rng.choice([way, way, way, -way, 0]) * rng.uniform(0.2, 0.6), 0.3)
    hands = [first]
    for _ in range(rng.choice([1, 1, 2, 3])):
        speed = rng.choice([0.0, 0.0, way, -way]) * rng.choice([0.02, 0.1, rng.uniform(0.1, 0.6)])
        at_s = rng.choice([rng.uniform(-2, 1), rng.uniform(-1, 16)])
        hands.append(Hand(at_s, speed, rng.uniform(0.05, 0.5)))
        if rng.random() < 0.6:
            hands.append(Hand(at_s + rng.uniform(0.6, 3), way * rng.uniform(0.2, 0.6), rng.uniform(0.05, 0.4)))
    return hands


# -- the campaign --------------------------------------------------------------------------------------------------


def play(seed: int) -> Tally:
    """The spins of one wheel."""
    return WheelCase(seed).play()


def campaign(spins: int, seed: int, workers: int = 1) -> Iterator[Tally]:
    """What became of the spins of each wheel, in any order."""
    first, wheels = seed * 1_000_000, -(-spins // SPINS_OF_A_WHEEL)
    for _, tally in spread(play, range(first, first + wheels), workers):
        yield tally


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; returns 1 if any spin was wrong."""
    parser = ArgumentParser(prog="python -m benchmarks.roulette_campaign", description=__doc__)
    parser.add_argument("--spins", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    chosen = parser.parse_args(arguments)
    total, began = Tally(), time.monotonic()
    with shown_progress("spins", chosen.spins) as progress:
        for tally in campaign(chosen.spins, chosen.seed, chosen.processes):
            total.add(tally)
            progress(SPINS_OF_A_WHEEL)
    print(f"{total.honest} honest spins, {len(total.alarms)} false alarms")
    print(f"{total.hostile} hostile ones, {len(total.wrong)} wrong results", end="; ")
    print(f"{total.against} ran against the rotor all the same, {total.refused.total()} of them no spin: ", end="")
    print(", ".join(f"{why} {count}" for why, count in total.refused.most_common() if why) or "-")
    for line in (*total.alarms, *total.wrong):
        print(line)
    print(f"{time.monotonic() - began:.0f} s")
    return 1 if total.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
