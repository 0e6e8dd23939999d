"""``calibrate`` at the table: a technician turns and throws the wheel, names a section, confirms another one."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from config.problems import ConfigError
from config.schema import WheelSection
from controller.commissioning.calibration_file import calibrated_file
from controller.commissioning.calibration_progress import WAYS, TurnProgress
from controller.commissioning.calibration_report import place_name, report
from controller.commissioning.dialogue import Ask, Say, yes
from controller.commissioning.wheel_calibration import Calibrated, NearPegError, calibrate, resting_section
from controller.commissioning.wheel_edges import MeasurementError
from controller.commissioning.wheel_recording import WheelRecording
from controller.runtime import exit_codes as exits
from hal.errors import HalError
from hal.events import EdgeBatch, FaultEvent
from hal.interfaces import EdgeSource


class GivenUpError(Exception):
    """The technician does not go on. The message says what is to be done."""


@dataclass
class CalibrationDialogue:
    """The dialogue with the technician.

    Attributes:
        path: the table's file.
        wheel: its section of the file.
        order: the names of the wheel's sections.
        head: the wheel's sensor head, not yet started.
    """

    path: Path
    wheel: WheelSection
    order: Sequence[str]
    head: EdgeSource
    ask: Ask
    say: Say
    _recording: WheelRecording = field(init=False)
    _measured: WheelSection = field(init=False)
    """The section of the file, with what the dialogue has found to be otherwise."""
    _progress: TurnProgress | None = field(default=None, init=False)
    _woken: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _fault: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self._measured = self.wheel
        self._recording = WheelRecording(self.head.levels(), self.wheel.reversed)

    async def run(self) -> int:
        """Measure the wheel, show what was found, and write it if that is wanted.

        Raises:
            HalError: the head is gone, or the file cannot be written.
            ConfigError: a rule does not accept what was measured.
        """
        self.head.start(self._on_edges, self._on_lost)
        try:
            found, section = await self._found()
            for line in report(found, self.order):
                self.say(line)
            await self._confirm(found, section)
            await self._write(found)
        except GivenUpError as error:
            self.say(f"{error}: nothing was changed" if str(error) else "nothing was changed")
            return exits.FAILED
        return exits.OK

    # -- edges -----------------------------------------------------------------------------------------------

    def _on_edges(self, batch: EdgeBatch) -> None:
        self._recording.feed(batch)
        self._tell()

    def _tell(self) -> None:
        if self._progress is not None:
            for text in self._progress.update():
                self.say(text)
        self._woken.set()

    def _on_lost(self, event: FaultEvent) -> None:
        self._fault = event.detail
        self._woken.set()

    def _check(self) -> None:
        if self._fault:
            raise HalError(f"{self._fault}; nothing was changed")
        if self._recording.lost:
            raise MeasurementError("edges of the encoder were lost, or came out of order; look at its lines")

    # -- what the technician does ----------------------------------------------------------------------------

    async def _found(self) -> tuple[Calibrated, int]:
        """What was measured, and the section that was named."""
        while True:
            try:
                return await self._measure()
            except MeasurementError as error:
                self._progress = None
                self.say(str(error))
            if not await yes(self.ask, "begin again?"):
                raise GivenUpError("")
            self._recording = WheelRecording(self.head.levels(), self._measured.reversed)

    async def _measure(self) -> tuple[Calibrated, int]:
        for way in (-1, 1):
            await self._turn(way)
        for way in (-1, 1):
            await self._throw(way)
        while True:
            section = await self._named("turn it to the middle of a section; which one is at the clapper?")
            self.head.poll()
            self._check()
            try:
                found = calibrate(self._recording, self._measured, len(self.order), section, date.today())
                return found, section
            except NearPegError as error:
                self.say(str(error))

    async def _turn(self, way: int) -> None:
        self._watch(way, self._recording.edges)
        self.say(f"turn the wheel by hand {WAYS[way]}, slowly, twice around and a little more ...")
        while self._progress is not None and not self._progress.done:
            await self._woken.wait()
            self._woken.clear()
            self._check()
            if self._progress.backwards:
                await self._other_way(way)
        self._progress = None

    def _watch(self, way: int, since: int) -> None:
        wheel = self._measured
        self._progress = TurnProgress(
            self._recording, way, wheel.counts_per_turn, len(self.order), wheel.debounce_ns, since
        )

    async def _other_way(self, way: int) -> None:
        """The counts run the other way: who is right?"""
        self._progress = None
        this_way, counted = WAYS[way], WAYS[-way]
        if way > 0 or not await yes(
            self.ask, f"it counts {counted}: did you turn it {this_way}, as the players see the wheel?"
        ):
            self.say(f"then turn it {this_way}, slowly, twice around and a little more ...")
            self._watch(way, self._recording.edges)
            return
        value = not self._measured.reversed
        text = "true" if value else "false"
        if not await yes(self.ask, f"then wheel.reversed must be {text}: go on so, and write it with the rest?"):
            raise GivenUpError(f"change wheel.reversed to {text}, or the wires of A and B")
        self._measured = self._measured.model_copy(update={"reversed": value})
        before = self._recording
        self._recording = WheelRecording(before.levels, value)
        for batch in before.batches:
            self._recording.feed(batch)
        self._watch(way, 0)
        self._tell()

    async def _throw(self, way: int) -> None:
        turn = self._measured.counts_per_turn
        while True:
            since = self._recording.edges
            await self.ask(f"throw it {WAYS[way]}, as in play; when it stands, press Enter:")
            self.head.poll()
            self._check()
            runs = self._recording.runs(turn // 4, since)
            if runs and runs[0][0] == way and runs[0][1] >= turn:
                self.say(f"{runs[0][1] / turn:.1f} turns {WAYS[way]}")
                return
            self.say(f"no throw {WAYS[way]} of a turn or more was seen")

    async def _named(self, question: str) -> int:
        """A section that stands once on the wheel, or its number in the order, from 1."""
        single = [name for name in dict.fromkeys(self.order) if self.order.count(name) == 1]
        while True:
            name = await self.ask(f"{question} ({', '.join([*single, '#1 to #' + str(len(self.order))])})")
            if name in single:
                return self.order.index(name)
            if name.startswith("#") and name[1:].isdecimal() and 1 <= int(name[1:]) <= len(self.order):
                return int(name[1:]) - 1
            self.say(
                f"'{name}' does not say which section it is: name one that the wheel has once, or #N in its order"
            )

    # -- what was found --------------------------------------------------------------------------------------

    async def _confirm(self, found: Calibrated, section: int) -> None:
        """A second section shows whether the wheel is read the right way round."""
        while True:
            await self.ask("now turn it some sections further, to the middle of another one, and press Enter")
            self.head.poll()
            try:
                self._check()
                at, _ = resting_section(self._recording, found.wheel, len(self.order))
            except NearPegError as error:
                self.say(str(error))
                continue
            except MeasurementError as error:
                raise GivenUpError(str(error)) from error
            if at != section:
                break
            self.say("that is the same section; turn it further")
        if not await yes(self.ask, f"then {place_name(self.order, at)}, is at the clapper: is it?"):
            raise GivenUpError("then another section was named, or wheel.reversed or the wheel's order is wrong")

    async def _write(self, found: Calibrated) -> None:
        try:
            changed = calibrated_file(self.path, self.wheel, found.wheel)
        except ConfigError:
            self.say("the table cannot be used so: nothing was changed")
            raise
        for change in changed.changes:
            self.say(change)
        if not await yes(self.ask, "write it?"):
            raise GivenUpError("")
        changed.write()
        self.say("written; start the table again")
