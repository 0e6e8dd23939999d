"""The health of a table's sensors and devices, as its record tells it: in order until an event says otherwise."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from config.schema import TableConfig
from controller.events.event import (
    BallLeftTrack,
    Event,
    Health,
    KeyStuck,
    PanelFault,
    PocketRead,
    Press,
    ReaderFault,
    RotorTurned,
    SensorHealth,
    ShakerCycled,
    ShakerFailed,
    WheelRested,
)
from controller.statechart.device_text import fault_text
from controller.viewmodel.documents import Device

ENCODER = ("encoder", "encoder_a", "encoder_b", "index")
"""What a tracker calls the lines of an encoder: all of it, a line, and the mark."""
WHEEL = (*ENCODER, "clapper")
BALL = ("ball_1", "ball_2", "ball beams")
PANEL, READER, SWITCHES = "panel", "reader", "switches"


@dataclass(frozen=True, slots=True)
class DeviceTrouble:
    """What is wrong with a sensor or a device."""

    state: Health
    detail: str
    control: str = ""
    """The key whose next press shows that it is over; empty, any key of the device."""


def controls(config: TableConfig) -> Iterator[tuple[str, str]]:
    """Every button, key and key switch, with the device that it belongs to."""
    devices = config.devices
    if devices.buttons is not None:
        yield from ((control, "buttons") for control in devices.buttons.pins)
    if devices.keypad is not None:
        yield from ((control, "keypad") for row in devices.keypad.keys for control in row)
    if devices.keyboard is not None:
        yield from ((control, "keyboard") for control in devices.keyboard.codes)
    yield from ((control, SWITCHES) for control in devices.switches.pins)


def _devices(config: TableConfig) -> Iterator[str]:
    """Every sensor and device."""
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


class DeviceList:
    """What is known of every sensor and device of a table."""

    def __init__(self, config: TableConfig) -> None:
        self.names = tuple(_devices(config))
        self.troubles: dict[str, DeviceTrouble] = {}
        self._of_control = dict(controls(config))
        self._two_beams = "ball_2" in self.names

    def device_of(self, event: Event) -> str:
        """The sensor or device that an event finds fault with; empty if it is none."""
        if isinstance(event, SensorHealth):
            return event.sensor
        if isinstance(event, KeyStuck):
            return self._of_control.get(event.control, "")
        if isinstance(event, PanelFault):
            return PANEL
        if isinstance(event, ReaderFault):
            return READER
        fault = event.fault if isinstance(event, WheelRested | BallLeftTrack) else None
        return fault.sensor if fault is not None else ""

    def take(self, event: Event) -> None:
        """Take an event: something is wrong, or proves to be in order."""
        if isinstance(event, SensorHealth) and event.health is not Health.OK:
            self.troubles[event.sensor] = DeviceTrouble(event.health, event.detail)
        elif isinstance(event, SensorHealth):
            self._mend((event.sensor,))
        elif isinstance(event, KeyStuck):
            device = self._of_control.get(event.control, event.control)
            self.troubles[device] = DeviceTrouble(Health.STUCK, fault_text(event), event.control)
        elif isinstance(event, PanelFault):
            state = Health.GONE if event.detail else Health.STUCK
            self.troubles[PANEL] = DeviceTrouble(state, fault_text(event).removeprefix("panel: "))
        elif isinstance(event, ReaderFault):
            self.troubles[READER] = DeviceTrouble(Health.NOISY, event.detail)
        elif self.troubles:
            self._prove(event)

    def lit(self) -> None:
        """The panel was lit anew; if it does not burn as it should, the next event says so."""
        self._mend((PANEL,))

    def _prove(self, event: Event) -> None:
        """What an event shows to be in order. After a restart a tracker does not know what it once doubted."""
        if isinstance(event, Press):
            device = self._of_control.get(event.control, "")
            trouble = self.troubles.get(device)
            if trouble is not None and trouble.control in ("", event.control):
                self._mend((device,))
        elif isinstance(event, ShakerCycled | ShakerFailed):
            self._mend((SWITCHES,))
        elif isinstance(event, PocketRead):
            self._mend((READER,))
        elif isinstance(event, WheelRested) and event.located and event.fault is None:
            self._mend(WHEEL)
        elif isinstance(event, RotorTurned):
            self._mend(ENCODER)
        elif isinstance(event, BallLeftTrack) and event.fault is None:
            self._mend(BALL)
            if self._two_beams and event.rotor is not None:
                self._mend(ENCODER)

    def _mend(self, devices: Iterable[str]) -> None:
        for device in devices:
            self.troubles.pop(device, None)

    def listed(self) -> list[Device]:
        """Every sensor and device with its state, and whatever else is wrong."""
        names = (*self.names, *(name for name in self.troubles if name not in self.names))
        return [self._line(name) for name in names]

    def _line(self, name: str) -> Device:
        trouble = self.troubles.get(name)
        if trouble is None:
            return {"device": name, "state": Health.OK.value, "detail": ""}
        return {"device": name, "state": trouble.state.value, "detail": trouble.detail}
