"""Roulette wheels as they stand in casinos, drawn at random: no two alike. For campaigns and tests.

Where the ranges come from:

- **Ball in its track.** M. Small, C. K. Tse, "Predicting the outcome of roulette", Chaos 22, 033150 (2012): the
  ball slows down along the rim until gravity down the slope outweighs what holds it there, then meets the
  deflectors, after which its way is chaotic; J.-I. Eichberger, "Roulette Physics" (2003): friction and air,
  dW/dt = -a W^2 + b, and a pendulum's term on a wheel that is not level. Speeds when thrown and when it leaves
  are estimates from such wheels: 1.2 to 2.2 and 0.5 to 0.8 turns a second, so that a run takes 8 to 25 s.
- **Tilt.** By Eichberger's pendulum a tilt of 1 degree swings the speed of a ball at 0.7 turns a second by some
  2%, and 0.2 degrees (which he calls strong) by 0.4%. Drawn up to 3%, one wheel in ten; an estimate.
- **Leaps.** That a ball may jump back across a beam after a deflector, once or twice within two seconds and for
  any time, is an estimate of the trade. Two balls in three do so on the liveliest wheels here.
- **Wall.** That a ball in its last turns may run up the wall, which costs it up to a tenth of its speed and
  lets it darken a beam half as long or 1.7 times as long, is an estimate, too. One ball in three does on the
  liveliest wheels.
- **Rotor.** 0.2 to 0.6 turns a second, losing 0.002 to 0.02 a second: estimates of the trade.
- **Encoder.** 50 to 4,096 lines. Index by data sheets of optical encoders: gated with A and B (90 electrical
  degrees, the commonest), gated with A (180), or ungated (180 to 540 degrees wide, anywhere); either polarity.
  Edges that fall together come in either order, for time stamps err by up to 10 microseconds (an estimate).
"""

import random
from typing import Literal

from hal.mock.settings import RotorSettings

_LINES = (50, 100, 100, 256, 500, 1024, 4096)
_GATES: tuple[Literal["none", "a", "ab"], ...] = ("ab", "ab", "a", "none")
_BEAM_ANGLES_DEG = (45.0, 60.0, 90.0, 90.0, 120.0, 135.0, 250.0, 270.0)
_TILTED = 0.1
"""Part of the wheels that are markedly out of level."""


def draw_rotor(seed: int) -> RotorSettings:
    """One wheel of the fleet, always the same for a seed."""
    rng = random.Random(seed)
    return RotorSettings(
        seed=seed,
        counts_per_turn=4 * rng.choice(_LINES),
        reversed=rng.random() < 0.5,
        index_gate=rng.choice(_GATES),
        index_offset_counts=rng.uniform(0, 4),
        index_wide_counts=rng.uniform(1, 6) if rng.random() < 0.2 else rng.uniform(1, 2.2),
        index_inverted=rng.random() < 0.4,
        beam_angle_deg=rng.choice(_BEAM_ANGLES_DEG),
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
