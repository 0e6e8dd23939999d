"""One wheel of the simulated fleet, calibrated as a technician does it, and spun: for campaigns and tests.

What the tracker says is compared with where the wheel truly stands, which only the simulation knows.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from fleet import draw_wheel

from config.schema import WheelSection
from controller.bench.wheel_workshop import advance_to_rest, calibration
from controller.events.event import Event, WheelRested
from controller.runtime.trackers import geometry
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.hand import DETECTORS
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import EdgeBatch
from hal.mock.clock import VirtualClock
from hal.mock.settings import WheelSettings
from hal.mock.wheel import MockHead
from hal.mock.world import World

_NS = 1_000_000_000
_TODAY = date(2026, 1, 1)
_LEAST_TURNS = 3.1


@dataclass(frozen=True, slots=True)
class Spin:
    """How a spin ended.

    Attributes:
        said: ``result``, ``between``, ``touched``, ``fault``, ``few`` revolutions, or ``nothing``.
        detail: the tracker's code for what it found, and its figures.
        right: a result that is the section in which the clapper truly hangs free.
        bent: a peg truly bends the clapper.
    """

    said: str
    detail: str
    right: bool
    bent: bool


class FleetWheel:
    """A wheel of the fleet.

    Args:
        settings: another wheel than the one that the seed draws.
        calibrated: as it was measured before, when it was not yet worn; None to measure it now.

    Raises:
        MeasurementError: it cannot be calibrated, as one that lacks a peg.
    """

    def __init__(
        self,
        seed: int,
        sections: int | None = None,
        settings: WheelSettings | None = None,
        calibrated: WheelGeometry | None = None,
    ) -> None:
        self.settings = settings or draw_wheel(seed, sections)
        self.rng = random.Random(seed)
        self._clock = VirtualClock()
        self._world = World.of(self._clock)
        self.head = self._world.fit_wheel(self.settings)
        assert self.settings.sections is not None
        self.sections = self.settings.sections
        self.calibration: WheelSection | None = None
        """What ``calibrate`` writes into the table's file; None if it was measured before."""
        if calibrated is None:
            self.calibration = self._calibrated()
            calibrated = geometry(self.calibration, self.sections)
        self.geometry = calibrated
        self.tracker = WheelTracker(self.geometry, self.head.levels())
        self.events: list[Event] = []
        """Of the last throw."""
        self.head.start(self.feed)
        self.turn(1.3)

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The names of all detectors that found a hand in the last throw, whichever the tracker asked first."""
        ending = self.tracker.ending
        return tuple(
            name for name, detect in DETECTORS.items() if ending is not None and detect(ending) is not None
        )

    @property
    def hands(self) -> MockHead:
        """What people do to the wheel."""
        return self.head

    def _calibrated(self) -> WheelSection:
        """As ``calibrate`` asks for it."""
        file = WheelSection(
            counts_per_turn=self.settings.counts_per_turn, index_offset_counts=0, reversed=self.settings.reversed
        )
        steps = calibration(self._world, self._clock, file, _TODAY)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                wheel: WheelSection = end.value.wheel
                return wheel

    def feed(self, batch: EdgeBatch) -> None:
        """Edges of the sensor head. No time passes before them: a table reads what the kernel has, then looks."""
        self.events += self.tracker.feed(batch)

    def _rest(self) -> None:
        advance_to_rest(self._clock, self.head)

    def turn(self, turns: float) -> None:
        """Turn the wheel by hand; counterclockwise, or clockwise if negative."""
        self.head.turn(self.sections * turns, 12 * abs(turns))
        self._rest()
        self.tracker.tick(self._clock.now_ns())

    def break_(self, fault: str, line: str = "", amount: float = 0.0) -> None:
        """A fault of ``hal.mock.world.FAULTS``."""
        self._world.fault(fault, line, amount)

    def repair(self) -> None:
        """Everything works again, and the wheel is located anew."""
        self._world.repair()
        self.turn(2.3)
        while self.tracker.position is None:  # No table opens before.
            self.turn(-2.3)

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._clock.advance_to(self._clock.now_ns() + round(seconds * _NS))

    @property
    def left_s(self) -> float:
        """How long the wheel still turns if nothing happens to it."""
        return (self.head.at_rest_ns - self._clock.now_ns()) / _NS

    @property
    def section_j(self) -> float:
        """What a section takes of the wheel's energy, in joules."""
        return self.settings.peg_j + self.settings.friction_nm * 2 * math.pi / self.sections

    def would_rest(self) -> tuple[float, int]:
        """Where the wheel comes to rest if nobody touches it: in sections along the rim, and the section."""
        now, physics = self.head.motion, self.head.physics
        for run in physics.free(now):
            now = physics.after(now, run)
        return now.x, physics.section(now.x, now.lean)

    def throw(self) -> None:
        """Throw the wheel as dealers do."""
        self.events.clear()
        self.tracker.ending = None
        turns = self.rng.uniform(3.3, 6.5) * self.rng.choice((1, -1))
        self.hands.throw(turns, seconds=self.rng.uniform(0.3, 1.0))

    def push(self, joules: float, seconds: float) -> None:
        """A hand pushes the wheel the way it turns, so that its energy is so much more when it is let go."""
        now = self.head.velocity
        change = math.sqrt(now**2 + joules * self.head.physics.w2_per_j) - abs(now)
        self.hands.push(math.copysign(change, now) * 360 / self.sections, seconds)

    def stop_in(self, section: int, direction: int, part: float) -> Spin:
        """A throw of little more than three turns that ends in a section: how the spin ended.

        Args:
            part: how far into the section the wheel stops, as in ``MockHead.throw_into``.
        """
        self.events.clear()
        self.head.throw_into(section, _LEAST_TURNS, direction, part)
        return self.end()

    def stop_on_peg(self, boundary: int, direction: int) -> Spin:
        """The same onto the peg before a section, where the clapper lies bent."""
        self.events.clear()
        self.head.throw_onto(boundary, _LEAST_TURNS, direction)
        return self.end()

    def end(self) -> Spin:
        """Let the wheel come to rest: how the spin ended."""
        self._rest()
        now_ns = self._clock.now_ns()
        self.events += [*self.tracker.look(self.head.levels(), now_ns), *self.tracker.tick(now_ns)]
        spin = outcome(self.events, *self.head.true_position())
        if spin.said == "fault":
            self.turn(2.3)
        return spin


def outcome(events: Sequence[Event], section: int, bent: bool) -> Spin:
    """How a spin ended.

    Args:
        events: what the tracker made of its edges.
        section: in which the clapper truly hangs.
        bent: a peg truly bends it.
    """
    rests = [event for event in events if isinstance(event, WheelRested)]
    if not rests:
        return Spin("nothing", "", False, bent)
    said, detail = _said(rests[0])
    # A wheel that moved on after it had come to rest is no longer where the table saw it.
    right = len(rests) == 1 and rests[0].section == section and not bent
    return Spin(said if len(rests) == 1 or said != "result" else "moved", detail, right, bent)


def _said(rested: WheelRested) -> tuple[str, str]:
    if rested.fault is not None:
        return "fault", f"{rested.fault.sensor} {rested.fault.found}"
    if rested.travel_counts < 3 * rested.counts_per_turn:
        return "few", ""
    if rested.touched:
        return "touched", str(rested.touched)
    if not rested.located:
        return "fault", "not located"
    return ("between", "") if rested.section is None else ("result", "")
