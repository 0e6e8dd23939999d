"""A technician at the simulated wheel: another wheel, wear, bent and missing pegs, and a calibration.

All of this is a change of hardware: it happens between rounds, while the wheel stands and its leather hangs free.
Another wheel, and a calibration, need the table switched off: it is started again with what was measured.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
from pydantic import ValidationError

from config.schema import WheelSection
from controller.bench.log_lines import LineTone
from controller.bench.recording_session import Progress, RecordingSession, session_of
from controller.commissioning.wheel_recording import MeasurementError
from controller.limits.round_progress import OPEN
from hal.errors import HalError
from hal.interfaces import Timer
from hal.mock.edges import MockHead
from hal.mock.fleet import draw_wheel
from hal.mock.settings import WheelSettings
from hal.mock.wear import aged, with_new_leather, with_worn_bearing
from hal.mock.wheel import WheelPhysics

if TYPE_CHECKING:
    from controller.bench.live import LiveBench

PLAIN = "the plain wheel"
STEP_NS = 200_000_000
"""From one step of a calibration to the next, so that people can follow it."""
_REPAIRED = (OPEN, "locked")
"""States of a round that was begun in which hardware may be changed all the same: no throw counts yet, or none does
any more."""


class WheelWorkshop:
    """What a technician does at the wheel of a bench.

    Every action raises ValueError or HalError, with a sentence, if it is not possible; nothing was done then.
    """

    def __init__(self, bench: "LiveBench") -> None:
        self._bench = bench
        self._file = bench.config.wheel
        self._plain = bench.world.head.settings if isinstance(bench.world.head, MockHead) else None
        self._leathers = 0
        self._steps: Iterator[Progress] = iter(())
        self._timer: Timer | None = None
        self.name = PLAIN
        self.progress: Progress | None = None
        """The step of a calibration that is being done; None if there is none."""

    def close(self) -> None:
        """The bench ends."""
        if self._timer is not None:
            self._timer.cancel()

    # -- another wheel -------------------------------------------------------------------------------------

    def fit(self, number: int | None) -> None:
        """Put up a wheel of the fleet, calibrated from a recording of itself, or the plain wheel again.

        Args:
            number: of the wheel in the fleet; None for the plain wheel, which needs no calibration.
        """
        head = self._between_rounds(free=False)
        if number is None:
            assert self._plain is not None
            self._bench.power_off()
            self._put_up(PLAIN, self._plain, self._file)
            return
        name = f"wheel {number} of the fleet"
        settings = draw_wheel(number, head.sections)
        self._measure(settings, f"{name} is put up", lambda wheel: self._put_up(name, settings, wheel))

    def calibrate(self) -> None:
        """Measure the wheel as it is now, and start the table with that."""
        head = self._between_rounds(free=False)
        self._measure(head.settings, f"{self.name} is calibrated", self._calibrated)

    def _measure(self, settings: WheelSettings, words: str, finish: Callable[[WheelSection], None]) -> None:
        assert self._file is not None
        bench = self._bench
        today = datetime.fromtimestamp(bench.clock.utc_ns() / 1e9, UTC).date()
        session = session_of(settings, self._file, today)
        bench.watch.say_key(bench.clock.now_ns(), words)
        bench.power_off()
        self._steps = session.steps()
        self._step(session, finish)

    def _step(self, session: RecordingSession, finish: Callable[[WheelSection], None]) -> None:
        bench = self._bench
        try:
            self.progress = next(self._steps, None)
        except (MeasurementError, HalError) as error:
            self.progress = None
            bench.say(f"not possible: {error}; {self.name} stays as it was", LineTone.ALARM)
            bench.power_on()
            return
        if self.progress is None:
            finish(session.calibrated.wheel)
            for warning in session.calibrated.warnings:
                bench.say(f"calibration: {warning}")
            return
        due_ns = bench.clock.now_ns() + STEP_NS
        self._timer = bench.clock.call_at(due_ns, lambda: self._step(session, finish))

    def _put_up(self, name: str, settings: WheelSettings, wheel: WheelSection | None) -> None:
        bench = self._bench
        bench.world.replace_wheel(settings)
        bench.faults.clear()
        bench.world.repair()
        self.name = name
        bench.power_on(wheel)
        self._say(f"{name} turns at this table now: {_built(settings)}")
        if wheel is not self._file:
            bench.say("plots of its rounds count as the table's file says, whose wheel is another one")

    def _calibrated(self, wheel: WheelSection) -> None:
        self._bench.power_on(wheel)
        self._say(f"{self.name} is calibrated as it is now")

    # -- wear ----------------------------------------------------------------------------------------------

    def wear_leather(self, weeks: float) -> None:
        """Play for so many weeks with the same leather."""
        before, after = self._changed(lambda settings: aged(settings, weeks))
        self._say(
            f"the leather is {_weeks(weeks)} older: it hangs {after.set_deg:+.2f}° to the side"
            f" ({before.set_deg:+.2f}° before) and slips off after {after.slips_off_deg:.2f}°"
            f" ({before.slips_off_deg:.2f}°)"
        )

    def wear_bearing(self, weeks: float) -> None:
        """Play for so many weeks without greasing the bearing."""
        before, after = self._changed(lambda settings: with_worn_bearing(settings, weeks))
        self._say(
            f"the bearing is {_weeks(weeks)} older: it rubs with {after.friction_nm:.3f} N m"
            f" ({before.friction_nm:.3f} N m before)"
        )

    def renew_leather(self) -> None:
        """Screw on a new leather."""
        self._leathers += 1
        _, after = self._changed(lambda settings: with_new_leather(settings, self._leathers))
        self._say(
            f"a new leather hangs {after.set_deg:+.2f}° to the side and slips off after"
            f" {after.slips_off_deg:.2f}°; calibrate the wheel"
        )

    # -- pegs ----------------------------------------------------------------------------------------------

    def bend_peg(self, number: int, degrees: float) -> None:
        """Bend a peg.

        Args:
            number: from 1.
            degrees: from where it stood; positive is clockwise along the rim.
        """
        peg = self._peg(number)
        if number - 1 in self._wheel.settings.missing_pegs:
            raise ValueError(f"peg {number} is gone; put it back before it can be bent")
        self._changed(lambda settings: _with_pegs(settings, {**settings.bent_pegs, peg: degrees}))
        self._say(f"peg {number} is bent by {abs(degrees):.3g}° {_way(degrees)}")

    def straighten_peg(self, number: int) -> None:
        """Bend a peg back to where it stood."""
        peg = self._peg(number)
        if peg not in self._wheel.settings.bent_pegs:
            raise ValueError(f"peg {number} is not bent")
        self._changed(
            lambda settings: _with_pegs(settings, {k: v for k, v in settings.bent_pegs.items() if k != peg})
        )
        self._say(f"peg {number} is straight again")

    def remove_peg(self, number: int) -> None:
        """Take a peg out."""
        peg = self._peg(number)
        if peg in self._wheel.settings.missing_pegs:
            raise ValueError(f"peg {number} is gone already")
        self._changed(lambda settings: _with_pegs(settings, settings.bent_pegs, (*settings.missing_pegs, peg)))
        self._say(f"peg {number} is taken out")

    def put_back_peg(self, number: int) -> None:
        """Put a peg back that was taken out, straight."""
        peg = self._peg(number)
        if peg not in self._wheel.settings.missing_pegs:
            raise ValueError(f"peg {number} is in its place")
        self._changed(
            lambda settings: _with_pegs(
                settings,
                {k: v for k, v in settings.bent_pegs.items() if k != peg},
                tuple(one for one in settings.missing_pegs if one != peg),
            )
        )
        self._say(f"peg {number} is back in its place")

    # -- inside --------------------------------------------------------------------------------------------

    @property
    def _wheel(self) -> MockHead:
        head = self._bench.world.head
        if not isinstance(head, MockHead):
            raise ValueError("this table has no wheel with a clapper")
        return head

    def _peg(self, number: int) -> int:
        """A peg's index by its number."""
        sections = self._wheel.sections
        if not 1 <= number <= sections:
            raise ValueError(f"there is no peg {number}: the wheel's pegs are numbered from 1 to {sections}")
        return number - 1

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
        if free and head.clapper.lean is not None:
            raise ValueError("a peg bends the leather; turn the wheel by hand until it hangs free")
        return head

    def _changed(self, change: Callable[[WheelSettings], WheelSettings]) -> tuple[WheelSettings, WheelSettings]:
        """Change the wheel that stands there; returns its settings before and after."""
        head = self._between_rounds(free=True)
        before = head.settings
        try:
            after = change(before)
        except ValidationError as error:
            raise ValueError(f"no such wheel can be built: {error.errors()[0]['msg']}") from error
        _check_free(after, head)
        head.refit(after)
        return before, after


def _check_free(settings: WheelSettings, head: MockHead) -> None:
    """The leather hangs free in the same section of the changed wheel, too.

    Raises:
        HalError: no such wheel can be built.
        ValueError: a peg would stand at the leather.
    """
    physics = WheelPhysics(settings, np.random.default_rng(settings.seed))
    turn, per_deg = head.sections, head.sections / 360
    ways = (physics.pegs.there + settings.set_deg * per_deg - head.x + turn / 2) % turn - turn / 2
    touched = bool((abs(ways) <= settings.half_deg * per_deg).any())
    if touched or physics.section(head.x, None) != head.true_stand()[0]:
        raise ValueError("that peg would stand at the leather now; turn the wheel by hand first")


def _with_pegs(
    settings: WheelSettings, bent: dict[int, float], missing: tuple[int, ...] | None = None
) -> WheelSettings:
    """The same wheel with other pegs. What was left to the defaults stays so."""
    options = {**settings.model_dump(exclude_unset=True), "bent_pegs": bent}
    if missing is not None:
        options["missing_pegs"] = missing
    return WheelSettings.model_validate(options)


def _way(degrees: float) -> str:
    return "clockwise" if degrees > 0 else "counterclockwise"


def _weeks(weeks: float) -> str:
    if weeks < 1:
        days = weeks * 7
        return f"{days:.3g} day{'' if days == 1 else 's'}"
    return f"{weeks:.3g} week{'' if weeks == 1 else 's'}"


def _built(settings: WheelSettings) -> str:
    """A few words about a wheel."""
    pegs = f"pegs of {settings.peg_mm:.3g} mm, leather of {settings.leather_mm:.2g} mm"
    damage = "".join(f", peg {peg + 1} bent by {deg:+.1f}°" for peg, deg in sorted(settings.bent_pegs.items()))
    return f"{pegs}, {settings.counts_per_turn} counts{damage}"
