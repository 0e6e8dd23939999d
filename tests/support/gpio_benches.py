"""Devices of backend ``gpiozero`` on gpiozero's mock pins, and control of those pins."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from contracts.keys import CONTROLS
from contracts.loop import Loop
from contracts.panel import LAMPS
from contracts.switches import SWITCHES
from contracts.tamper import wiring as tamper_wiring
from gpiozero.pins.mock import MockConnectedPin, MockFactory, MockPin
from keypad_wires import joined_columns

from config.schema import ButtonsDevice, BuzzerDevice, DeviceSection, KeypadDevice, PanelDevice, SwitchesDevice
from hal.clock import LoopClock
from hal.gpiozero.pins import MAKERS
from hal.interfaces import Device
from hal.mock.clock import VirtualClock
from hal.registry import open_device

BACKEND = "gpiozero"
NS_PER_MS = 1_000_000
BUTTONS = dict(zip(CONTROLS, (5, 6, 13, 19), strict=True))
ROWS, COLUMNS = [5, 6], [16, 20]
KEYS = [list(CONTROLS[:2]), list(CONTROLS[2:])]
SWITCH_PINS = dict(zip(SWITCHES, (17, 27), strict=True))
LAMP_PINS = {area: 2 + output for area, output in LAMPS.items()}
FEEDBACK_PINS = dict(zip(LAMPS, range(20, 26), strict=True))
BUZZER = 12
_CONTACT_PINS = {"door": 17, "cabinet": 27}


def fit(monkeypatch: pytest.MonkeyPatch, factory: MockFactory) -> None:
    """Mock pins in place of those that gpiod drives."""
    monkeypatch.setitem(MAKERS, "gpiod", lambda: factory)


class Bench:
    """An event loop, mock pins, time (the loop's own, or virtual) and a device. Its subclasses drive the pins."""

    kind: str

    def __init__(self, monkeypatch: pytest.MonkeyPatch, wiring: DeviceSection, virtual: bool) -> None:
        self.factory = self.make_pins()
        fit(monkeypatch, self.factory)
        self.loop = Loop()
        self.run, self.until = self.loop.run, self.loop.until
        self.clock = VirtualClock()
        self.clock.advance_to(1000 * NS_PER_MS)
        self.device = self.run(
            lambda: open_device(self.kind, BACKEND, wiring, wiring.options, self.clock if virtual else LoopClock())
        )

    def make_pins(self) -> MockFactory:
        return MockFactory()

    def pin(self, number: int) -> MockPin:
        return self.factory.pin(number)

    def drive(self, number: int, high: bool) -> None:
        """Put a level on an input."""
        pin = self.pin(number)
        if high:
            pin.drive_high()
        else:
            pin.drive_low()

    def pass_ms(self, milliseconds: float) -> None:
        """Let virtual time pass, after the loop has done what it was handed."""
        self.run(lambda: None)
        self.run(lambda: self.hold_up_ms(milliseconds))

    def hold_up_ms(self, milliseconds: float) -> None:
        """Let virtual time pass in which the loop takes nothing that it is handed."""
        self.clock.advance_to(self.clock.now_ns() + int(milliseconds * NS_PER_MS))

    def close(self) -> None:
        self.run(self.device.close)
        self.loop.close()


class ButtonsBench(Bench):
    kind = "keys"

    def __init__(self, monkeypatch: pytest.MonkeyPatch, virtual: bool = False, **options: object) -> None:
        self.closes_low = options.get("pull_up", True) is True
        super().__init__(monkeypatch, ButtonsDevice(backend=BACKEND, pins=BUTTONS, options=options), virtual)

    def press(self, control: str) -> None:
        self.drive(BUTTONS[control], not self.closes_low)

    def release(self, control: str) -> None:
        self.drive(BUTTONS[control], self.closes_low)


class Copper(MockFactory):
    """The pins of a matrix keypad, and the keys that join them."""

    def __init__(self) -> None:
        super().__init__(pin_class=WiredPin)
        self.down: set[tuple[int, int]] = set()
        self.broken = False
        self.driven_high = False
        """Whether a pin was ever driven high: then two keys may have joined it to one that is low."""


class WiredPin(MockPin):
    """A column is low if keys join it, on whatever ways, to a row that is pulled low."""

    factory: Copper

    def _get_state(self) -> bool:
        if self.factory.broken:
            raise OSError("input/output error")
        if self._number not in COLUMNS:
            return super()._get_state()
        low = [row for row, number in enumerate(ROWS) if self.factory.pin(number).pulls_low]
        column = COLUMNS.index(self._number)
        return not any(column in joined_columns(self.factory.down, row) for row in low)

    @property
    def pulls_low(self) -> bool:
        return self._function == "output" and not self._state

    def _set_state(self, value: bool) -> None:
        self.factory.driven_high |= bool(value)
        super()._set_state(value)


class KeypadBench(Bench):
    kind = "keys"
    factory: Copper

    def __init__(self, monkeypatch: pytest.MonkeyPatch, virtual: bool = False, **options: object) -> None:
        wiring = KeypadDevice(backend=BACKEND, rows=ROWS, columns=COLUMNS, keys=KEYS, options=options)
        super().__init__(monkeypatch, wiring, virtual)

    def make_pins(self) -> MockFactory:
        return Copper()

    def press(self, control: str) -> None:
        self.factory.down.add(self.place(control))

    def release(self, control: str) -> None:
        self.factory.down.discard(self.place(control))

    def place(self, control: str) -> tuple[int, int]:
        return next((row, keys.index(control)) for row, keys in enumerate(KEYS) if control in keys)


class SwitchesBench(Bench):
    kind = "switches"

    def __init__(self, monkeypatch: pytest.MonkeyPatch, virtual: bool = False, **options: object) -> None:
        all_high = options.get("active") == "high"
        self.high = set(SWITCHES) if all_high else set(options.get("active_high", ()))
        super().__init__(monkeypatch, SwitchesDevice(backend=BACKEND, pins=SWITCH_PINS, options=options), virtual)

    def turn(self, switch: str, closed: bool) -> None:
        self.drive(SWITCH_PINS[switch], closed == (switch in self.high))


class TamperBench(Bench):
    """Contacts with a latch of the cabinet, which an opening sets and the reset line clears.

    Args:
        wired: whether the contacts' wires are whole; if not, the pins are where the board pulls them.
    """

    kind = "tamper"

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, virtual: bool = False, wired: bool = True, **options: object
    ) -> None:
        self.closed_high = options.get("active") == "high"
        self.latched_high = options.get("latch_active") == "high"
        super().__init__(monkeypatch, tamper_wiring(BACKEND, **options), virtual)
        reset, level = self.pin(23), options.get("reset_active_high", True)
        forget = self.device.forget

        def forget_and_clear() -> None:
            forget()
            assert bool(reset.state) is level, "the latches are reset"
            self.drive(22, not self.latched_high)

        monkeypatch.setattr(self.device, "forget", forget_and_clear)
        for contact in ("door", "cabinet") if wired else ():
            self.drive(_CONTACT_PINS[contact], self.closed_high)
        self.drive(22, not self.latched_high)

    def turn(self, contact: str, closed: bool) -> None:
        self.drive(_CONTACT_PINS[contact], closed == self.closed_high)
        if contact == "cabinet" and not closed:
            self.drive(22, self.latched_high)


class PanelBench(Bench):
    kind = "panel"

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tells: bool, active_high: bool = True) -> None:
        self.tells, self.active_high = tells, active_high
        options: dict[str, object] = {"active_high": active_high}
        if tells:
            options |= {"read_back_pins": FEEDBACK_PINS, "read_back_active_high": active_high}
        super().__init__(monkeypatch, PanelDevice(backend=BACKEND, lamps=LAMP_PINS, options=options), virtual=False)

    def make_pins(self) -> MockFactory:
        factory = MockFactory()
        for area, number in FEEDBACK_PINS.items() if self.tells else ():
            factory.pin(LAMP_PINS[area], pin_class=MockConnectedPin, input_pin=factory.pin(number))
        return factory

    def burning(self) -> set[int]:
        return {LAMPS[area] for area, number in LAMP_PINS.items() if self.pin(number).state == self.active_high}


class SounderBench(Bench):
    kind = "sounder"

    def __init__(self, monkeypatch: pytest.MonkeyPatch, virtual: bool = False, **options: object) -> None:
        super().__init__(monkeypatch, BuzzerDevice(backend=BACKEND, pin=BUZZER, options=options), virtual)

    def sounds(self) -> int:
        return sum(state.state for state in self.pin(BUZZER).states)

    def sounding(self) -> bool:
        return bool(self.pin(BUZZER).state)


@contextmanager
def open_bench(make: Callable[[], Bench]) -> Iterator[Bench]:
    """A bench that is closed at the end."""
    bench = make()
    try:
        yield bench
    finally:
        bench.close()


def opened(kind: str, wiring: DeviceSection) -> Device:
    """A device on its own, without passing time."""
    return open_device(kind, wiring.backend, wiring, wiring.options, VirtualClock())
