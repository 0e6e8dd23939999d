"""What the detectors of hands are asked about: an ending made of counts, for their tests."""

from collections.abc import Sequence
from dataclasses import replace

from controller.events.words import NOTHING, Text
from controller.tracking.clapper_wheel.edges import ContactEdge
from controller.tracking.clapper_wheel.energy import SpinLoss, SpinRun
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.hand import DETECTORS, Ending
from controller.tracking.clapper_wheel.trajectory import CountRun, LastSections, Trajectory


def ended(
    geometry: WheelGeometry,
    runs: Sequence[CountRun],
    contact: Sequence[ContactEdge] = (),
    section: float = 0.0,
    origin: int = 0,
) -> Ending:
    """A wheel whose last sections were these; ``section`` is the squared speed that one takes, 0 if not known."""
    if section:
        geometry = replace(geometry, losses=(SpinLoss(section, 0.0), SpinLoss(section, 0.0)))
    run = SpinRun(1, [1.0] * 4, geometry.sections)
    last = LastSections(runs, contact, geometry.counts_per_turn)
    return Ending(geometry, run, 0.0, False, last, origin, slipped=False)


def ended_so(geometry: WheelGeometry, trajectory: Trajectory, direction: int) -> Ending:
    """A wheel that was thrown in a direction and made this way."""
    run, middle = trajectory.run(direction)
    last = LastSections(trajectory.last_runs(), (), geometry.counts_per_turn)
    return Ending(geometry, run, middle, trajectory.lossy, last, 0, slipped=False)


def said(ending: Ending, *names: str) -> Text:
    """What the first of these detectors finds that finds a hand."""
    verdicts = ((name, DETECTORS[name](ending)) for name in names)
    return next((Text(name, figures) for name, figures in verdicts if figures is not None), NOTHING)
