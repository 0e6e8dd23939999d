"""How a roulette wheel fares from spin to spin: where the ball comes down, and how its rotor slows down.

A pure function of the edges that are kept of a round. A wheel that is level drops its ball in every part of the
track; a bearing that wears takes more off the rotor's speed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from controller.events.event import BallLeftTrack, BallThrown, Direction
from controller.tracking.roulette.rotor import RotorGeometry
from controller.tracking.roulette.wheel import RouletteTracker
from hal.events import BALL_1, BALL_2, INDEX, EdgeBatch

_MDEG_PER_TURN = 360_000
_NS_PER_S = 1e9
_QUIET_NS = 60_000_000_000


@dataclass(frozen=True, slots=True)
class SpinHealth:
    """What one run of the ball tells of the wheel."""

    left_ns: int
    """When the ball was last seen."""
    drops_from_mdeg: int
    """It came down between this beam and the next one on its way; counterclockwise from ball_1."""
    drops_within_mdeg: int
    """How far it is from there to the next one, in the direction of the ball; a whole turn if that is not known."""
    between_beams: bool | None
    """It came down on the part of the track clockwise from ball_1 to ball_2; None if that is not known."""
    rotor_slows_rev_s2: float | None
    """What the rotor lost of its speed, in the middle of its turns meanwhile; None for fewer than two turns."""


def spin_health(
    batches: Iterable[EdgeBatch], levels: Mapping[str, bool], geometry: RotorGeometry
) -> list[SpinHealth]:
    """Each run of the ball that left the track without a doubt.

    Args:
        levels: the level of each line before the first edge, by letter.
    """
    tracker = RouletteTracker(geometry, levels)
    marks: list[int] = []
    passes: list[tuple[int, str]] = []
    events = []
    for batch in batches:
        events += tracker.feed(batch)
        stamped = list(zip(batch.timestamps_ns, batch.edges.decode(), strict=True))
        marks += [at_ns for at_ns, letter in stamped if letter == INDEX]
        passes += [(at_ns, letter) for at_ns, letter in stamped if letter in (BALL_1, BALL_2)]
    last_ns = max([*marks, *(at_ns for at_ns, _ in passes)], default=0)
    events += tracker.tick(last_ns + _QUIET_NS)
    found, thrown_ns = [], 0
    for event in events:
        if isinstance(event, BallThrown):
            thrown_ns = event.at_ns
        elif isinstance(event, BallLeftTrack) and event.fault is None and not event.early:
            meanwhile = [at_ns for at_ns in marks if thrown_ns <= at_ns <= event.at_ns]
            found.append(run_health(event, passes, meanwhile, geometry))
    return found


def run_health(
    left: BallLeftTrack, passes: Iterable[tuple[int, str]], marks: Sequence[int], geometry: RotorGeometry
) -> SpinHealth:
    """One run.

    Args:
        passes: when each beam went dark, and which, in order.
        marks: when the index rose while the ball ran.
    """
    last = max((one for one in passes if one[0] <= left.left_ns), default=(0, BALL_1))[1]
    angle = geometry.beam_angle_mdeg
    begins = 0 if last == BALL_1 else _MDEG_PER_TURN - angle
    within, between = _MDEG_PER_TURN, None
    if left.direction is not None:
        between = (last == BALL_1) == (left.direction is Direction.CLOCKWISE)
        within = angle if between else _MDEG_PER_TURN - angle
    return SpinHealth(left.left_ns, begins, within, between, _slows(marks))


def _slows(marks: Sequence[int]) -> float | None:
    """From turn to turn; pushes are few, so that the middle one is none."""
    turns = [second - first for first, second in pairwise(marks)]
    losses = [
        (_NS_PER_S / one - _NS_PER_S / other) * 2 * _NS_PER_S / (one + other) for one, other in pairwise(turns)
    ]
    return median(losses) if losses else None
