"""``wheel-report`` for a roulette wheel: what rotor and ball lose of their speed, and where the ball comes down.

Nothing of a roulette wheel is calibrated: the later half of the kept spins is compared with the earlier one, and
the part of the track on which balls come down with that of a level wheel.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from controller.commissioning.wheel_recording import NS_PER_S, MeasurementError
from controller.commissioning.wheel_report import Figure, WheelReport, compared
from controller.drawing.plots import Curve, Plot
from controller.events.event import BallLeftTrack, BallThrown, Direction
from controller.tracking.roulette.rotor import RotorGeometry
from controller.tracking.roulette.wheel import RouletteTracker
from hal.events import BALL_1, BALL_2, INDEX, EdgeBatch

NEEDED = 20
"""So many runs of the ball are needed: of fewer, the part that came down somewhere says nothing."""
_DROPS = 0.1
"""The part of the balls that comes down on one side differs by less on a level wheel."""
_LOSS = 0.3
"""Oil, dust and the speeds of the day change what rotor and ball lose by less."""
_SURE = 3.0
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
    passed: dict[str, list[int]] = {INDEX: [], BALL_1: [], BALL_2: []}
    for at_ns, letter in zip(edges.timestamps_ns, edges.edges.decode(), strict=True):
        if letter in passed:
            passed[letter].append(at_ns)
    for event in [*tracker.feed(edges), *tracker.tick(edges.timestamps_ns[-1] + _QUIET_NS)]:
        if isinstance(event, BallThrown):
            thrown_ns = event.at_ns
        elif isinstance(event, BallLeftTrack) and event.fault is None and not event.early:
            beams = {line: [at for at in passed[line] if thrown_ns <= at <= event.left_ns] for line in passed}
            rotor = [at for at in passed[INDEX] if thrown_ns <= at <= event.at_ns]
            yield BallRun(_between(beams, event.direction, geometry), _loss(rotor), _loss(beams[BALL_1]))


def _between(beams: Mapping[str, Sequence[int]], way: Direction | None, geometry: RotorGeometry) -> bool | None:
    if way is None or geometry.beams < 2:
        return None
    last = max(BALL_1, BALL_2, key=lambda line: max(beams[line], default=0))
    return (last == BALL_1) == (way is Direction.CLOCKWISE)


def _loss(marks: Sequence[int]) -> float | None:
    """From turn to turn; pushes are few, so that the middle one is none."""
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
    report = WheelReport(f"{len(runs)} spins measured", "before")
    drops = [run.between for run in runs if run.between is not None]
    if drops:
        level, share = geometry.beam_angle_mdeg / 360_000, sum(drops) / len(drops)
        allowed = _DROPS + _SURE * math.sqrt(level * (1 - level) / len(drops))
        remedy = (
            "Level the wheel, look at track and deflectors on the side where the balls come down. "
            f"On a level wheel {level:.0%} come down there."
        )
        report.figures.append(compared("balls that drop from ball_1 to ball_2", "", level, share, allowed, remedy))
    bearing = "Clean and oil the rotor's bearing, see that nothing rubs."
    track = "Clean track and ball; replace a worn ball."
    report.figures += _halves("rotor loses", [run.rotor_loss for run in runs], bearing)
    report.figures += _halves("ball loses", [run.ball_loss for run in runs], track)
    report.plots += _plots("rotor: degrees a second lost each second", runs, lambda run: run.rotor_loss)
    report.plots += _plots("ball: degrees a second lost each second", runs, lambda run: run.ball_loss)
    return report


def _halves(name: str, losses: Sequence[float | None], remedy: str) -> Iterator[Figure]:
    """The middle loss of the later half beside that of the earlier one."""
    known = [loss for loss in losses if loss is not None]
    if len(known) >= NEEDED:
        before, now = median(known[: len(known) // 2]), median(known[len(known) // 2 :])
        yield compared(name, "°/s²", before, now, _LOSS * abs(before), remedy)


def _plots(label: str, runs: Sequence[BallRun], value: Callable[[BallRun], float | None]) -> Iterator[Plot]:
    points = tuple((float(spin), loss) for spin, run in enumerate(runs, 1) if (loss := value(run)) is not None)
    if points:
        yield Plot(label, float(len(runs)), (Curve(label, points),), (), (), None, "spins")
