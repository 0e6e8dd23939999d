"""The health of a table's sensors and devices, derived from its record: OK until an event reports a fault."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from config.schema import TableConfig
from controller.events.effect import Alert
from controller.events.event import (
    BATTERY,
    KEYS,
    MIRROR,
    SUPPLY,
    SWITCHES,
    TAMPER,
    BallLeftTrack,
    CabinetHealth,
    ClockChecked,
    Event,
    Health,
    KeyStuck,
    PanelFault,
    PocketRead,
    PowerRestored,
    Press,
    ReaderFault,
    RotorTurned,
    SensorHealth,
    ShakerCycled,
    ShakerFailed,
    TableStarted,
    WheelRested,
    contact_part,
)
from controller.events.table_words import TABLE_WORDS
from controller.events.words import Text, say
from controller.table.faults import fault_of, notice
from controller.viewmodel.documents import DeviceStatus

ENCODER = ("encoder", "encoder_a", "encoder_b", "index")
"""The names that a tracker reports for an encoder: the whole, each line, and the index."""
WHEEL = (*ENCODER, "clapper")
BALL = ("ball_1", "ball_2", "ball beams")
PANEL, READER = "panel", "reader"
THE_CLOCK = "clock"
"""The table's wall time."""

_SAID_ANEW = (THE_CLOCK, SUPPLY, BATTERY, MIRROR)


def _said(event: Event) -> str:
    """A fault in the words of its alert."""
    fault = fault_of(event)
    if fault is not None:
        return say(TABLE_WORDS, fault.cause)
    return "; ".join(
        say(TABLE_WORDS, Text(effect.text, effect.parameters))
        for effect in notice(event)
        if isinstance(effect, Alert)
    )


class DeviceFault(NamedTuple):
    """A fault of a sensor or a device."""

    state: Health
    detail: str
    control: str = ""
    """The key whose next press clears the fault; if empty, any key of the device does."""


def controls(config: TableConfig) -> Iterator[tuple[str, str]]:
    """Yield every button, key and key switch, with the device that it belongs to."""
    devices = config.devices
    if devices.buttons is not None:
        yield from ((control, "buttons") for control in devices.buttons.pins)
    if devices.keypad is not None:
        yield from ((control, "keypad") for row in devices.keypad.keys for control in row)
    if devices.keyboard is not None:
        yield from ((control, "keyboard") for control in devices.keyboard.codes)
    yield from ((control, SWITCHES) for control in devices.switches.pins)


def _devices(config: TableConfig) -> Iterator[str]:
    """Yield the name of every sensor and device."""
    devices = config.devices
    if devices.head is not None:
        yield from WHEEL
    if devices.rotor is not None:
        yield from ENCODER
        yield from BALL[: 1 if devices.rotor.pins.ball_2 is None else 2]
    if devices.reader is not None:
        yield READER
    yield from dict.fromkeys(device for _, device in controls(config))
    yield PANEL
    if devices.tamper is not None:
        yield TAMPER
        yield from map(contact_part, devices.tamper.contacts)


class DeviceList:
    """The known health of every sensor and device of a table.

    Args:
        in_words: says a sentence of the record in the game's words.
    """

    def __init__(self, config: TableConfig, in_words: Callable[[str], str] = str) -> None:
        self._in_words = in_words
        self.names = tuple(_devices(config))
        self.faults: dict[str, DeviceFault] = {}
        self._of_control = dict(controls(config))
        contacts = config.devices.tamper.contacts if config.devices.tamper is not None else {}
        self._contacts = (TAMPER, *map(contact_part, contacts))
        self._two_beams = "ball_2" in self.names

    def device_of(self, event: Event) -> str:
        """The sensor or device that an event reports a fault of; empty if it reports none."""
        if isinstance(event, KeyStuck):
            return self._of_control.get(event.control, "")
        if (reported := self._reported(event)) is not None:
            return reported[0]
        fault = event.fault if isinstance(event, WheelRested | BallLeftTrack) else None
        return fault.sensor if fault is not None else ""

    def take(self, event: Event) -> None:
        """Take an event, which may report a fault or prove that a device works."""
        reported = self._reported(event)
        if reported is None:
            if self.faults:
                self._clear_proven(event)
        elif reported[1].state is Health.OK:
            self._clear((reported[0],))
        else:
            self.faults[reported[0]] = reported[1]

    def _reported(self, event: Event) -> tuple[str, DeviceFault] | None:
        """The device of whose health an event tells, and what it tells."""
        match event:
            case SensorHealth():
                return event.sensor, DeviceFault(event.health, say(TABLE_WORDS, event.found))
            case CabinetHealth():
                return event.part, DeviceFault(event.health, _said(event))
            case KeyStuck():
                device = self._of_control.get(event.control, event.control)
                return device, DeviceFault(Health.STUCK, _said(event), event.control)
            case PanelFault():
                return PANEL, DeviceFault(Health.GONE if event.detail else Health.STUCK, _said(event))
            case ReaderFault():
                return READER, DeviceFault(Health.NOISY, event.detail)
            case ClockChecked():
                state = Health.DEGRADED if event.doubt else Health.OK
                return THE_CLOCK, DeviceFault(state, say(TABLE_WORDS, event.doubt))
        return None

    def lit(self) -> None:
        """The panel was set again; if a lamp is still wrong, the next event reports it."""
        self._clear((PANEL,))

    def _clear_proven(self, event: Event) -> None:
        """Clear what an event proves to work. After a restart a tracker does not know its earlier faults."""
        if isinstance(event, Press):
            device = self._of_control.get(event.control, "")
            fault = self.faults.get(device)
            if fault is not None and fault.control in ("", event.control) and not self._lasts(device):
                self._clear((device,))
        elif isinstance(event, TableStarted | PowerRestored):
            # Media are changed while the table is off. Of these, of its clock, contacts and supply each start says
            # anew.
            self._clear((*_SAID_ANEW, *self._contacts))
            # This start will say so anew.
            self._clear(device for device in (SWITCHES, *KEYS) if self._lasts(device))
        elif isinstance(event, ShakerCycled | ShakerFailed):
            if not self._lasts(SWITCHES):
                self._clear((SWITCHES,))
        elif isinstance(event, PocketRead):
            self._clear((READER,))
        elif isinstance(event, WheelRested) and event.located and event.fault is None:
            self._clear(WHEEL)
        elif isinstance(event, RotorTurned):
            self._clear(ENCODER)
        elif isinstance(event, BallLeftTrack) and event.fault is None:
            self._clear(BALL)
            if self._two_beams and event.rotor is not None:
                self._clear(ENCODER)

    def _lasts(self, device: str) -> bool:
        """Whether a press says nothing of a fault: other switches have been closed since the start, or it is one of
        too many."""
        fault = self.faults.get(device)
        if fault is None:
            return False
        return fault.state is Health.NOISY or (device == SWITCHES and fault.state is Health.STUCK)

    def _clear(self, devices: Iterable[str]) -> None:
        for device in devices:
            self.faults.pop(device, None)

    def listed(self) -> list[DeviceStatus]:
        """Every sensor and device with its state, and any other fault."""
        found = dict.fromkeys(self.names, DeviceFault(Health.OK, "")) | self.faults
        return [DeviceStatus(name, one.state.value, self._in_words(one.detail)) for name, one in found.items()]
