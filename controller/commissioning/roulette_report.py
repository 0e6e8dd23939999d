"""``wheel-report`` for a roulette wheel: what rotor and ball lose of their speed, and where the ball comes down.

Nothing of a roulette wheel is calibrated: the later half of the kept spins is compared with the earlier one, and
the part of the track on which balls come down with that of a level wheel.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from controller.commissioning.wheel_recording import MeasurementError
from controller.commissioning.wheel_report import SURE, WheelReport
from controller.events.event import BallLeftTrack, BallThrown, Direction
from controller.tracking.clapper_wheel.geometry import NS_PER_S
from controller.tracking.roulette.rotor import RotorGeometry
from controller.tracking.roulette.wheel import RouletteTracker
from hal.events import BALL_1, BALL_2, INDEX, EdgeBatch

NEEDED = 20
"""So many runs of the ball are needed: of fewer, the part that came down somewhere says nothing."""
_DROPS = 0.1
"""The part of the balls that comes down on one side differs by less on a level wheel."""
_LOSS = 0.3
"""Oil, dust and the speeds of the day change what rotor and ball lose by less."""
_QUIET_NS = 60 * NS_PER_S


@dataclass(frozen=True, slots=True)
class BallRun:
    """A run of the ball that left the track by itself, without a doubt.

    Attributes:
        between: it came down on the part of the track clockwise from ball_1 to ball_2; None if that is not known.
        rotor_loss, ball_loss: degrees a second that they lost each second; None for fewer than two turns.
    """

    between: bool | None
    rotor_loss: float | None
    ball_loss: float | None


def ball_runs(levels: Mapping[str, bool], edges: EdgeBatch, geometry: RotorGeometry) -> Iterator[BallRun]:
    """The runs of a recording.

    Args:
        levels: of each line before the first edge, by letter.
    """
    if not len(edges):
        return
    tracker, thrown_ns = RouletteTracker(geometry, levels), 0
    letters = list(zip(edges.edges.decode(), edges.timestamps_ns, strict=True))
    for event in [*tracker.feed(edges), *tracker.tick(edges.timestamps_ns[-1] + _QUIET_NS)]:
        if isinstance(event, BallThrown):
            thrown_ns = event.at_ns
        elif isinstance(event, BallLeftTrack) and event.fault is None and not event.early:
            run = [(line, at) for line, at in letters if thrown_ns <= at <= event.at_ns]
            passed = [(line, at) for line, at in run if at <= event.left_ns and line in (BALL_1, BALL_2)]
            between = None
            if event.direction is not None and geometry.beams > 1 and passed:
                between = (passed[-1][0] == BALL_1) == (event.direction is Direction.CLOCKWISE)
            yield BallRun(between, _loss(INDEX, run), _loss(BALL_1, passed))


def _loss(line: str, edges: Sequence[tuple[str, int]]) -> float | None:
    """From turn to turn, by a line's edges; pushes are few, so that the middle one is none."""
    marks = [at_ns for letter, at_ns in edges if letter == line]
    turns = [(second - first) / NS_PER_S for first, second in pairwise(marks) if second > first]
    losses = [(1 / one - 1 / other) * 2 / (one + other) for one, other in pairwise(turns)]
    return 360 * median(losses) if losses else None


def roulette_report(runs: Sequence[BallRun], geometry: RotorGeometry) -> WheelReport:
    """What the runs say of their wheel.

    Raises:
        MeasurementError: there are too few.
    """
    if len(runs) < NEEDED:
        raise MeasurementError(f"{len(runs)} of {NEEDED} spins whose ball left the track by itself that are needed")
    report = WheelReport(f"{len(runs)} spins measured")
    drops = [run.between for run in runs if run.between is not None]
    if drops:
        level, share = geometry.beam_angle_mdeg / 360_000, sum(drops) / len(drops)
        allowed = _DROPS + SURE * math.sqrt(level * (1 - level) / len(drops))
        remedy = (
            "Level the wheel, look at track and deflectors on the side where the balls come down. "
            f"On a level wheel {level:.0%} come down there."
        )
        report.compare("balls that drop from ball_1 to ball_2", "", level, share, allowed, remedy)
    bearing = "Clean and oil the rotor's bearing, see that nothing rubs."
    track = "Clean track and ball; replace a worn ball."
    _compare_halves(report, "rotor", [run.rotor_loss for run in runs], bearing)
    _compare_halves(report, "ball", [run.ball_loss for run in runs], track)
    return report


def _compare_halves(report: WheelReport, part: str, losses: Sequence[float | None], remedy: str) -> None:
    """The middle loss of the later half beside that of the earlier one."""
    known = [loss for loss in losses if loss is not None]
    if len(known) >= NEEDED:
        before, now = median(known[: len(known) // 2]), median(known[len(known) // 2 :])
        report.compare(f"{part} loses", "°/s²", before, now, _LOSS * abs(before), remedy)
    report.plot(f"{part}: degrees a second lost each second", losses)
