"""Spins of roulette wheels as they are built: ``python -m campaigns.roulette_campaign --spins N --seed S``.

Each wheel of the fleet (:mod:`campaigns.roulette_wheels`) is spun ten times before a tracker that knows its
geometry alone. Half of the spins are honest: the dealer sets the rotor turning and pushes it on now and then,
before, in and after the throw. In the others a hand pushes the rotor, slows it, stops it or turns it around at any
moment of the run, or the ball is thrown softly; ``--honest`` plays honest ones only.
A false alarm is an honest spin that is no spin or raises a doubt; a wrong result is a spin that counts although
the rotor did not turn against the ball from the throw until it had left the track, or although the ball made
fewer than four revolutions. What is true comes from the simulated wheel's angles and the ball's motion, not
by any sensor. A rotor that a hand slows, stops and pushes on the same way within a tenth of a second was pushed on,
though it give by less than a count of its encoder; one that turns with the ball, or stands for longer, did not turn
against it.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from math import log

from campaigns import running
from campaigns.roulette_wheels import HONEST, HOSTILE, Case, Hand, draw_rotor

from controller.events.event import BallLeftTrack, BallThrown, Event, Health, SensorHealth
from controller.games.roulette.rules import REVOLUTIONS, void_reason
from controller.tracking.roulette.rotor import RotorGeometry
from controller.tracking.roulette.wheel import RouletteTracker
from hal.events import EdgeBatch
from hal.mock.clock import NS_PER_S, VirtualClock
from hal.mock.rotor import MockRotorHead, ball_run
from hal.mock.settings import RotorSettings
from hal.mock.world import World

SPINS_OF_A_WHEEL = 10
_LOOK_S = 0.02
"""How often the truth looks where the rotor is."""
_STILL = 1e-9
"""A rotor that moved less than this part of a turn between two looks stood."""
_THROWS_REV_S, _SHORTEST_S = (1.2, 2.2), 8.0
"""How fast dealers throw the ball, and for how long it then runs at the least."""
_HAND_NS = 10_000_000
"""A hand that turns the rotor changes its speed every so often."""
_PUSH_LOOKS = 5
"""For so many looks a rotor may stand in the hand that pushes it on the same way: a tenth of a second."""


@dataclass
class Tally(running.Tally):
    """What became of the spins.

    Attributes:
        hostile: by case.
        against: hostile spins in which the rotor turned against the ball all the same, with four revolutions.
        refused: why such a spin was none.
    """

    honest: int = 0
    alarms: list[str] = field(default_factory=list)
    hostile: Counter[str] = field(default_factory=Counter)
    against: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def _turns(rng: random.Random, settings: RotorSettings, throws_rev_s: tuple[float, float] | None) -> float:
    """How far the ball runs."""
    speed = rng.uniform(*(throws_rev_s or _THROWS_REV_S))
    while True:
        floor, drag = settings.ball_friction_rev_s2 / settings.ball_drag_per_rev, settings.ball_drag_per_rev
        turns = log((speed**2 + floor) / (settings.leaves_rev_s**2 + floor)) / (2 * drag)
        if throws_rev_s or speed >= _THROWS_REV_S[1] or ball_run(settings, turns).duration_s >= _SHORTEST_S:
            return turns
        speed += 0.1


class Wheel:
    """One wheel of the fleet, and all that happens to it."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(f"spins of {seed}")
        self._settings = settings = draw_rotor(seed)
        self._clock = VirtualClock()
        self._head: MockRotorHead = World.of(self._clock).fit_rotor(settings, 2)
        self._events: list[Event] = []
        known = RotorGeometry(
            settings.counts_per_turn,
            2,
            int(settings.beam_angle_deg * 1000),
            settings.reversed,
            int(settings.ball_mm * 1000),
            int(settings.track_mm * 3141.5927),
        )
        self._tracker = RouletteTracker(known, self._head.levels())
        self._head.start(self._see)
        self._turned = True
        """The rotor has turned against the ball since it was thrown."""

    def _see(self, batch: EdgeBatch) -> None:
        self._events += self._tracker.feed(batch)

    def spin(self, case: Case, way: int) -> tuple[bool, str]:
        """Whether it was truly a spin, and why the table takes it for none; empty for one.

        Args:
            way: the rotor's, against the ball.
        """
        self._events.clear()
        rng, throw_ns = self._rng, self._clock.now_ns() + int(self._rng.uniform(6, 9) * NS_PER_S)
        self._plan(case.before(rng), way, throw_ns)
        self._watch(throw_ns, 0)
        self._head.throw_ball(_turns(rng, self._settings, case.throws_rev_s), -way)
        ball = self._head.ball
        self._plan(case.later(rng, (ball.leaves_ns - throw_ns) / NS_PER_S), way, throw_ns)
        self._turned = True
        self._watch(ball.leaves_ns, -way)
        self._watch(ball.leaves_ns + 9 * NS_PER_S, 0)
        return self._turned and ball.revolutions >= REVOLUTIONS, self._ended()

    def _plan(self, hands: Iterable[Hand], way: int, throw_ns: int) -> None:
        for hand in hands:
            at_ns = max(self._clock.now_ns(), throw_ns + int(hand.at_s * NS_PER_S))
            self._clock.call_at(at_ns, partial(self._turn, way * hand.rev_s, hand.within_s))

    def _turn(self, rev_s: float, within_s: float) -> None:
        """A hand brings the rotor to a speed within a time, step by step."""
        begun, now_ns = self._head.velocity, self._clock.now_ns()
        steps = max(1, int(within_s * NS_PER_S) // _HAND_NS)
        for step in range(1, steps + 1):
            speed = begun + (rev_s - begun) * step / steps
            action = partial(self._head.push_rotor, abs(speed), 1 if speed > 0 else -1)
            self._clock.call_at(now_ns + step * _HAND_NS, action)

    def _watch(self, until_ns: int, ball: int) -> None:
        """Let time pass, and look whether the rotor turns against the ball, if one runs."""
        before, stood, back = self._head.x, 0, 0.0
        while (now_ns := self._clock.now_ns()) < until_ns:
            self._clock.advance_to(min(until_ns, now_ns + int(_LOOK_S * NS_PER_S)))
            angle = self._head.x
            with_ball = (angle - before) * ball
            stood, back = (stood + 1, back + with_ball) if with_ball > -_STILL else (0, 0.0)
            if ball and (back * self._settings.counts_per_turn > 1 or stood > _PUSH_LOOKS):
                self._turned = False
            before = angle
        self._head.poll()
        self._events += self._tracker.tick(until_ns)

    def _ended(self) -> str:
        """What the table makes of the events."""
        lefts = [event for event in self._events if isinstance(event, BallLeftTrack)]
        if len(lefts) != 1 or sum(isinstance(event, BallThrown) for event in self._events) != 1:
            return f"the ball left the track {len(lefts)} times"
        if reason := void_reason(lefts[0], True):
            return f"{reason} ({lefts[0].fault})" if lefts[0].fault is not None else reason
        doubts = [one for one in self._events if isinstance(one, SensorHealth) and one.health is not Health.OK]
        return f"{doubts[0].sensor} {doubts[0].health.value}" if doubts else ""


def play(seed: int, hostile_part: float = 0.5) -> Tally:
    """The spins of one wheel."""
    tally, wheel, rng = Tally(), Wheel(seed), random.Random(seed)
    for number in range(SPINS_OF_A_WHEEL):
        case = rng.choice(list(HOSTILE)) if rng.random() < hostile_part else ""
        spin, ends = wheel.spin(HOSTILE.get(case, HONEST), rng.choice((1, -1)))
        name = f"wheel {seed}, spin {number + 1}, {case or 'honest'}: {ends}"
        tally.wrong += [] if spin or ends else [name]
        if case:
            tally.hostile[case] += 1
            tally.against[case] += spin
            tally.refused[f"{case}: {ends}"] += spin and bool(ends)
        elif spin:
            tally.honest += 1
            tally.alarms += [name] if ends else []
    return tally


def wheels(spins: int, seed: int) -> range:
    """The seeds of the wheels for so many spins."""
    return range(first := seed * 1_000_000, first - (-spins // SPINS_OF_A_WHEEL))


def main() -> int:
    """Run it; 1 if any spin was wrong."""
    parser = running.command_line("roulette_campaign", __doc__)
    parser.add_argument("--spins", type=int, default=10_000, metavar="N", help="how many spins (default 10000)")
    parser.add_argument("--honest", action="store_true", help="honest spins only")
    chosen = parser.parse_args()
    work = partial(play, hostile_part=0.0 if chosen.honest else 0.5)
    total = running.run(work, wheels(chosen.spins, chosen.seed), Tally(), chosen)
    print(f"{total.honest} honest spins, {len(total.alarms)} false alarms")
    print(f"{total.hostile.total()} hostile ones, {len(total.wrong)} wrong results", end="; ")
    against = f"{total.against.total()} ran against the rotor all the same"
    print(f"{against}, {total.refused.total()} of them no spin: ", end="")
    print(", ".join(f"{why} {count}" for why, count in total.refused.most_common() if count) or "-")
    for case, count in total.hostile.most_common():
        print(f"  {case}: {count}, of which {total.against[case]} against the rotor, with four revolutions")
    print(*total.alarms, *total.wrong, sep="\n")
    return 1 if total.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
