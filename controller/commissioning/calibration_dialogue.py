"""``calibrate`` at the table: a technician turns and throws the wheel, names a section, confirms another one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from config.problems import ConfigError, counted
from config.schema import WheelSection
from controller import errors as exits
from controller.commissioning.calibration_file import WAYS, calibrated_file, write
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
from hal.errors import HalError
from hal.events import EdgeBatch, FaultEvent
from hal.interfaces import EdgeSource

_SLOWLY = "turn the wheel by hand {}, slowly, twice around and a little more, then press Enter:"
_THROWN = "throw it {}, as in play; when it stands, press Enter:"
_NAME = "turn it to the middle of a section; which one is at the clapper?"
_FURTHER = "now turn it some sections further, to the middle of another one, and press Enter"


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
    """With the wheel's section of the file, and what the dialogue has found to be otherwise."""
    _fault: str = field(default="", init=False)

    async def run(self) -> int:
        """Measure the wheel, show what was found, and write it if that is wanted.

        Raises:
            HalError: the head is gone, or the file cannot be written.
            ConfigError: a rule does not accept what was measured.
        """
        self._recording = WheelRecording(self.head.levels(), self.wheel)
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

    async def _done(self, question: str) -> str:
        """The answer to a question, after which the edges of what was done are here."""
        answer = await self.ask(question)
        self.head.poll()
        if self._fault:
            raise HalError(f"{self._fault}; nothing was changed")
        if self._recording.lost:
            raise MeasurementError("edges of the encoder were lost, or came out of order; look at its lines")
        return answer

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
            self._recording = WheelRecording(self.head.levels(), self._recording.wheel)

    async def _measure(self) -> tuple[Calibrated, int]:
        for question, turns in ((_SLOWLY, 2), (_THROWN, 1)):
            for way in (-1, 1):
                await self._turned(question.format(WAYS[way]), way, turns)
        while True:
            section = await self._named()
            try:
                return calibrate(self._recording, len(self.order), section, date.today()), section
            except NearPegError as error:
                self.say(str(error))

    async def _turned(self, question: str, way: int, turns: int) -> None:
        """Ask for so many turns in one direction until they were made."""
        while True:
            since_ns = self._recording.end_ns
            await self._done(question)
            if since_ns == 0 and self._made(-way, since_ns) >= turns > self._made(way, since_ns):
                await self._other_way(way)
            made = self._made(way, since_ns)
            if made >= turns:
                self.say(f"{made:.1f} turns {WAYS[way]}")
                return
            self.say(f"not {counted(turns, 'turn')} {WAYS[way]} in one go were seen, but {made:.1f}; once more")

    def _made(self, way: int, since_ns: int) -> float:
        """The most turns in one go, in a direction, after a moment."""
        turned = self._recording.turned(self.wheel.counts_per_turn // 20, since_ns)
        return max((turns for one, turns in turned if one == way), default=0.0)

    async def _other_way(self, way: int) -> None:
        """The counts of the first turns run the other way: who is right?"""
        seen, asked = WAYS[-way], WAYS[way]
        if not await yes(self.ask, f"it counts {seen}: did you turn it {asked}, as the players see the wheel?"):
            return
        old = self._recording
        text = str(not old.wheel.reversed).lower()
        if not await yes(self.ask, f"then wheel.reversed must be {text}: go on so, and write it with the rest?"):
            raise GivenUpError(f"change wheel.reversed to {text}, or the wires of A and B")
        wheel = old.wheel.model_copy(update={"reversed": not old.wheel.reversed})
        self._recording = WheelRecording(old.levels, wheel, old.batches)

    async def _named(self) -> int:
        """A section that is once on the wheel, or its number in the order, from 1."""
        names = {name: self.order.index(name) for name in self.order if self.order.count(name) == 1}
        question = f"{_NAME} ({', '.join([*names, f'#1 to #{len(self.order)}'])})"
        names |= {f"#{section + 1}": section for section in range(len(self.order))}
        while (name := await self._done(question)) not in names:
            self.say(
                f"'{name}' does not say which section it is: name one that the wheel has once, or #N in its order"
            )
        return names[name]

    async def _confirm(self, found: Calibrated, section: int) -> None:
        """A second section shows whether the wheel is read the right way round."""
        at = section
        while at == section:
            try:
                await self._done(_FURTHER)
                at = resting_section(self._recording, found.wheel, len(self.order))
                if at == section:
                    self.say("that is the same section; turn it further")
            except NearPegError as error:
                self.say(str(error))
            except MeasurementError as error:
                raise GivenUpError(str(error)) from error
        if not await yes(self.ask, f"then {place_name(self.order, at)}, is at the clapper: is it?"):
            raise GivenUpError("then another section was named, or wheel.reversed or the wheel's order is wrong")

    async def _write(self, found: Calibrated) -> None:
        try:
            text, changes = calibrated_file(self.path, self.wheel, found.wheel)
        except ConfigError:
            self.say("the table cannot be used so: nothing was changed")
            raise
        for change in changes:
            self.say(change)
        if not await yes(self.ask, "write it?"):
            raise GivenUpError("")
        write(self.path, text)
        self.say("written; start the table again")
