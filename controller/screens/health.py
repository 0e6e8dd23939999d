"""The health of a table's sensors and devices, as its record tells it: in order until a fact says otherwise."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from config.schema import TableConfig
from controller.facts import (
    BallLeftTrack,
    Fact,
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
from controller.games.words import fault_words

ENCODER = ("encoder", "encoder_a", "encoder_b", "index")
"""What a tracker calls the lines of an encoder: all of it, a line, and the mark."""
WHEEL = (*ENCODER, "clapper")
BALL = ("ball_1", "ball_2", "ball beams")
PANEL, READER, SWITCHES = "panel", "reader", "switches"


@dataclass(frozen=True, slots=True)
class Trouble:
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


class Devices:
    """What is known of every sensor and device of a table."""

    def __init__(self, config: TableConfig) -> None:
        self.names = tuple(_devices(config))
        self.troubles: dict[str, Trouble] = {}
        self._of_control = dict(controls(config))
        self._two_beams = "ball_2" in self.names

    def device_of(self, fact: Fact) -> str:
        """The sensor or device that a fact finds fault with; empty if it is none."""
        if isinstance(fact, SensorHealth):
            return fact.sensor
        if isinstance(fact, KeyStuck):
            return self._of_control.get(fact.control, "")
        if isinstance(fact, PanelFault):
            return PANEL
        if isinstance(fact, ReaderFault):
            return READER
        fault = fact.fault if isinstance(fact, WheelRested | BallLeftTrack) else None
        return fault.sensor if fault is not None else ""

    def take(self, fact: Fact) -> None:
        """Take a fact: something is wrong, or proves to be in order."""
        if isinstance(fact, SensorHealth) and fact.health is not Health.OK:
            self.troubles[fact.sensor] = Trouble(fact.health, fact.detail)
        elif isinstance(fact, SensorHealth):
            self._mend((fact.sensor,))
        elif isinstance(fact, KeyStuck):
            device = self._of_control.get(fact.control, fact.control)
            self.troubles[device] = Trouble(Health.STUCK, fault_words(fact), fact.control)
        elif isinstance(fact, PanelFault):
            state = Health.GONE if fact.detail else Health.STUCK
            self.troubles[PANEL] = Trouble(state, fault_words(fact).removeprefix("panel: "))
        elif isinstance(fact, ReaderFault):
            self.troubles[READER] = Trouble(Health.NOISY, fact.detail)
        elif self.troubles:
            self._prove(fact)

    def lit(self) -> None:
        """The panel was lit anew; if it does not burn as it should, the next fact says so."""
        self._mend((PANEL,))

    def _prove(self, fact: Fact) -> None:
        """What a fact shows to be in order. After a restart a tracker does not know what it once doubted."""
        if isinstance(fact, Press):
            device = self._of_control.get(fact.control, "")
            trouble = self.troubles.get(device)
            if trouble is not None and trouble.control in ("", fact.control):
                self._mend((device,))
        elif isinstance(fact, ShakerCycled | ShakerFailed):
            self._mend((SWITCHES,))
        elif isinstance(fact, PocketRead):
            self._mend((READER,))
        elif isinstance(fact, WheelRested) and fact.located and fact.fault is None:
            self._mend(WHEEL)
        elif isinstance(fact, RotorTurned):
            self._mend(ENCODER)
        elif isinstance(fact, BallLeftTrack) and fact.fault is None:
            self._mend(BALL)
            if self._two_beams and fact.rotor is not None:
                self._mend(ENCODER)

    def _mend(self, devices: Iterable[str]) -> None:
        for device in devices:
            self.troubles.pop(device, None)

    def listed(self) -> list[dict[str, object]]:
        """Every sensor and device with its state, and whatever else is wrong."""
        names = (*self.names, *(name for name in self.troubles if name not in self.names))
        return [self._line(name) for name in names]

    def _line(self, name: str) -> dict[str, object]:
        trouble = self.troubles.get(name)
        if trouble is None:
            return {"device": name, "state": Health.OK.value, "detail": ""}
        return {"device": name, "state": trouble.state.value, "detail": trouble.detail}
