"""``calibrate`` at the table: a technician turns and throws the wheel, names a section, confirms another one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from config.problems import ConfigError, counted
from config.schema import WheelSection
from controller.commissioning.calibration_file import WAYS, calibrated_file
from controller.commissioning.dialogue import Ask, Say, yes
from controller.commissioning.wheel_calibration import (
    Calibrated,
    NearPegError,
    calibrate,
    place_name,
    report,
    resting_section,
)
from controller.commissioning.wheel_recording import MeasurementError, WheelRecording
from controller.runtime import exit_codes as exits
from hal.errors import HalError
from hal.events import EdgeBatch, FaultEvent
from hal.interfaces import EdgeSource

_SLOWLY = "turn the wheel by hand {}, slowly, twice around and a little more, then press Enter:"
_THROWN = "throw it {}, as in play; when it stands, press Enter:"


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
    _fault: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self._measured = self.wheel
        self._recording = WheelRecording(self.head.levels(), self.wheel)

    async def run(self) -> int:
        """Measure the wheel, show what was found, and write it if that is wanted.

        Raises:
            HalError: the head is gone, or the file cannot be written.
            ConfigError: a rule does not accept what was measured.
        """
        self.head.start(self._on_edges, self._on_lost)
        try:
            found, section = await self._found()
            for line in report(found, self.wheel):
                self.say(line)
            await self._confirm(found, section)
            await self._write(found)
        except GivenUpError as error:
            self.say(f"{error}: nothing was changed" if str(error) else "nothing was changed")
            return exits.FAILED
        return exits.OK

    def _on_edges(self, batch: EdgeBatch) -> None:
        self._recording.feed(batch)

    def _on_lost(self, event: FaultEvent) -> None:
        self._fault = event.detail

    def _check(self) -> None:
        self.head.poll()
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
                self.say(str(error))
            if not await yes(self.ask, "begin again?"):
                raise GivenUpError("")
            self._recording = WheelRecording(self.head.levels(), self._measured)

    async def _measure(self) -> tuple[Calibrated, int]:
        for question, turns in ((_SLOWLY, 2), (_THROWN, 1)):
            for way in (-1, 1):
                await self._turned(question.format(WAYS[way]), way, turns)
        while True:
            section = await self._named("turn it to the middle of a section; which one is at the clapper?")
            self._check()
            try:
                found = calibrate(self._recording, len(self.order), section, date.today())
                return found, section
            except NearPegError as error:
                self.say(str(error))

    async def _turned(self, question: str, way: int, turns: int) -> None:
        """Ask for so many turns in one direction until they were made."""
        while True:
            since = self._recording.end_ns
            await self.ask(question)
            self._check()
            if since == 0 and self._made(-way, since) >= turns > self._made(way, since):
                await self._other_way(way)
            made = self._made(way, since)
            if made >= turns:
                self.say(f"{made:.1f} turns {WAYS[way]}")
                return
            self.say(f"not {counted(turns, 'turn')} {WAYS[way]} in one go were seen, but {made:.1f}; once more")

    def _made(self, way: int, since: int) -> float:
        """The most turns in one go, in a direction, after a moment."""
        turned = self._recording.turned(self._measured.counts_per_turn // 20, since)
        return max((turns for one, turns in turned if one == way), default=0.0)

    async def _other_way(self, way: int) -> None:
        """The counts of the first turns run the other way: who is right?"""
        seen, asked = WAYS[-way], WAYS[way]
        if not await yes(self.ask, f"it counts {seen}: did you turn it {asked}, as the players see the wheel?"):
            return
        value = not self._measured.reversed
        text = str(value).lower()
        if not await yes(self.ask, f"then wheel.reversed must be {text}: go on so, and write it with the rest?"):
            raise GivenUpError(f"change wheel.reversed to {text}, or the wires of A and B")
        self._measured = self._measured.model_copy(update={"reversed": value})
        self._recording = WheelRecording(self._recording.levels, self._measured, self._recording.batches)

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

    async def _confirm(self, found: Calibrated, section: int) -> None:
        """A second section shows whether the wheel is read the right way round."""
        while True:
            await self.ask("now turn it some sections further, to the middle of another one, and press Enter")
            try:
                self._check()
                at = resting_section(self._recording, found.wheel, len(self.order))
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
