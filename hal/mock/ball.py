"""The simulated ball: its run around the track, and what the beams across that see of it.

Angles are in turns, growing counterclockwise as seen from above.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hal.events import BALL_1, BALL_2
from hal.mock.arrays import Floats
from hal.mock.motion import Run
from hal.mock.settings import RotorSettings

_NODES_A_TURN = 16
_STEP = 1e-6
_CLIMBS_TURNS, _CLIMBS_WIDE, _CLIMBS_LOSS = (0.0, 3.0), (0.5, 1.7), 0.1
_LEAPS_MOST, _LEAPS_S = 2, (0.05, 2.0)


@dataclass(frozen=True, slots=True)
class Climb:
    """How a ball runs up the wall, if it does."""

    after: float = math.inf
    """After so many turns; from there on it is slower than it would be."""
    loss: float = 0.0
    """The part of its speed that this costs."""
    wide: float = 1.0
    """How much longer than on the track it darkens a beam in the turn after that."""

    @staticmethod
    def drawn(rng: np.random.Generator, settings: RotorSettings, turns: float) -> "Climb":
        """Of some throws, within their last turns."""
        if not settings.climbs_part or rng.random() >= settings.climbs_part:
            return Climb()
        after = max(0.0, turns - rng.uniform(*_CLIMBS_TURNS))
        return Climb(after, rng.uniform(0, _CLIMBS_LOSS), rng.uniform(*_CLIMBS_WIDE))


@dataclass(frozen=True, slots=True)
class BallTruth:
    """The true course of the last throw of the ball."""

    direction: int
    """+1 counterclockwise, -1 clockwise."""
    revolutions: int
    """Complete ones: returns to the first beam."""
    leaves_ns: int
    """When it left the track, or the wheel."""
    rests_ns: int
    against: bool = True
    """It ran against the rotor, which turned all the while."""
    natural: bool = True
    """It left the track by itself, and not the wheel."""
    pocket: str = ""
    """Where it lies; empty until it does, and if it is not in the wheel."""


def ball_run(
    settings: RotorSettings,
    turns: float,
    at: float = 0.0,
    direction: int = 1,
    varied: tuple[float, float, float] = (1.0, 1.0, 1.0),
    climb: Climb | None = None,
) -> Run:
    """A ball that runs so many turns until it is too slow for the track.

    It is slowed by friction and by air, which takes more the faster it is; on a wheel that is not level, its speed
    swings once a turn.

    Args:
        varied: by how much friction, air and the speed at which it leaves differ from the usual.
    """
    friction, drag = settings.ball_friction_rev_s2 * varied[0], settings.ball_drag_per_rev * varied[1]
    along = np.linspace(0, turns, math.ceil(turns * _NODES_A_TURN) + 1)
    slower = np.ones(1)
    if climb is not None and climb.after < turns:
        along = np.sort(np.append(along, (climb.after, climb.after + _STEP)))
        slower = np.where(along > climb.after, 1 - climb.loss, 1)
    part = friction / drag
    w2 = ((settings.leaves_rev_s * varied[2]) ** 2 + part) * np.exp(2 * drag * (turns - along)) - part
    angles = at + direction * along - settings.tilt_deg / 360
    swings = 1 + settings.tilt_part * np.cos(2 * math.pi * angles)
    return Run.of(at, direction, along, w2 * (swings * slower) ** 2)


def returns(run: Run, way: float, beams: Sequence[float], half: float) -> int:
    """How often a ball that has come so far came back to the first beam that it met."""
    # A beam that the ball is in when it is thrown is met a turn later.
    firsts = ((beam - run.begin) * run.direction % 1.0 - half for beam in beams)
    first = min(first if first >= 0 else first + 1 for first in firsts)
    return max(0, math.floor(way - first))


def beam_edges(
    run: Run, climb: Climb, begins_ns: int, leaves_ns: int, beams: Sequence[float], half: float
) -> list[tuple[int, str]]:
    """Every edge of the beams until the ball leaves the track: when, and its letter.

    Args:
        beams: where they are, in turns counterclockwise.
        half: half the ball, in turns.
    """
    edges, turns = [], float(run.along[-1])
    for beam, letter in zip(beams, (BALL_1, BALL_2), strict=False):
        first = (beam - run.begin) * run.direction % 1.0 - half
        enters: Floats = first + np.arange(math.ceil(turns) + 1, dtype=np.float64)
        enters = enters[(enters >= 0) & (enters < turns)]
        both = np.stack((enters, enters + 2 * half), axis=1).ravel()
        enters_s, free_s = run.times_at(run.begin + run.direction * both).reshape(-1, 2).T
        wide = np.where((enters >= climb.after) & (enters < climb.after + 1), climb.wide, 1.0)
        free_s = enters_s + (free_s - enters_s) * wide
        for enters_ns, free_ns in zip((enters_s * 1e9).tolist(), (free_s * 1e9).tolist(), strict=True):
            if begins_ns + int(enters_ns) < leaves_ns:
                free_at_ns = min(begins_ns + int(free_ns), leaves_ns)
                edges += [(begins_ns + int(enters_ns), letter), (free_at_ns, letter.lower())]
    return edges


def leaps(rng: np.random.Generator, settings: RotorSettings, leaves_ns: int, beams: int) -> list[tuple[int, str]]:
    """How some balls leap across the beams once they have left the track: edges of these, as above.

    A ball is at one place at a time: its leaps come one after the other.
    """
    if not settings.leaps_part or rng.random() >= settings.leaps_part:
        return []
    crossed = [letter for letter in (BALL_1, BALL_2)[:beams] for _ in range(rng.integers(0, _LEAPS_MOST + 1))]
    rng.shuffle(crossed)
    edges, free_s = [], 0.0
    for letter, at_s in zip(crossed, sorted(rng.uniform(*_LEAPS_S, len(crossed)).tolist()), strict=True):
        begins_s = max(at_s, free_s + 0.01)
        free_s = begins_s + math.exp(rng.uniform(math.log(0.001), math.log(settings.leap_longest_s)))
        edges += [(leaves_ns + int(begins_s * 1e9), letter), (leaves_ns + int(free_s * 1e9), letter.lower())]
    return edges
