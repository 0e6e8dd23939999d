"""Tests each device of a table in turn and reports the outcome, what was observed, and a remedy."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from enum import Enum
from typing import Any

from config.schema import DeviceSection, TableConfig
from controller.commissioning.dialogue import Ask, Say, yes
from controller.commissioning.wheel_measurement import MeasurementError
from controller.commissioning.wheel_recording import WheelRecording
from controller.commissioning.wheel_turn import last_turn
from controller.configuration.device_options import device_options
from controller.configuration.rules import KIND_OF_SECTION
from controller.events.event import Health, RotorTurned, SensorHealth
from controller.runtime.assembly import rotor_geometry
from controller.statechart.registry import find_game
from controller.tracking.roulette.wheel import RouletteTracker
from hal.errors import HalError
from hal.events import BALL_1, BALL_2, CLAPPER, LINES, EdgeBatch, FaultEvent, KeyEvent, ReaderEvent, SwitchEvent
from hal.interfaces import Clock, EdgeSource, KeySource, LampPanel, ResultReader, Sounder, SwitchInput
from hal.registry import open_device

LAMP_S, QUICK_LAMP_S, LISTEN_S = 0.4, 0.02, 0.5
"""How long each lamp is lit for a person, and for the read-back alone; how long a device is monitored."""


class CheckOutcome(Enum):
    """The outcome of a device's test."""

    PASSED = "passed"
    FAILED = "failed"
    UNTRIED = "not tried"
    """It opens, but only a person can judge the rest."""


@dataclass(frozen=True, slots=True)
class CheckVerdict:
    """The verdict on a device."""

    device: str
    """Its section in the table's file."""
    outcome: CheckOutcome
    seen: str
    remedy: str = ""


@dataclass
class SelfTest:
    """The tests of a table's devices.

    Args:
        ask: asks the technician; None for an unattended test.
        say: shows a line.
        wait: waits for this many seconds.
    """

    config: TableConfig
    clock: Clock
    ask: Ask | None
    say: Say
    wait: Callable[[float], Awaitable[None]]

    async def run(self) -> list[CheckVerdict]:
        """Test every device of the table; each is opened and closed again."""
        verdicts = []
        for name, kind in KIND_OF_SECTION.items():
            section: DeviceSection | None = getattr(self.config.devices, name)
            if section is not None:
                self.say(f"{name} ({section.backend})")
                verdicts.append(await self._test(name, kind, section))
        return verdicts

    async def _test(self, name: str, kind: str, section: DeviceSection) -> CheckVerdict:
        tests: dict[str, Callable[[str, Any, Any], Awaitable[CheckVerdict]]] = {
            "edges": self._head,
            "rotor": self._rotor,
            "reader": self._reader,
            "keys": self._keys,
            "switches": self._switches,
            "panel": self._panel,
            "sounder": self._sounder,
        }
        try:
            device = open_device(
                kind, section.backend, section, device_options(self.config, kind, section), self.clock
            )
        except HalError as error:
            return CheckVerdict(name, CheckOutcome.FAILED, "it cannot be opened", str(error))
        try:
            return await tests[kind](name, device, section)
        except HalError as error:
            return CheckVerdict(name, CheckOutcome.FAILED, "it failed during the test", str(error))
        finally:
            device.close()

    # -- lamps and buzzer ------------------------------------------------------------------------------------

    async def _panel(self, name: str, panel: LampPanel, section: Any) -> CheckVerdict:
        """Each lamp alone, in the order of the file."""
        readable = True
        for area, output in section.lamps.items():
            panel.show(frozenset({area}))
            await self.wait(LAMP_S if self.ask else QUICK_LAMP_S)
            burning = panel.read_back()
            readable = readable and burning is not None
            if burning is not None and burning != {area}:
                seen = f"with {area} alone, these burned: {', '.join(sorted(burning)) or 'none'}"
                return CheckVerdict(
                    name, CheckOutcome.FAILED, seen, f"check output {output}, its wire and its lamp"
                )
        panel.show(frozenset())
        lamps = f"{len(section.lamps)} lamps, each alone"
        if self.ask is not None:
            if not await yes(self.ask, "did every lamp burn, each alone, in the order of the file?"):
                return CheckVerdict(
                    name, CheckOutcome.FAILED, "not every lamp burned", "compare lamps with the wiring"
                )
            return CheckVerdict(
                name, CheckOutcome.PASSED, f"{lamps}{', read back' if readable else ''}, seen by the technician"
            )
        if readable:
            return CheckVerdict(name, CheckOutcome.PASSED, f"{lamps}, read back as they were set")
        return CheckVerdict(name, CheckOutcome.UNTRIED, f"{lamps}, but nothing reads them back", "look at them")

    async def _sounder(self, name: str, sounder: Sounder, section: Any) -> CheckVerdict:
        sounder.beep()
        await self.wait(LISTEN_S)
        if self.ask is None:
            return CheckVerdict(name, CheckOutcome.UNTRIED, "one beep, but nobody listened", "listen to it")
        if await yes(self.ask, "did the buzzer sound?"):
            return CheckVerdict(name, CheckOutcome.PASSED, "one beep, confirmed by the technician")
        return CheckVerdict(
            name, CheckOutcome.FAILED, "no sound", "check the buzzer's pin and wire, and that it is active"
        )

    # -- keys, switches, reader ------------------------------------------------------------------------------

    async def _keys(self, name: str, keys: KeySource, section: Any) -> CheckVerdict:
        rows = getattr(section, "keys", [])
        controls = [
            *getattr(section, "pins", {}),
            *(control for row in rows for control in row),
            *getattr(section, "codes", {}),
        ]
        inputs = _Inputs(self.say)
        keys.start(inputs.key)
        return await self._pressed(name, "press every key once", "key", controls, inputs)

    async def _switches(self, name: str, switches: SwitchInput, section: Any) -> CheckVerdict:
        inputs = _Inputs(self.say)
        switches.start(inputs.switch)
        return await self._pressed(name, "turn every switch once, on and off", "switch", list(section.pins), inputs)

    async def _pressed(
        self, name: str, what: str, kind: str, expected: Collection[str], inputs: "_Inputs"
    ) -> CheckVerdict:
        if self.ask is None:
            await self.wait(LISTEN_S)
        else:
            await self.ask(f"{what}, then Enter here:")
        if inputs.fault:
            return CheckVerdict(name, CheckOutcome.FAILED, inputs.fault, "repair it and try again")
        if self.ask is None:
            return CheckVerdict(name, CheckOutcome.UNTRIED, f"it opens; no {kind} was tested", "test it by hand")
        if missing := [control for control in expected if control not in inputs.down]:
            seen = f"not received: {', '.join(missing)}"
            return CheckVerdict(
                name, CheckOutcome.FAILED, seen, f"check the wires of each such {kind}, and its place in the file"
            )
        if held := sorted(inputs.down - inputs.up):
            return CheckVerdict(name, CheckOutcome.FAILED, f"never came up: {', '.join(held)}", f"free the {kind}")
        return CheckVerdict(name, CheckOutcome.PASSED, f"all {len(expected)} received, down and up")

    async def _reader(self, name: str, reader: ResultReader, section: Any) -> CheckVerdict:
        inputs = _Inputs(self.say)
        reader.start(inputs.read)
        if self.ask is None:
            await self.wait(LISTEN_S)
        else:
            await self.ask(
                "lay the ball into a pocket, turn the rotor until the reader reports a result, then Enter here:"
            )
        if inputs.fault:
            return CheckVerdict(
                name, CheckOutcome.FAILED, inputs.fault, "check baud_rate, parity, line_end and pattern"
            )
        if inputs.down:
            return CheckVerdict(name, CheckOutcome.PASSED, f"it named {', '.join(sorted(inputs.down))}")
        if self.ask is None:
            return CheckVerdict(name, CheckOutcome.UNTRIED, "it opens; no result was read", "test it with a ball")
        return CheckVerdict(name, CheckOutcome.FAILED, "it named no pocket", "check its cable, power and options")

    # -- sensor heads ----------------------------------------------------------------------------------------

    async def _head(self, name: str, head: EdgeSource, section: Any) -> CheckVerdict:
        wheel = self.config.wheel
        assert wheel is not None
        levels = head.levels()
        if self.ask is None:
            if levels[CLAPPER]:
                remedy = "if the wheel does not stand on a peg, the clapper's wire is broken or its contact stuck"
                return CheckVerdict(name, CheckOutcome.FAILED, "the clapper reads as deflected", remedy)
            return CheckVerdict(
                name, CheckOutcome.UNTRIED, f"it opens; {_levels(levels)}", "turn the wheel by hand"
            )
        recording = WheelRecording(levels, wheel.reversed)
        head.start(recording.feed)
        await self.ask("turn the wheel by hand, counterclockwise, once around and a little more, then Enter here:")
        head.poll()
        try:
            sections = len(find_game(self.config.game).wheel)
            turn = last_turn(recording, wheel.counts_per_turn, sections, wheel.debounce_ns)
        except MeasurementError as error:
            return CheckVerdict(name, CheckOutcome.FAILED, f"{recording.strikes} strikes", str(error))
        if turn.direction < 0:
            return CheckVerdict(
                name, CheckOutcome.FAILED, "the counts ran backwards", "change wheel.reversed, or swap A and B"
            )
        seen = f"{turn.counts} counts from index to index, {turn.strikes} pegs"
        return CheckVerdict(name, CheckOutcome.PASSED, f"{seen}, the worst {turn.farthest_deg:.2f} degrees off")

    async def _rotor(self, name: str, head: EdgeSource, section: Any) -> CheckVerdict:
        rotor = self.config.rotor
        assert rotor is not None
        levels = head.levels()
        beams = [line for line in (BALL_1, BALL_2) if line in levels]
        if dark := [line for line in beams if levels[line]]:
            seen = f"{', '.join(map(_line_name, dark))}: something stands in the beam"
            return CheckVerdict(
                name, CheckOutcome.FAILED, seen, "take it out; if nothing is there, its wire or lamp is broken"
            )
        if self.ask is None:
            return CheckVerdict(
                name, CheckOutcome.UNTRIED, f"it opens; {_levels(levels)}", "turn the rotor by hand"
            )
        tracker = RouletteTracker(rotor_geometry(rotor, section), levels)
        events: list[object] = []
        edges: set[str] = set()

        def collect(batch: EdgeBatch) -> None:
            events.extend(tracker.feed(batch))
            edges.update(batch.edges.decode())

        head.start(collect)
        await self.ask("turn the rotor by hand, counterclockwise, twice around, then Enter here:")
        head.poll()
        faults = [event for event in events if isinstance(event, SensorHealth) and event.health is not Health.OK]
        turned = [event.direction.value for event in events if isinstance(event, RotorTurned)]
        if faults:
            seen = f"{faults[-1].sensor} {faults[-1].health.value}: {faults[-1].detail}"
            return CheckVerdict(name, CheckOutcome.FAILED, seen, "check its wires, and counts_per_turn")
        if turned != ["counterclockwise"]:
            seen, remedy = "no turn from index to index was seen", "turn it again, or repair the index"
            if turned:
                seen = f"the rotor turned {turned[-1]}"
                remedy = "if it did not, wires A and B are crossed, or change rotor.reversed; else turn it again"
            return CheckVerdict(name, CheckOutcome.FAILED, seen, remedy)
        await self.ask("hold a finger into each beam and take it out again, then Enter here:")
        head.poll()
        if blind := [line for line in beams if not {line, line.lower()} <= edges]:
            seen = f"not seen: {', '.join(map(_line_name, blind))}"
            return CheckVerdict(name, CheckOutcome.FAILED, seen, "check the beam's lamp, its receiver and its wire")
        return CheckVerdict(
            name, CheckOutcome.PASSED, f"a turn of {rotor.counts_per_turn} counts, {len(beams)} beams"
        )


class _Inputs:
    """Collects the inputs of keys, switches or a reader, and echoes them."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self.down: set[str] = set()
        self.up: set[str] = set()
        self.fault = ""

    def key(self, event: KeyEvent | FaultEvent) -> None:
        if isinstance(event, FaultEvent):
            self._on_fault(event.detail)
        else:
            self._on_input(event.control, event.pressed)

    def switch(self, event: SwitchEvent | FaultEvent) -> None:
        if isinstance(event, FaultEvent):
            self._on_fault(event.detail)
        else:
            self._on_input(event.switch, event.closed)

    def read(self, event: ReaderEvent) -> None:
        self._on_fault(event.fault)
        if event.pocket:
            self._on_input(event.pocket, True)

    def _on_fault(self, fault: str) -> None:
        self.fault = fault
        if fault:
            self._say(f"  {fault}")

    def _on_input(self, name: str, down: bool) -> None:
        (self.down if down else self.up).add(name)
        if down:
            self._say(f"  {name}")


def _line_name(line: str) -> str:
    return next(name for name, letter in LINES.items() if letter == line)


def _levels(levels: Any) -> str:
    return ", ".join(f"{_line_name(line)} {'high' if level else 'low'}" for line, level in levels.items())
