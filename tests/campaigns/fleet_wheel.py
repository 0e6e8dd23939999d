"""One wheel of the simulated fleet, calibrated as a technician does it, and spun.

What the tracker says is compared with where the wheel truly stands, which only the simulation knows.
"""

import math
import random
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple
from unittest.mock import patch

from fleet import draw_wheel

from config.schema import WheelSection
from controller.commissioning.calibration import calibrate
from controller.commissioning.wheel_recording import WheelRecording
from controller.events.event import Event, WheelRested
from controller.events.words import Text
from controller.runtime.trackers import geometry
from controller.tracking.clapper_wheel import rest
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.hand import DETECTORS, Ending, touch
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import EdgeBatch
from hal.mock.clock import NS_PER_S, VirtualClock
from hal.mock.settings import WheelSettings
from hal.mock.world import World

_TODAY = date(2026, 1, 1)
_LEAST_TURNS = 3.1
_ATTEMPTS, _AFTER_NS = 6, 5 * NS_PER_S


class Spin(NamedTuple):
    """How a spin ended.

    Attributes:
        said: ``result``, ``between``, ``touched``, ``fault``, ``few`` revolutions, ``nothing``, or ``moved`` on.
        detail: the tracker's code for what it found, and its figures.
        right: a result that is the section in which the clapper truly hangs free.
        bent: a peg truly bends the clapper.
        detectors: the names of all that found a hand, whichever the tracker asked first.
    """

    said: str
    detail: str
    right: bool
    bent: bool
    detectors: tuple[str, ...] = ()


def not_calibrated(seed: int, counts: int, hysteresis_deg: float = 0.02) -> "FleetWheel":
    """A wheel whose pegs and leather are as a table assumes that was not calibrated."""
    settings = WheelSettings(seed=seed, sections=54, counts_per_turn=counts, hysteresis_deg=hysteresis_deg)
    file = WheelSection(counts_per_turn=counts, index_offset_counts=settings.index_offset_counts)
    return FleetWheel(seed, settings, geometry(file, settings.sections))


class FleetWheel:
    """A wheel of the fleet. A copy (``copy.deepcopy``), even while it turns, goes on as the wheel does.

    Args:
        settings: another wheel than the one that the seed draws.
        calibrated: as it was measured before, when it was not yet worn; None to measure it now.

    Raises:
        MeasurementError: it cannot be calibrated, as one that lacks a peg.
    """

    def __init__(
        self, seed: int, settings: WheelSettings | None = None, calibrated: WheelGeometry | None = None
    ) -> None:
        self.settings = settings or draw_wheel(seed)
        self.sections = self.settings.sections
        self.rng = random.Random(seed)
        self.clock = VirtualClock()
        self.world = World.of(self.clock)
        self.head = self.world.fit_wheel(self.settings)
        self.geometry = calibrated or self._calibrated()
        self.tracker = WheelTracker(self.geometry, self.head.levels())
        self.events: list[Event] = []
        """Of the last throw."""
        self.head.start(self.feed)
        self.turn(1.3)

    def _calibrated(self) -> WheelGeometry:
        """As ``calibrate`` asks for it: two slow turns and a throw, each way."""
        head, counts = self.head, self.settings.counts_per_turn
        file = WheelSection(counts_per_turn=counts, index_offset_counts=0, reversed=self.settings.reversed)
        recording = WheelRecording(head.levels(), file)
        head.start(recording.feed)
        for turns in (2.2, -2.2):
            self._turn(turns, 22)
        for way in (1, -1):
            head.throw(4.5, way)
            self._rest()
        while head.true_position()[1]:
            self._turn(0.4 / self.sections, 1)
        wheel = calibrate(recording, self.sections, head.true_position()[0], _TODAY).wheel
        return geometry(wheel, self.sections)

    def feed(self, batch: EdgeBatch) -> None:
        """No time passes before these edges: a table reads what the kernel has, then looks."""
        self.events += self.tracker.feed(batch)

    def turn(self, turns: float) -> None:
        """Turn the wheel by hand; counterclockwise, or clockwise if negative."""
        self._turn(turns, 12 * abs(turns))
        self.tracker.tick(self.clock.now_ns())

    def _turn(self, turns: float, seconds: float) -> None:
        self.head.turn(self.sections * turns, seconds)
        self._rest()

    def _rest(self) -> None:
        """Let time pass until nothing moves: a hand that lets go later may set the wheel free again."""
        clock, head = self.clock, self.head
        for _ in range(_ATTEMPTS):
            clock.advance_to(max(clock.now_ns(), head.at_rest_ns + _AFTER_NS))
            head.poll()
            if head.at_rest_ns + _AFTER_NS <= clock.now_ns():
                return

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.clock.advance_to(self.clock.now_ns() + round(seconds * NS_PER_S))

    @property
    def left_s(self) -> float:
        """How long the wheel still turns if nothing happens to it."""
        return (self.head.at_rest_ns - self.clock.now_ns()) / NS_PER_S

    def would_rest(self) -> tuple[float, int]:
        """Where the wheel comes to rest if nobody touches it: in sections along the rim, and the section."""
        now, physics = self.head.motion, self.head.physics
        for run in physics.free(now):
            now = physics.after(now, run)
        return now.x, physics.section(now.x, now.lean)

    @property
    def section_j(self) -> float:
        """What a section takes of the wheel's energy, in joules."""
        return self.settings.peg_j + self.settings.friction_nm * 2 * math.pi / self.sections

    def push(self, joules: float, seconds: float) -> None:
        """A hand pushes the wheel the way it turns, so that its energy is so much more when it is let go."""
        now = self.head.velocity
        change = math.sqrt(now**2 + joules * self.head.physics.w2_per_j) - abs(now)
        self.head.push(math.copysign(change, now) * 360 / self.sections, seconds)

    def brake(self, joules: float, seconds: float) -> None:
        """A hand rubs on the rim, and takes so much energy at the present speed."""
        rad_s = abs(self.head.velocity) * 2 * math.pi / self.sections
        self.head.brake(joules / max(0.05, rad_s * seconds), seconds)

    def throw(self) -> None:
        """Throw the wheel as dealers do."""
        self.events.clear()
        turns = self.rng.uniform(3.3, 6.5) * self.rng.choice((1, -1))
        self.head.throw(turns, seconds=self.rng.uniform(0.3, 1.0))

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
        detectors: list[str] = []

        def all_asked(ending: Ending) -> Text:
            detectors.extend(name for name, detect in DETECTORS.items() if detect(ending) is not None)
            return touch(ending)

        with patch.object(rest, "touch", all_asked):
            self._rest()
            now_ns = self.clock.now_ns()
            self.events += [*self.tracker.look(self.head.levels(), now_ns), *self.tracker.tick(now_ns)]
        spin = _outcome(self.events, *self.head.true_position())._replace(detectors=tuple(detectors))
        if spin.said == "fault":
            self.turn(2.3)
        return spin


def _outcome(events: Sequence[Event], section: int, bent: bool) -> Spin:
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
