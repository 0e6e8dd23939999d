"""``calibrate`` at the table: a technician turns and throws the wheel, names a section, confirms another one."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from statistics import median

from config.problems import ConfigError, counted
from config.schema import WheelSection
from controller.commissioning.calibration_file import calibrated_file
from controller.commissioning.dialogue import Ask, Say, yes
from controller.commissioning.wheel_calibration import (
    WAYS,
    Calibrated,
    NearPegError,
    calibrate,
    place_name,
    report,
    resting_section,
)
from controller.commissioning.wheel_measurement import SLOW_DEG_S
from controller.commissioning.wheel_recording import MeasurementError, WheelRecording, recorded
from controller.runtime import exit_codes as exits
from hal.errors import HalError
from hal.events import EdgeBatch, FaultEvent
from hal.interfaces import EdgeSource

_TURNS = 2
_SLACK_SECTIONS = 1.5


class GivenUpError(Exception):
    """The technician does not go on. The message says what is to be done."""


class TurnProgress:
    """Two turns by hand in one direction. :meth:`update` is to be called whenever edges came.

    Args:
        way: which is asked for: +1 counterclockwise, -1 clockwise.
        since: the number of the encoder's edges that came before.

    Attributes:
        done: the turns are made.
        backwards: half a turn or more was made the other way, and nothing as it was asked.
    """

    def __init__(self, recording: WheelRecording, wheel: WheelSection, sections: int, way: int, since: int) -> None:
        self.done = self.backwards = False
        self._recording, self._wheel, self._way, self._since = recording, wheel, way, since
        self._slack = round(_SLACK_SECTIONS * wheel.counts_per_turn / sections)
        self._runs = self._turns = 0
        self._begun_ns = recording.end_ns
        self._index_edges = self._index()
        self._index_said = False

    def update(self) -> Iterator[str]:
        """What is to be said of the edges that came."""
        runs = self._recording.runs(self._slack, self._since)
        if self.done or not runs:
            return
        ways = [way for way, _ in runs]
        whole = self._whole(runs)
        for place in range(max(1, self._runs), len(runs)):
            if ways[place] != self._way and self._way in ways[:place] and whole < _TURNS:
                yield f"turned back: go on one way, {WAYS[self._way]}; the turns begin anew"
            self._turns, self._begun_ns = 0, self._recording.end_ns
        self._runs = len(runs)
        self.backwards = self._way not in ways and 2 * runs[-1][1] >= self._wheel.counts_per_turn
        if not self._index_said and self._index() > self._index_edges:
            self._index_said = True
            yield "index seen"
        if whole > self._turns:
            self._turns = whole
            yield self._turns_made()
        self.done = whole >= _TURNS

    def _whole(self, runs: Sequence[tuple[int, int]]) -> int:
        """Whole turns of the last run, if it is as it was asked; or of one before that did all of them."""
        made = [counts // self._wheel.counts_per_turn if way == self._way else 0 for way, counts in runs]
        return max(made) if max(made) >= _TURNS else made[-1]

    def _turns_made(self) -> str:
        """The turns that were made; and what is wrong with them."""
        passes = self._recording.passes(self._wheel.debounce_ns)
        strikes = [struck for struck, _ in passes if struck.at_ns > self._begun_ns]
        text = f"{counted(self._turns, 'turn')} {WAYS[self._way]}, {counted(len(strikes), 'peg')}"
        if not self._index_said:
            text += "; the index was not seen: look at its line"
        fast = SLOW_DEG_S * self._wheel.counts_per_turn / 360
        slower = bool(strikes) and median(strike.speed for strike in strikes) > fast
        return f"{text}; more slowly: five seconds a turn" if slower else text

    def _index(self) -> int:
        return sum(1 for _ in self._recording.index())


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
        self._progress = TurnProgress(self._recording, self._measured, len(self.order), way, since)

    async def _other_way(self, way: int) -> None:
        """The counts run the other way: who is right?"""
        self._progress = None
        this_way, counted_way = WAYS[way], WAYS[-way]
        if way > 0 or not await yes(
            self.ask, f"it counts {counted_way}: did you turn it {this_way}, as the players see the wheel?"
        ):
            self.say(f"then turn it {this_way}, slowly, twice around and a little more ...")
            self._watch(way, self._recording.edges)
            return
        value = not self._measured.reversed
        text = "true" if value else "false"
        if not await yes(self.ask, f"then wheel.reversed must be {text}: go on so, and write it with the rest?"):
            raise GivenUpError(f"change wheel.reversed to {text}, or the wires of A and B")
        self._measured = self._measured.model_copy(update={"reversed": value})
        self._recording = recorded(self._recording.levels, self._recording.batches, value)
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
