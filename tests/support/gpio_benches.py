"""Devices of backend ``gpiozero`` on simulated lines, and what is wired to those."""

from collections.abc import Collection
from functools import partial
from typing import Any

from contracts.devices import CONTROLS, LAMPS, SWITCHES, tamper_wiring
from contracts.loop import Loop
from gpiod_lines import Lines

from config.schema import ButtonsDevice, BuzzerDevice, DeviceSection, KeypadDevice, PanelDevice, SwitchesDevice
from hal.clock import LoopClock
from hal.gpiozero.keypad import Crossing
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
_DOOR, _CABINET, _LATCH, _RESET = 17, 27, 22, 23


class Bench(Loop):
    """An event loop, time (the loop's own, or virtual) and a device. Its subclasses drive the lines."""

    kind: str

    def __init__(self, lines: Lines, wiring: DeviceSection, virtual: bool = False) -> None:
        super().__init__()
        self.lines = lines
        self.clock = VirtualClock()
        self.clock.advance_to(1000 * NS_PER_MS)
        if virtual:
            lines.now_ns = self.clock.now_ns
        self.device: Any = self.run(
            lambda: open_device(self.kind, BACKEND, wiring, wiring.options, self.clock if virtual else LoopClock())
        )

    def pass_ms(self, milliseconds: float) -> None:
        """Let virtual time pass, after the loop has done what it was handed."""
        for _ in range(3):  # An edge is read, then handed on, then debounced.
            self.run(lambda: None)
        self.run(lambda: self.hold_up_ms(milliseconds))

    def hold_up_ms(self, milliseconds: float) -> None:
        """Let virtual time pass in which the loop takes nothing that it is handed."""
        self.clock.advance_to(self.clock.now_ns() + int(milliseconds * NS_PER_MS))

    def close(self) -> None:
        self.run(self.device.close)
        super().close()
        assert not self.lines.requests, "the device gave all lines back"


class ButtonsBench(Bench):
    kind = "keys"

    def __init__(self, lines: Lines, virtual: bool = False, **options: object) -> None:
        self.closes_low = options.get("pull_up", True) is True
        super().__init__(lines, ButtonsDevice(backend=BACKEND, pins=BUTTONS, options=options), virtual)

    def press(self, control: str) -> None:
        self.lines.drive(BUTTONS[control], not self.closes_low)

    def release(self, control: str) -> None:
        self.lines.drive(BUTTONS[control], self.closes_low)


class KeypadBench(Bench):
    """A column is low if keys join it, on whatever ways, to a row that is pulled low."""

    kind = "keys"

    def __init__(self, lines: Lines, virtual: bool = False, **options: object) -> None:
        self.down: set[tuple[int, int]] = set()
        for column, pin in enumerate(COLUMNS):
            lines.far[pin] = partial(self._floats, column)
        wiring = KeypadDevice(backend=BACKEND, rows=ROWS, columns=COLUMNS, keys=KEYS, options=options)
        super().__init__(lines, wiring, virtual)

    def press(self, control: str) -> None:
        self.down.add(self._place(control))

    def release(self, control: str) -> None:
        self.down.discard(self._place(control))

    def _floats(self, column: int) -> bool:
        low = [row for row, pin in enumerate(ROWS) if not self.lines.level(pin)]
        return not any(column in joined_columns(self.down, row) for row in low)

    def _place(self, control: str) -> tuple[int, int]:
        return next((row, keys.index(control)) for row, keys in enumerate(KEYS) if control in keys)


class SwitchesBench(Bench):
    kind = "switches"

    def __init__(self, lines: Lines, **options: object) -> None:
        all_high = options.get("active") == "high"
        self.high = set(SWITCHES) if all_high else set(options.get("active_high", ()))
        super().__init__(lines, SwitchesDevice(backend=BACKEND, pins=SWITCH_PINS, options=options))

    def turn(self, switch: str, closed: bool) -> None:
        self.lines.drive(SWITCH_PINS[switch], closed == (switch in self.high))


class TamperBench(Bench):
    """Contacts with a latch of the cabinet, which an opening sets and the reset line clears.

    Args:
        wired: whether the contacts' wires are whole; if not, the pins are where the board pulls them.
    """

    kind = "tamper"

    def __init__(self, lines: Lines, wired: bool = True, **options: object) -> None:
        self.closed_high = options.get("active") == "high"
        self.latched_high = options.get("latch_active") == "high"
        self.reset_high = options.get("reset_active_high", True)
        self.latched = False
        lines.far[_LATCH] = self._latch
        if wired:
            lines.far |= dict.fromkeys((_DOOR, _CABINET), self.closed_high)
        super().__init__(lines, tamper_wiring(BACKEND, **options))

    def turn(self, contact: str, closed: bool) -> None:
        self.latched |= contact == "cabinet" and not closed
        self.lines.drive({"door": _DOOR, "cabinet": _CABINET}[contact], closed == self.closed_high)

    def _latch(self) -> bool:
        if _RESET in self.lines.requests and self.lines.level(_RESET) == self.reset_high:
            self.latched = False
        return self.latched == self.latched_high


class PanelBench(Bench):
    kind = "panel"

    def __init__(self, lines: Lines, tells: bool = False, active_high: bool = True) -> None:
        self.tells, self.active_high = tells, active_high
        options: dict[str, object] = {"active_high": active_high}
        if tells:
            options |= {"read_back_pins": FEEDBACK_PINS, "read_back_active_high": active_high}
            lines.far |= {pin: partial(lines.level, LAMP_PINS[area]) for area, pin in FEEDBACK_PINS.items()}
        super().__init__(lines, PanelDevice(backend=BACKEND, lamps=LAMP_PINS, options=options))

    def burning(self) -> set[int]:
        return {LAMPS[area] for area, pin in LAMP_PINS.items() if self.lines.level(pin) == self.active_high}


class SounderBench(Bench):
    kind = "sounder"

    def __init__(self, lines: Lines, virtual: bool = False, **options: object) -> None:
        super().__init__(lines, BuzzerDevice(backend=BACKEND, pin=BUZZER, options=options), virtual)

    def sounds(self) -> int:
        return sum(self.lines.history[BUZZER])

    def sounding(self) -> bool:
        return self.lines.level(BUZZER)


def joined_columns(down: Collection[tuple[int, int]], row: int) -> set[int]:
    """Current goes through every key, both ways: from row to column, to the next row, and so on."""
    rows, columns = {row}, set()
    while True:
        more_columns = {at for across, at in down if across in rows}
        more_rows = rows | {across for across, at in down if at in more_columns}
        if (more_rows, more_columns) == (rows, columns):
            return columns
        rows, columns = more_rows, more_columns


def reads(down: Collection[tuple[int, int]], rows: int) -> frozenset[Crossing]:
    """What a scan reads while the same keys are down all the time."""
    return frozenset(Crossing(row, at) for row in range(rows) for at in joined_columns(down, row))


def opened(kind: str, wiring: DeviceSection) -> Device:
    """A device on its own, without passing time."""
    return open_device(kind, wiring.backend, wiring, wiring.options, VirtualClock())
