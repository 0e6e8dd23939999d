"""Spins of roulette wheels as they are built: ``python -m campaigns.roulette_campaign --spins N --seed S``.

Each wheel of the fleet (:mod:`campaigns.roulette_fleet`) is spun ten times before a tracker that knows its
geometry alone. Half of the spins are honest: the dealer sets the rotor turning and pushes it on now and then,
before, in and after the throw. In the others a hand pushes the rotor, slows it, stops it or turns it around at any
moment of the run, or the ball is thrown softly (:mod:`campaigns.roulette_hands`);
``--honest`` plays honest ones only.
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
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import log

from campaigns import running
from campaigns.roulette_fleet import draw_rotor
from campaigns.roulette_hands import HONEST, HOSTILE, Case, Hand

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
        self.head.start(self.see)
        self.turned = True
        """The rotor has turned against the ball since it was thrown."""

    def see(self, batch: EdgeBatch) -> None:
        """Take edges of the head."""
        self.events += self.tracker.feed(batch)

    def play(self, hostile_part: float = 0.5) -> Tally:
        """Ten spins."""
        tally = Tally()
        for number in range(SPINS_OF_A_WHEEL):
            hostile = self.rng.random() < hostile_part
            case = self.rng.choice(list(HOSTILE)) if hostile else ""
            ends = self.spin(HOSTILE.get(case, HONEST), self.rng.choice([1, -1]))
            name = f"wheel {self.seed}, spin {number + 1}, {case or 'honest'}: {ends}"
            fit = self.turned and self._revolutions >= REVOLUTIONS
            tally.wrong += [] if fit or ends else [name]
            if hostile:
                tally.hostile[case] += 1
                tally.against[case] += fit
                tally.refused[f"{case}: {ends}"] += fit and bool(ends)
            elif fit:
                tally.honest += 1
                tally.alarms += [name] if ends else []
        return tally

    def spin(self, case: Case, way: int) -> str:
        """Returns why it was no spin; empty if it was one."""
        self.events.clear()
        rng, settings, start_ns = self.rng, self.settings, self.clock.now_ns()
        throw_ns = start_ns + int(rng.uniform(6, 9) * NS_PER_S)
        self._plan(case.before(rng, way), throw_ns)
        self._watch(throw_ns, 0)
        self.head.throw_ball(_turns(rng, settings, case.throws_rev_s), -way)
        assert self.head.ball is not None
        leaves_ns = self.head.ball.leaves_ns
        self._plan(case.later(rng, way, (leaves_ns - throw_ns) / NS_PER_S), throw_ns)
        self.turned = True
        self._watch(leaves_ns, -way)
        self._watch(leaves_ns + 9 * NS_PER_S, 0)
        return self._ended()

    def _plan(self, hands: Iterable[Hand], throw_ns: int) -> None:
        for hand in hands:
            at_ns = max(self.clock.now_ns(), throw_ns + int(hand.at_s * NS_PER_S))
            self.clock.call_at(at_ns, partial(self._turn, hand))

    def _turn(self, hand: Hand) -> None:
        """A hand brings the rotor to a speed within a time, step by step."""
        begun, now_ns = self.head.velocity, self.clock.now_ns()
        steps = max(1, int(hand.within_s * NS_PER_S) // _HAND_NS)
        for step in range(1, steps + 1):
            speed = begun + (hand.rev_s - begun) * step / steps
            action = partial(self.head.push_rotor, abs(speed), 1 if speed > 0 else -1)
            self.clock.call_at(now_ns + step * _HAND_NS, action)

    def _watch(self, until_ns: int, ball: int) -> None:
        """Let time pass, and look whether the rotor turns against the ball, if one runs."""
        before, stood, back = self.head.x, 0, 0.0
        while (now_ns := self.clock.now_ns()) < until_ns:
            self.clock.advance_to(min(until_ns, now_ns + int(_LOOK_S * NS_PER_S)))
            angle = self.head.x
            with_ball = (angle - before) * ball
            stood, back = (stood + 1, back + with_ball) if with_ball > -_STILL else (0, 0.0)
            if ball and (back * self.settings.counts_per_turn > 1 or stood > _PUSH_LOOKS):
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


# -- the campaign --------------------------------------------------------------------------------------------------


def play(seed: int, hostile_part: float = 0.5) -> Tally:
    """The spins of one wheel."""
    return WheelCase(seed).play(hostile_part)


def wheels(spins: int, seed: int) -> range:
    """The seeds of the wheels for so many spins."""
    return range(first := seed * 1_000_000, first - (-spins // SPINS_OF_A_WHEEL))


def main(words: Sequence[str] | None = None) -> int:
    """Run it; 1 if any spin was wrong."""
    parser = running.command_line("roulette_campaign", __doc__)
    parser.add_argument("--spins", type=int, default=10_000, metavar="N", help="how many spins (default 10000)")
    parser.add_argument("--honest", action="store_true", help="honest spins only")
    chosen = parser.parse_args(words)
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
