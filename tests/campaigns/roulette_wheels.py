"""Roulette wheels as they stand in casinos, drawn at random, and what hands do to their rotors.

Where the ranges come from:

- **Ball in its track.** M. Small, C. K. Tse, "Predicting the outcome of roulette", Chaos 22, 033150 (2012); J.-I.
  Eichberger, "Roulette Physics" (2003): friction and air, dW/dt = -a W^2 + b, and a pendulum's term on a wheel that
  is not level. Speeds when thrown and when it leaves are estimates: 1.2 to 2.2 and 0.5 to 0.8 turns a second, so
  that a run takes 8 to 25 s.
- **Tilt.** By Eichberger's pendulum a tilt of 1 degree swings the speed of a ball at 0.7 turns a second by some 2%.
  Drawn up to 3%, one wheel in ten; an estimate.
- **Leaps and wall.** Estimates of the trade. After a deflector a ball may jump back across a beam, once or twice
  within two seconds: two in three do on the liveliest wheels. In its last turns it may run up the wall, which costs
  it up to a tenth of its speed and lets it darken a beam half as long or 1.7 times as long: one in three does.
- **Rotor.** 0.2 to 0.6 turns a second, losing 0.002 to 0.02 a second: estimates of the trade.
- **Encoder.** 50 to 4,096 lines. Index by data sheets: gated with A and B (90 electrical degrees, the commonest),
  gated with A (180), or ungated (180 to 540 degrees wide, anywhere); either polarity. Time stamps err by up to 10
  microseconds (an estimate), so that edges that fall together come in either order.
"""

import random
from collections.abc import Callable, Mapping
from typing import NamedTuple

from hal.mock.settings import RotorSettings

_TILTED = 0.1
"""Part of the wheels that are markedly out of level."""


def draw_rotor(seed: int) -> RotorSettings:
    """One wheel of the fleet, always the same for a seed."""
    rng = random.Random(seed)
    return RotorSettings(
        seed=seed,
        counts_per_turn=4 * rng.choice((50, 100, 100, 256, 500, 1024, 4096)),
        reversed=rng.random() < 0.5,
        index_gate=rng.choice(("ab", "ab", "a", "none")),
        index_offset_counts=rng.uniform(0, 4),
        index_wide_counts=rng.uniform(1, 6) if rng.random() < 0.2 else rng.uniform(1, 2.2),
        index_inverted=rng.random() < 0.4,
        beam_angle_deg=rng.choice((45.0, 60.0, 90.0, 90.0, 120.0, 135.0, 250.0, 270.0)),
        track_mm=rng.uniform(700, 800),
        ball_mm=rng.uniform(19.05, 22.2),
        rotor_slows_rev_s2=rng.uniform(0.002, 0.02),
        ball_friction_rev_s2=rng.uniform(0.02, 0.05),
        ball_drag_per_rev=rng.uniform(0.02, 0.08),
        ball_varies=rng.uniform(0, 0.15),
        leaves_rev_s=rng.uniform(0.5, 0.78),
        leaves_varies=rng.uniform(0.01, 0.05),
        tilt_part=rng.uniform(0.01, 0.03) if rng.random() < _TILTED else rng.uniform(0, 0.005),
        tilt_deg=rng.uniform(0, 360) % 360,
        hand_deg=rng.uniform(0, 360) % 360,
        leaps_part=rng.uniform(0, 0.67),
        leap_longest_s=rng.uniform(0.05, 0.6),
        climbs_part=rng.uniform(0, 0.33),
        jitter_us=rng.uniform(0.5, 10),
    )


# -- hands -------------------------------------------------------------------------------------------------------


class Hand(NamedTuple):
    """A hand on the rotor, so long after the throw: it brings it to a speed within a time. A positive speed is
    against the ball."""

    at_s: float
    rev_s: float
    within_s: float


class Case(NamedTuple):
    """One thing that people do.

    Attributes:
        before: what is done before the throw. later: what is done after the throw of a ball that runs for so many
        seconds. throws_rev_s: how fast the ball is thrown; None for as fast as dealers do, so that it runs for
        eight seconds.
    """

    before: Callable[[random.Random], list[Hand]]
    later: Callable[[random.Random, float], list[Hand]] = lambda rng, run_s: []
    throws_rev_s: tuple[float, float] | None = None


def _moment(rng: random.Random, run_s: float) -> float:
    """A moment after the throw, until shortly after the ball has left the track: more often about the throw and
    about the end of the run, where what the sensors see is least."""
    about_throw, about_end = rng.uniform(0, 1), run_s + rng.uniform(-1.5, 0.5)
    return max(0.0, rng.choice([about_throw, about_end, rng.uniform(0, run_s + 0.5), rng.uniform(0, run_s)]))


def _set_turning(rng: random.Random) -> list[Hand]:
    """The other way than before or not, and perhaps pushed on about the throw."""
    hands = [Hand(-rng.uniform(1.5, 6), rng.uniform(0.3, 0.6), rng.uniform(0.1, 0.5))]
    return hands + [Hand(rng.uniform(-0.5, 0.3), 0.6, 0.3) for _ in range(rng.choice([0, 0, 1]))]


def _pushed_on(rng: random.Random, run_s: float) -> list[Hand]:
    """Now and then, and whenever it is slow: a dealer lets no rotor stand before the ball is down."""
    hands = [Hand(_moment(rng, run_s), 0.6, 0.3) for _ in range(rng.choice([0, 0, 1, 2]))]
    slow = range(3, int(run_s) + 2, 6)
    return hands + [Hand(about_s + rng.uniform(-1, 1), rng.uniform(0.35, 0.6), 0.3) for about_s in slow]


def _turning(rng: random.Random, way: int = 1) -> list[Hand]:
    return [Hand(-rng.uniform(1, 6), way * rng.uniform(0.2, 0.6), rng.uniform(0.05, 0.5))]


def _with_ball(rng: random.Random) -> list[Hand]:
    return _turning(rng, -1)


def _held(rng: random.Random) -> list[Hand]:
    return [*_turning(rng), Hand(-rng.uniform(0.1, 2), 0.0, rng.uniform(0.05, 0.5))]


def _touched(rng: random.Random, run_s: float, rev_s: float) -> list[Hand]:
    """Brought to a speed, and mostly soon back to one against the ball."""
    at_s, within_s = _moment(rng, run_s), rng.uniform(0.05, 0.5)
    hands = [Hand(at_s, rev_s, within_s)]
    if rng.random() < 0.7:
        again_s = at_s + within_s + rng.choice([rng.uniform(0.11, 0.6), rng.uniform(0.6, 4)])
        hands.append(Hand(again_s, rng.uniform(0.2, 0.6), rng.uniform(0.05, 0.4)))
    return hands


def _pushed(rng: random.Random, run_s: float) -> list[Hand]:
    """Faster or slower, always against the ball."""
    many = range(rng.choice([1, 2, 3]))
    return [Hand(_moment(rng, run_s), rng.uniform(0.1, 0.8), rng.uniform(0.02, 0.5)) for _ in many]


def _slowed(rng: random.Random, run_s: float) -> list[Hand]:
    return _touched(rng, run_s, rng.choice([rng.uniform(0.003, 0.03), rng.uniform(0.03, 0.2)]))


def _stopped(rng: random.Random, run_s: float) -> list[Hand]:
    return _touched(rng, run_s, 0.0)


def _turned_around(rng: random.Random, run_s: float) -> list[Hand]:
    return _touched(rng, run_s, -rng.choice([rng.uniform(0.003, 0.05), rng.uniform(0.05, 0.6)]))


def _set_going(rng: random.Random, run_s: float) -> list[Hand]:
    """A rotor that stood as the ball was thrown."""
    return [Hand(_moment(rng, run_s), rng.uniform(0.05, 0.6), rng.uniform(0.05, 0.5))]


def _several(rng: random.Random, run_s: float) -> list[Hand]:
    what = rng.choices([_pushed, _slowed, _stopped, _turned_around], k=rng.choice([2, 3, 4]))
    return [hand for draw in what for hand in draw(rng, run_s)]


HONEST = Case(_set_turning, _pushed_on)
HOSTILE: Mapping[str, Case] = {
    "pushed": Case(_turning, _pushed),
    "slowed": Case(_turning, _slowed),
    "stopped": Case(_turning, _stopped),
    "turned around": Case(_turning, _turned_around),
    "with the ball": Case(_with_ball),
    "with the ball, then turned": Case(_with_ball, _set_going),
    "held": Case(_held),
    "held, then set going": Case(_held, _set_going),
    "several of these": Case(_turning, _several),
    "soft throw": Case(_set_turning, _pushed_on, (0.8, 1.1)),
    "weak throw": Case(_set_turning, _pushed_on, (1.1, 1.5)),
}
