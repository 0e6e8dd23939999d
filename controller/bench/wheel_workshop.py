"""A technician at the simulated wheel: how it is built, bent and missing pegs, and a calibration.

All of this is a change of hardware: it happens between rounds, while the wheel stands and its leather hangs free.
For a calibration the table is switched off; it is started again with what was measured.
"""

from collections.abc import Callable, Generator
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from pydantic import ValidationError

from config.schema import WheelSection
from controller.bench.log_lines import LineTone
from controller.commissioning.calibration import Calibrated, calibrate
from controller.commissioning.wheel_recording import MeasurementError, WheelRecording
from controller.limits.round_progress import OPEN
from hal.interfaces import Timer
from hal.mock.clock import NS_PER_S, VirtualClock
from hal.mock.physics import Physics
from hal.mock.settings import WheelSettings
from hal.mock.wheel import MockHead
from hal.mock.world import World

if TYPE_CHECKING:
    from controller.bench.live import LiveBench

STEP_NS = 200_000_000
"""From one step of a calibration to the next, so that people can follow it."""
BUILD = ("leather_mm", "set_deg", "slip_deg", "threshold_deg", "peg_mm", "peg_j", "restitution", "friction_nm")
"""The options of leather, pegs and bearing that can be changed."""
_AFTER_NS = 5 * NS_PER_S
_ATTEMPTS = 6
_TURNS, _TURNS_S = 2.2, 22.0
_THROW_TURNS = 4.5
_REPAIRED = (OPEN, "locked")
"""States of a round that was begun in which hardware may be changed all the same: no throw counts yet, or none does
any more."""


class Progress(NamedTuple):
    """A step of a calibration that is done next, and the part of the work that was done before it."""

    words: str
    done: float


def calibration(
    world: World, clock: VirtualClock, file: WheelSection, today: date
) -> Generator[Progress, None, Calibrated]:
    """Record a wheel and calibrate it, as a technician does: two slow turns and a throw, each way.

    Each step is done when the next one is asked for.

    Args:
        world: of the wheel, on a clock of its own.
        file: the wheel's section of the table's file; its encoder is replaced by the wheel's own.

    Raises:
        MeasurementError: the wheel cannot be calibrated, as one that lacks a peg.
    """
    head, built = world.wheel, world.wheel.settings
    own = {"counts_per_turn": built.counts_per_turn, "index_offset_counts": 0, "reversed": built.reversed}
    recording = WheelRecording(head.levels(), file.model_copy(update={**own, "clapper": None}))
    head.start(recording.feed)
    for way, name in ((1, "counterclockwise"), (-1, "clockwise")):
        yield Progress(f"two slow turns {name}", 0.0 if way > 0 else 0.2)
        head.turn(way * head.sections * _TURNS, _TURNS_S)
        advance_to_rest(clock, head)
    for way, name in ((1, "counterclockwise"), (-1, "clockwise")):
        yield Progress(f"a throw {name}", 0.4 if way > 0 else 0.6)
        head.throw(_THROW_TURNS, way)
        advance_to_rest(clock, head)
    while head.true_position()[1]:
        head.turn(0.4, 1.0)
        advance_to_rest(clock, head)
    yield Progress("measuring", 0.8)
    return calibrate(recording, head.sections, head.true_position()[0], today)


def advance_to_rest(clock: VirtualClock, head: MockHead) -> None:
    """Let time pass until nothing moves: a hand that lets go later may set the wheel free again."""
    for _ in range(_ATTEMPTS):
        clock.advance_to(max(clock.now_ns(), head.at_rest_ns + _AFTER_NS))
        head.poll()
        if head.at_rest_ns + _AFTER_NS <= clock.now_ns():
            return


class WheelWorkshop:
    """What a technician does at the wheel of a bench.

    Every action raises ValueError or HalError, with a sentence, if it is not possible; nothing was done then.
    """

    def __init__(self, bench: "LiveBench") -> None:
        self._bench = bench
        self._timer: Timer | None = None
        self.progress: Progress | None = None
        """The step of a calibration that is being done; None if there is none."""

    def close(self) -> None:
        """The bench ends."""
        if self._timer is not None:
            self._timer.cancel()

    def calibrate(self) -> None:
        """Measure the wheel as it is now, and start the table with that."""
        head, bench, clock = self._between_rounds(free=False), self._bench, VirtualClock()
        assert bench.config.wheel is not None
        world = World.of(clock)
        world.fit_wheel(head.settings)
        today = datetime.fromtimestamp(bench.clock.utc_ns() / 1e9, UTC).date()
        self._say("calibrates the wheel")
        bench.power_off()
        self._step(calibration(world, clock, bench.config.wheel, today))

    def _step(self, steps: Generator[Progress, None, Calibrated]) -> None:
        bench, self.progress = self._bench, None
        try:
            self.progress = next(steps)
        except StopIteration as end:
            bench.power_on(end.value.wheel)
            self._say("the wheel is calibrated as it is now")
            for warning in end.value.warnings:
                bench.say(f"calibration: {warning}")
        except MeasurementError as error:
            bench.say(f"not possible: {error}; the table keeps its calibration", LineTone.ALARM)
            bench.power_on()
        else:
            self._timer = bench.clock.call_at(bench.clock.now_ns() + STEP_NS, lambda: self._step(steps))

    # -- how it is built -----------------------------------------------------------------------------------

    def build(self, option: str, value: float) -> None:
        """Change an option of the wheel (see ``hal/mock/settings.py``), one of ``BUILD``."""
        before = getattr(self._wheel.settings, option)
        self._change(lambda settings: _with(settings, {option: value}))
        self._say(f"changes {option} from {before:.3g} to {value:.3g}; calibrate the wheel")

    def bend_peg(self, number: int, degrees: float) -> None:
        """Bend a peg; one that was taken out is put back.

        Args:
            number: from 1.
            degrees: from its place; positive is clockwise along the rim, 0 straightens it.
        """
        self._change(lambda settings: _with_peg(settings, number - 1, degrees))
        way = "clockwise" if degrees > 0 else "counterclockwise"
        self._say(f"bends peg {number} by {abs(degrees):.3g}° {way}" if degrees else f"straightens peg {number}")

    def remove_peg(self, number: int) -> None:
        """Take a peg out."""
        self._change(lambda settings: _with_peg(settings, number - 1, None))
        self._say(f"takes peg {number} out")

    # -- inside --------------------------------------------------------------------------------------------

    @property
    def _wheel(self) -> MockHead:
        return self._bench.world.wheel

    def _say(self, words: str) -> None:
        self._bench.watch.say_key(self._bench.clock.now_ns(), words)

    def _between_rounds(self, free: bool) -> MockHead:
        """The wheel, if its hardware can be changed now.

        Args:
            free: the leather must hang free, for what is changed stands before it.
        """
        head, bench = self._wheel, self._bench
        if self.progress is not None:
            raise ValueError(f"the technician is at work ({self.progress.words}); wait until the table starts")
        if not bench.powered:
            raise ValueError("the power is off; wait until the table starts")
        bench.poll()
        tracker = bench.table.head.tracker
        if head.moving or (tracker is not None and tracker.due_ns is not None):
            raise ValueError("the wheel turns, or did just now: its hardware is changed between rounds, at rest")
        state = str(bench.table.machine.state.value)
        if bench.table.recorder.round_progress.begun and state not in _REPAIRED:
            raise ValueError(
                f"a round is in progress ({state}): hardware is changed between rounds; finish it first"
            )
        if free and head.motion.lean is not None:
            raise ValueError("a peg bends the leather; turn the wheel by hand until it hangs free")
        return head

    def _change(self, change: Callable[[WheelSettings], WheelSettings]) -> WheelSettings:
        """Change the wheel that stands there; returns its settings now."""
        head = self._between_rounds(free=True)
        try:
            after = change(head.settings)
        except ValidationError as error:
            raise ValueError(f"no such wheel can be built: {error.errors()[0]['msg']}") from error
        physics = Physics(after, np.random.default_rng(after.seed))
        turn, per_deg = head.sections, head.sections / 360
        ways = (physics.there + after.set_deg * per_deg - head.x + turn / 2) % turn - turn / 2
        touched = bool((abs(ways) <= after.half_deg * per_deg).any())
        if touched or physics.section(head.x, None) != head.true_position()[0]:
            raise ValueError("that peg would stand at the leather now; turn the wheel by hand first")
        head.refit(after)
        return after


def _with_peg(settings: WheelSettings, peg: int, degrees: float | None) -> WheelSettings:
    """The same wheel with a peg bent so far, 0 for a straight one, or without it."""
    bent = {one: way for one, way in settings.bent_pegs.items() if one != peg}
    missing = [one for one in settings.missing_pegs if one != peg]
    if degrees is None:
        missing.append(peg)
    elif degrees:
        bent[peg] = degrees
    return _with(settings, {"bent_pegs": bent, "missing_pegs": tuple(missing)})


def _with(settings: WheelSettings, options: dict[str, object]) -> WheelSettings:
    """The same wheel with other options, checked as a file's are. Defaults stay defaults."""
    return WheelSettings.model_validate({**settings.model_dump(exclude_unset=True), **options})
