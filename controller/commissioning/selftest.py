"""Tests each device of a table in turn and reports the outcome, what was observed, and a remedy."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Any

from config.schema import DeviceSection, TableConfig
from controller.commissioning.check_verdict import CheckOutcome, CheckVerdict
from controller.commissioning.dialogue import Ask, Say, yes
from controller.commissioning.guards_check import COMPUTER, computer_check, contacts_check
from controller.commissioning.sensor_head_check import SensorHeadCheck
from controller.configuration.rules import KIND_OF_SECTION
from controller.configuration.shipped import device_options
from hal.computer import ComputerHealth
from hal.errors import HalError
from hal.events import FaultEvent, KeyEvent, ReaderEvent, SwitchEvent
from hal.interfaces import Clock, KeySource, LampPanel, ResultReader, Sounder, SwitchInput, TamperInput
from hal.registry import open_device

LAMP_S, QUICK_LAMP_S, LISTEN_S = 0.4, 0.02, 0.5
"""How long each lamp is lit for a person, and for the read-back alone; how long a device is monitored."""


@dataclass
class SelfTest:
    """The tests of a table's devices.

    Args:
        ask: asks the technician; None for an unattended test.
        say: shows a line.
        wait: waits for this many seconds.
        computer: tells of its supply and its clock's battery; None not to ask it.
    """

    config: TableConfig
    clock: Clock
    ask: Ask | None
    say: Say
    wait: Callable[[float], Awaitable[None]]
    computer: ComputerHealth | None = None

    async def run(self) -> list[CheckVerdict]:
        """Test every device of the table; each is opened and closed again."""
        verdicts = []
        for name, kind in KIND_OF_SECTION.items():
            section: DeviceSection | None = getattr(self.config.devices, name)
            if section is not None:
                self.say(f"{name} ({section.backend})")
                verdicts.append(await self._test(name, kind, section))
        if self.computer is not None:
            self.say(COMPUTER)
            verdicts += computer_check(self.computer, self.say)
        return verdicts

    async def _test(self, name: str, kind: str, section: DeviceSection) -> CheckVerdict:
        heads = SensorHeadCheck(self.config, self.ask)
        tests: dict[str, Callable[[str, Any, Any], Awaitable[CheckVerdict]]] = {
            "edges": heads.wheel,
            "rotor": heads.rotor,
            "reader": self._reader,
            "keys": self._keys,
            "switches": self._switches,
            "tamper": self._tamper,
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

    async def _tamper(self, name: str, tamper: TamperInput, section: Any) -> CheckVerdict:
        return await contacts_check(name, tamper, section.contacts, self.ask, lambda: self.wait(LISTEN_S))

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
