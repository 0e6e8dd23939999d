"""``calibrate``: a technician turns the wheel, names a section and confirms another one, or gives a recording."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TypeVar

from config.problems import ConfigError, counted
from config.schema import WheelSection
from controller import errors as exits
from controller.commissioning.calibration import (
    Calibrated,
    OnceMoreError,
    calibrate,
    report,
    resting_section,
    write,
)
from controller.commissioning.dialogue import Ask, Say, yes
from controller.commissioning.wheel_recording import WAYS, MeasurementError, WheelRecording
from hal.errors import HalError
from hal.events import FaultEvent
from hal.interfaces import EdgeSource

T = TypeVar("T")

_SLOWLY = "turn the wheel by hand {}, slowly, twice around and a little more, then press Enter:"
_THROWN = "throw it {}, as in play; when it stands, press Enter:"
_NAME = "turn it to the middle of a section; which one is at the clapper?"
_STANDS_DEG_S = 5
"""A wheel that comes to rest by itself is slower in its last count; a faster one may pass another peg."""
_FURTHER = "now turn it some sections further, to the middle of another one, and press Enter"


@dataclass
class Calibration:
    """One calibration of a wheel.

    Attributes:
        path: the table's file.
        wheel: its section of the file.
        order: the names of the wheel's sections.
    """

    path: Path
    wheel: WheelSection
    order: Sequence[str]
    say: Say

    def section(self, name: str) -> int:
        """The section of a name that the wheel has once, or of ``#N``, its place in the order from 1 on.

        Raises:
            OnceMoreError: it says no section.
        """
        if self.order.count(name) == 1:
            return self.order.index(name)
        numbers = [f"#{number}" for number in range(1, len(self.order) + 1)]
        if name not in numbers:
            once = [one for one in self.order if self.order.count(one) == 1]
            known = ", ".join([*once, f"#1 to {numbers[-1]} in its order"])
            raise OnceMoreError(f"'{name}' does not say which section it is; the sections are: {known}")
        return numbers.index(name)

    def of(self, recording: WheelRecording, section: int) -> None:
        """Measure a recording of a wheel that stands at its end, and write what was found.

        Args:
            section: at the clapper when the recording ends.

        Raises:
            ConfigError: a rule does not accept what was measured.
            MeasurementError: the recording does not give the geometry, or ends while the wheel turns.
        """
        if recording.last_deg_s > _STANDS_DEG_S:
            raise MeasurementError(
                f"the recording ends while the wheel turns at {recording.last_deg_s:.0f} degrees a second: record "
                "until it stands"
            )
        turned = ", ".join(f"{WAYS[1 if turns > 0 else -1]} {abs(turns):.1f}" for turns in recording.turned())
        if not turned:
            raise MeasurementError("the wheel does not turn in the recording; look at the encoder's lines")
        self.say(
            f"The wheel was turned {turned}. If it was turned the other way round, change wheel.reversed first."
        )
        found = self.measured(recording, section)
        self.say(
            f"At the end {self.place(section)} is at the clapper. Nothing in the recording shows whether that is "
            "so: if it was another section, run this again with that one."
        )
        self.write(found)

    def measured(self, recording: WheelRecording, section: int) -> Calibrated:
        found = calibrate(recording, len(self.order), section, date.today())
        for line in report(found, self.wheel):
            self.say(line)
        return found

    def write(self, found: Calibrated) -> None:
        """Write what was found into the table's file."""
        try:
            write(self.path, found.wheel, self.wheel.reversed)
        except ConfigError:
            self.say("the table cannot be used so: nothing was changed")
            raise
        self.say(f"{self.path} written; start the table again")

    def place(self, section: int) -> str:
        """A section by its number in the wheel's order, from 1, and its name, with those beside it."""
        order = self.order
        at, before, after = (
            f"#{one % len(order) + 1} ({order[one % len(order)]})" for one in (section, section - 1, section + 1)
        )
        return f"{at}, between {before} and {after},"


@dataclass
class CalibrationDialogue:
    """The dialogue with the technician.

    Attributes:
        head: the wheel's sensor head, not yet started.
    """

    calibration: Calibration
    head: EdgeSource
    ask: Ask
    _recording: WheelRecording = field(init=False)
    """With the wheel's section of the file, and what the dialogue has found to be otherwise."""
    _fault: str = field(default="", init=False)

    async def run(self) -> int:
        """Measure the wheel, show what was found, and write it if that is wanted.

        Raises:
            HalError: the head is gone.
            OSError: the file cannot be written.
            ConfigError: a rule does not accept what was measured.
        """
        self._recording = WheelRecording(self.head.levels(), self.calibration.wheel)
        self.head.start(lambda batch: self._recording.feed(batch), self._on_lost)
        again = True
        while again:
            try:
                found = await self._found()
                if await yes(self.ask, "write it?"):
                    self.calibration.write(found)
                    return exits.OK
                again = False
            except MeasurementError as error:
                self.calibration.say(str(error))
                again = await yes(self.ask, "begin again?")
                self._recording = WheelRecording(self.head.levels(), self._recording.wheel)
        self.calibration.say("nothing was changed")
        return exits.FAILED

    async def _found(self) -> Calibrated:
        """What was measured. A second section shows whether the wheel is read the right way round."""
        for words, turns in ((_SLOWLY, 2), (_THROWN, 1)):
            for way in (-1, 1):
                await self._turned(words.format(WAYS[way]), way, turns)
        calibration, order = self.calibration, self.calibration.order
        once = [name for name in order if order.count(name) == 1]
        question = f"{_NAME} ({', '.join([*once, f'#1 to #{len(order)}'])})"

        def measured(name: str) -> tuple[Calibrated, int]:
            section = calibration.section(name)
            return calibration.measured(self._recording, section), section

        def further(_: str) -> int:
            at = resting_section(self._recording, found.wheel, len(order))
            if at == section:
                raise OnceMoreError("that is the same section; turn it further")
            return at

        found, section = await self._asked(question, measured)
        at = await self._asked(_FURTHER, further)
        if not await yes(self.ask, f"then {calibration.place(at)} is at the clapper: is it?"):
            raise MeasurementError(
                "then another section was named, or wheel.reversed or the wheel's order is wrong"
            )
        return found

    async def _turned(self, question: str, way: int, turns: int) -> None:
        """Ask for so many turns in one direction until they were made."""
        made = 0.0
        while made < turns:
            since_ns = self._recording.end_ns
            await self._done(question)
            if since_ns == 0 and self._made(-way, since_ns) >= turns > self._made(way, since_ns):
                await self._other_way(way)
            made = self._made(way, since_ns)
            too_few = f"not {counted(turns, 'turn')} {WAYS[way]} in one go were seen, but {made:.1f}; once more"
            self.calibration.say(too_few if made < turns else f"{made:.1f} turns {WAYS[way]}")

    def _made(self, way: int, since_ns: int) -> float:
        """The most turns in one go, in a direction, after a moment."""
        return max((turns * way for turns in self._recording.turned(since_ns)), default=0.0)

    async def _other_way(self, way: int) -> None:
        """The first turns are counted the other way. The section that is confirmed later shows who is right."""
        old = self._recording
        text = str(not old.wheel.reversed).lower()
        question = f"it counts {WAYS[-way]}: did you turn it {WAYS[way]}, as the players see the wheel? Then "
        if await yes(self.ask, f"{question}wheel.reversed must be {text}, and is written with the rest:"):
            wheel = old.wheel.model_copy(update={"reversed": not old.wheel.reversed})
            self._recording = WheelRecording(old.levels, wheel, old.batches)

    async def _asked(self, question: str, look: Callable[[str], T]) -> T:
        """Ask until the answer and the wheel serve."""
        while True:
            answer = await self._done(question)
            try:
                return look(answer)
            except OnceMoreError as error:
                self.calibration.say(str(error))

    async def _done(self, question: str) -> str:
        """The answer to a question, after which the edges of what was done are here."""
        answer = await self.ask(question)
        self.head.poll()
        if self._fault:
            raise HalError(f"{self._fault}; nothing was changed")
        if self._recording.lost:
            raise MeasurementError("edges of the encoder were lost, or came out of order; look at its lines")
        return answer

    def _on_lost(self, event: FaultEvent) -> None:
        self._fault = event.detail
