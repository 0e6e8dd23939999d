"""What hands do to a roulette wheel's rotor in the campaign (:mod:`campaigns.roulette_campaign`).

Moments are drawn over the whole run of the ball, and more often about the throw and about the end of the run, where
what the sensors see is least.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand on the rotor, so long after the throw: it brings it to a speed within a time."""

    at_s: float
    rev_s: float
    within_s: float


Draw = Callable[[random.Random, int], list[Hand]]
"""What is done before the throw; the way is that against the ball."""
DrawLater = Callable[[random.Random, int, float], list[Hand]]
"""What is done after the throw of a ball that runs for so many seconds."""


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that people do."""

    before: Draw
    later: DrawLater
    throws_rev_s: tuple[float, float] | None = None
    """How fast the ball is thrown; None for as fast as dealers do, so that it runs for eight seconds or more."""


def moment(rng: random.Random, run_s: float) -> float:
    """A moment after the throw, until shortly after the ball has left the track."""
    about_throw, about_end = rng.uniform(0, 1), run_s + rng.uniform(-1.5, 0.5)
    return max(0.0, rng.choice([about_throw, about_end, rng.uniform(0, run_s + 0.5), rng.uniform(0, run_s)]))


# -- honest ------------------------------------------------------------------------------------------------------


def _set_turning(rng: random.Random, way: int) -> list[Hand]:
    """The other way than before or not, and perhaps pushed on about the throw."""
    hands = [Hand(-rng.uniform(1.5, 6), way * rng.uniform(0.3, 0.6), rng.uniform(0.1, 0.5))]
    return hands + [Hand(rng.uniform(-0.5, 0.3), way * 0.6, 0.3) for _ in range(rng.choice([0, 0, 1]))]


def _pushed_on(rng: random.Random, way: int, run_s: float) -> list[Hand]:
    """Now and then, and whenever it is slow, so that it turns until the ball is down."""
    hands = [Hand(moment(rng, run_s), way * 0.6, 0.3) for _ in range(rng.choice([0, 0, 1, 2]))]
    for about_s in range(3, int(run_s) + 2, 6):  # A dealer lets no rotor become slow, or stand.
        hands.append(Hand(about_s + rng.uniform(-1, 1), way * rng.uniform(0.35, 0.6), 0.3))
    return hands


HONEST = Case(_set_turning, _pushed_on)


# -- hostile -----------------------------------------------------------------------------------------------------


def _turning(rng: random.Random, way: int) -> list[Hand]:
    return [Hand(-rng.uniform(1, 6), way * rng.uniform(0.2, 0.6), rng.uniform(0.05, 0.5))]


def _with_ball(rng: random.Random, way: int) -> list[Hand]:
    return _turning(rng, -way)


def _held(rng: random.Random, way: int) -> list[Hand]:
    return [*_turning(rng, way), Hand(-rng.uniform(0.1, 2), 0.0, rng.uniform(0.05, 0.5))]


def _nothing(rng: random.Random, way: int, run_s: float) -> list[Hand]:
    return []


def _touched(rng: random.Random, at_s: float, way: int, rev_s: float) -> list[Hand]:
    """Brought to a speed, and mostly soon back to one against the ball."""
    within_s = rng.uniform(0.05, 0.5)
    hands = [Hand(at_s, rev_s, within_s)]
    if rng.random() < 0.7:
        again_s = at_s + within_s + rng.choice([rng.uniform(0.11, 0.6), rng.uniform(0.6, 4)])
        hands.append(Hand(again_s, way * rng.uniform(0.2, 0.6), rng.uniform(0.05, 0.4)))
    return hands


def _pushed(rng: random.Random, way: int, run_s: float) -> list[Hand]:
    """Faster or slower, always against the ball."""
    return [
        Hand(moment(rng, run_s), way * rng.uniform(0.1, 0.8), rng.uniform(0.02, 0.5))
        for _ in range(rng.choice([1, 2, 3]))
    ]


def _slowed(rng: random.Random, way: int, run_s: float) -> list[Hand]:
    return _touched(
        rng, moment(rng, run_s), way, way * rng.choice([rng.uniform(0.003, 0.03), rng.uniform(0.03, 0.2)])
    )


def _stopped(rng: random.Random, way: int, run_s: float) -> list[Hand]:
    return _touched(rng, moment(rng, run_s), way, 0.0)


def _turned_around(rng: random.Random, way: int, run_s: float) -> list[Hand]:
    speed = rng.choice([rng.uniform(0.003, 0.05), rng.uniform(0.05, 0.6)])
    return _touched(rng, moment(rng, run_s), way, -way * speed)


def _set_going(rng: random.Random, way: int, run_s: float) -> list[Hand]:
    """A rotor that stood as the ball was thrown."""
    return [Hand(moment(rng, run_s), way * rng.uniform(0.05, 0.6), rng.uniform(0.05, 0.5))]


def _rocked(rng: random.Random, way: int, run_s: float) -> list[Hand]:
    """Several of these, in any order."""
    what = [rng.choice([_pushed, _slowed, _stopped, _turned_around]) for _ in range(rng.choice([2, 3, 4]))]
    return [hand for draw in what for hand in draw(rng, way, run_s)]


HOSTILE: Mapping[str, Case] = {
    "pushed": Case(_turning, _pushed),
    "slowed": Case(_turning, _slowed),
    "stopped": Case(_turning, _stopped),
    "turned around": Case(_turning, _turned_around),
    "with the ball": Case(_with_ball, _nothing),
    "with the ball, then turned": Case(_with_ball, _set_going),
    "held": Case(_held, _nothing),
    "held, then set going": Case(_held, _set_going),
    "several of these": Case(_turning, _rocked),
    "soft throw": Case(_set_turning, _pushed_on, (0.8, 1.1)),
    "weak throw": Case(_set_turning, _pushed_on, (1.1, 1.5)),
}
