"""Tests each device of a table in turn and reports the outcome, what was observed, and a remedy."""

from collections.abc import Awaitable, Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from config.schema import DeviceSection, TableConfig
from controller.commissioning.check_verdict import CheckVerdict, failed, passed, untried
from controller.commissioning.dialogue import Ask, Say, yes
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
COMPUTER = "computer"


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

    async def run(self) -> list[tuple[str, CheckVerdict]]:
        """Test every device of the table; each is opened and closed again.

        Returns:
            The verdict on each, by its section in the table's file.
        """
        verdicts = []
        for name, kind in KIND_OF_SECTION.items():
            section: DeviceSection | None = getattr(self.config.devices, name)
            if section is not None:
                self.say(f"{name} ({section.backend})")
                verdicts.append((name, await self._test(kind, section)))
        if self.computer is not None:
            self.say(COMPUTER)
            verdicts += [(COMPUTER, found) for found in self._computer(self.computer)]
        return verdicts

    async def _test(self, kind: str, section: DeviceSection) -> CheckVerdict:
        heads = SensorHeadCheck(self.config, self.ask)
        tests: dict[str, Callable[[Any, Any], Awaitable[CheckVerdict]]] = {
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
            return failed("it cannot be opened", str(error))
        try:
            return await tests[kind](device, section)
        except HalError as error:
            return failed("it failed during the test", str(error))
        finally:
            device.close()

    # -- lamps and buzzer ------------------------------------------------------------------------------------

    async def _panel(self, panel: LampPanel, section: Any) -> CheckVerdict:
        """Each lamp alone, in the order of the file."""
        readable = True
        for area, output in section.lamps.items():
            panel.show(frozenset({area}))
            await self.wait(LAMP_S if self.ask else QUICK_LAMP_S)
            burning = panel.read_back()
            readable = readable and burning is not None
            if burning is not None and burning != {area}:
                seen = f"with {area} alone, these burned: {', '.join(sorted(burning)) or 'none'}"
                return failed(seen, f"check output {output}, its wire and its lamp")
        panel.show(frozenset())
        lamps = f"{len(section.lamps)} lamps, each alone"
        if self.ask is not None:
            if not await yes(self.ask, "did every lamp burn, each alone, in the order of the file?"):
                return failed("not every lamp burned", "compare lamps with the wiring")
            return passed(f"{lamps}{', read back' if readable else ''}, seen by the technician")
        if readable:
            return passed(f"{lamps}, read back as they were set")
        return untried(f"{lamps}, but nothing reads them back", "look at them")

    async def _sounder(self, sounder: Sounder, section: Any) -> CheckVerdict:
        sounder.beep()
        await self.wait(LISTEN_S)
        if self.ask is None:
            return untried("one beep, but nobody listened", "listen to it")
        if await yes(self.ask, "did the buzzer sound?"):
            return passed("one beep, confirmed by the technician")
        return failed("no sound", "check the buzzer's pin and wire, and that it is active")

    # -- keys, switches, contacts, reader --------------------------------------------------------------------

    async def _keys(self, keys: KeySource, section: Any) -> CheckVerdict:
        rows = getattr(section, "keys", [])
        controls = [
            *getattr(section, "pins", {}),
            *(control for row in rows for control in row),
            *getattr(section, "codes", {}),
        ]
        inputs = _Inputs(self.say)
        keys.start(inputs.take)
        return await self._pressed("press every key once", "key", controls, inputs)

    async def _switches(self, switches: SwitchInput, section: Any) -> CheckVerdict:
        inputs = _Inputs(self.say)
        switches.start(inputs.take)
        return await self._pressed("turn every switch once, on and off", "switch", list(section.pins), inputs)

    async def _pressed(self, what: str, kind: str, expected: Collection[str], inputs: "_Inputs") -> CheckVerdict:
        await self._ask_or_listen(f"{what}, then Enter here:")
        if inputs.fault:
            return failed(inputs.fault, "repair it and try again")
        if self.ask is None:
            return untried(f"it opens; no {kind} was tested", "test it by hand")
        if missing := [control for control in expected if control not in inputs.down]:
            remedy = f"check the wires of each such {kind}, and its place in the file"
            return failed(f"not received: {', '.join(missing)}", remedy)
        if inputs.held:
            return failed(f"never came up: {', '.join(sorted(inputs.held))}", f"free the {kind}")
        return passed(f"all {len(expected)} received, down and up")

    async def _tamper(self, contacts: TamperInput, section: Any) -> CheckVerdict:
        inputs = _Inputs(self.say, closed=section.contacts)
        contacts.start(inputs.take)
        remembered = contacts.remembered()
        await self._ask_or_listen("open every door of the table and close it again, then Enter here:")
        if inputs.fault:
            return failed(inputs.fault, "repair it and try again")
        if now_open := sorted({*section.contacts} - inputs.held):
            return failed(f"open: {', '.join(now_open)}", "close it; if it is closed, check contact and wire")
        latches = f"; latches that remember an opening: {', '.join(sorted(remembered))}" if remembered else ""
        if self.ask is None:
            return untried(f"all are closed{latches}", "open each by hand")
        if missing := sorted({*section.contacts} - inputs.up):
            return failed(f"never opened: {', '.join(missing)}", "check contact and wire: it is closed for ever")
        return passed(f"all {len(section.contacts)} opened and closed{latches}")

    async def _reader(self, reader: ResultReader, section: Any) -> CheckVerdict:
        inputs = _Inputs(self.say)
        reader.start(inputs.read)
        await self._ask_or_listen(
            "lay the ball into a pocket, turn the rotor until the reader reports a result, then Enter here:"
        )
        if inputs.fault:
            return failed(inputs.fault, "check baud_rate, parity, line_end and pattern")
        if inputs.down:
            return passed(f"it named {', '.join(sorted(inputs.down))}")
        if self.ask is None:
            return untried("it opens; no result was read", "test it with a ball")
        return failed("it named no pocket", "check its cable, power and options")

    async def _ask_or_listen(self, question: str) -> None:
        if self.ask is None:
            await self.wait(LISTEN_S)
        else:
            await self.ask(question)

    # -- the computer ----------------------------------------------------------------------------------------

    def _computer(self, computer: ComputerHealth) -> Iterator[CheckVerdict]:
        """Say what it tells of supply and clock battery; a verdict only for what is wrong."""
        supply, battery = computer.supply(), computer.battery()
        if supply is None:
            self.say("  it does not tell of its supply voltage")
        elif supply.low or supply.earlier:
            seen = f"the supply voltage {'is' if supply.low else 'was, since it was switched on,'} too low"
            yield failed(seen, "check the power supply and its cable")
        else:
            self.say("  its supply voltage is in order")
        if battery is None:
            self.say("  it does not tell of its clock's battery")
        elif battery.low:
            seen = f"the clock's battery is low: {battery.detail}"
            yield failed(seen, "replace it, or write `clock_battery: off`")
        else:
            self.say(f"  its clock's battery is in order{f': {battery.detail}' if battery.detail else ''}")


class _Inputs:
    """Collects the inputs of keys, switches, contacts or a reader, and echoes them.

    Args:
        closed: those that are closed at first.

    Attributes:
        down, up: those that have closed, and have opened.
        held: those that are closed now.
    """

    def __init__(self, say: Say, closed: Collection[str] = ()) -> None:
        self._say = say
        self.down: set[str] = set()
        self.up: set[str] = set()
        self.held = set(closed)
        self.fault = ""

    def take(self, event: KeyEvent | SwitchEvent | FaultEvent) -> None:
        match event:
            case FaultEvent():
                self._on_fault(event.detail)
            case KeyEvent():
                self._on_input(event.control, event.pressed)
            case SwitchEvent():
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
        (self.held.add if down else self.held.discard)(name)
        if down:
            self._say(f"  {name}")
