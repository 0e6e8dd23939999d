"""Buttons, keypads, switches, lamps and a buzzer on the pins of the Raspberry Pi's header. Backend ``gpiozero``.

.. code-block:: yaml

    buttons:
      backend: gpiozero
      options: {pull_up: true, bounce_ms: 10} # a button closes to ground
      pins: {no-more-bets: 5, done: 6, clear: 13}
    keypad:
      backend: gpiozero
      options: {scan_ms: 10, debounce_scans: 2}
      rows: [16, 20, 21, 25]
      columns: [24, 18, 4]
      keys: [[1, 2, 3], [4, 5, 6], [7, 8, 9], [log-on, 0, enter]]
    switches:
      backend: gpiozero
      options: {active: low} # closes to ground; active_high: [shaker-fault] names those that close to 3.3 V
      pins: {floor-key: 26}
    tamper:
      backend: gpiozero
      options: {active: low} # a closed contact pulls the pin to ground, so a cut wire reads as an open contact
      contacts:
        door: {pin: 2, opens: alert}
        cabinet: {pin: 3, latch: 14} # a latch has a battery or capacitor of its own, as in docs/wiring.md
      latch_reset: 15
    panel:
      backend: gpiozero
      options: {active_high: true} # read_back_pins: {1: 23, ...} for all areas, or none
      lamps: {1: 7, 2: 8, 5: 9, 10: 10, 20: 11, 40: 19} # BCM numbers of pins
    sounder:
      backend: gpiozero
      options: {beep_ms: 120}
      pin: 12 # of a buzzer that sounds by itself when it is switched on

Pins are BCM numbers. A pin carries some milliamperes: lamps need drivers. Until the table opens its pins, and after
it closes them, they float: a driver needs a resistor of its own that keeps its lamp dark. A line for reading back
is read as soon as the lamps are set: it must follow its lamp within microseconds, as an optocoupler does and a
relay does not.

Library: https://gpiozero.readthedocs.io; pins: https://pinout.xyz
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from hal.interfaces import Clock, KeySource, LampPanel, Sounder, SwitchInput, TamperInput
from hal.registry import Driver, FurtherPins, Keys, Misfits

FIRST_PIN, LAST_PIN = 2, 27
"""The BCM numbers of the 40-pin header that are free for use."""
HeaderPin = Annotated[int, Field(ge=FIRST_PIN, le=LAST_PIN, description="BCM number of a pin of the 40-pin header")]
Level = Literal["low", "high"]


class PinSettings(BaseModel):
    """Options of every device on the header's pins."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    pin_factory: Literal["gpiod", "lgpio", "rpigpio"] = Field(
        "gpiod",
        description="library for the pins: gpiod or lgpio on every Raspberry Pi, rpigpio before the Pi 5",
    )


class KeysSettings(PinSettings):
    """Options of buttons and keypads."""

    pull_up: bool = Field(
        True, description="buttons: true if they close to ground, false if they close to 3.3 V; no keypad needs it"
    )
    bounce_ms: int = Field(
        10, ge=1, le=100, description="buttons: how long a contact must stay as it is, milliseconds"
    )
    scan_ms: int = Field(10, ge=2, le=50, description="keypad: how long a scan of all rows takes, milliseconds")
    debounce_scans: int = Field(
        2,
        ge=2,  # A key that moves during a scan tears it: a single scan may show a pattern that never was.
        le=10,
        description="keypad: a key counts once it reads alike in so many scans in a row",
    )


class SwitchesSettings(PinSettings):
    """Options of switches."""

    active: Level = Field("low", description="the level that a switch closes to: low is ground, high is 3.3 V")
    active_high: tuple[str, ...] = Field((), description="switches that close to 3.3 V whatever `active` says")
    bounce_ms: int = Field(10, ge=1, le=100, description="how long a contact must stay as it is, milliseconds")


class TamperSettings(PinSettings):
    """Options of the contacts of door and cabinet."""

    active: Level = Field(
        "low", description="the level of a closed contact: low is ground, high is 3.3 V; a cut wire is an open one"
    )
    bounce_ms: int = Field(20, ge=1, le=100, description="how long a contact must stay as it is, milliseconds")
    latch_active: Level = Field("low", description="the level of a latch that remembers an opening")
    reset_active_high: bool = Field(True, description="true if the latches are reset while latch_reset is high")
    reset_ms: int = Field(100, ge=1, le=1000, description="how long they are reset, milliseconds")


class PanelSettings(PinSettings):
    """Options of a panel."""

    active_high: bool = Field(True, description="true if a lamp burns while its pin is high")
    read_back_pins: dict[str, HeaderPin] = Field(
        {}, description="pin of the line that tells whether a lamp burns, by area: for all areas, or none"
    )
    read_back_active_high: bool = Field(True, description="true if such a line is high while its lamp burns")


class SounderSettings(PinSettings):
    """Options of a buzzer."""

    beep_ms: int = Field(120, ge=10, le=2000, description="how long a beep lasts, milliseconds")
    active_high: bool = Field(True, description="true if the buzzer sounds while its pin is high")


def _keys_misfits(wiring: Any, settings: KeysSettings) -> Misfits:
    if hasattr(wiring, "codes"):
        yield ("backend",), "gpiozero drives buttons and matrix keypads", "a keypad that sends codes needs another"


def _switches_misfits(wiring: Any, settings: SwitchesSettings) -> Misfits:
    for name in settings.active_high:
        if name not in wiring.pins:
            yield ("options", "active_high"), f"there is no switch '{name}'", f"there are: {', '.join(wiring.pins)}"


def _panel_misfits(wiring: Any, settings: PanelSettings) -> Misfits:
    for area, pin in wiring.lamps.items():
        if not FIRST_PIN <= pin <= LAST_PIN:
            yield ("lamps", area), f"{pin} is no pin of the header", f"use {FIRST_PIN} to {LAST_PIN}"
    read_back = settings.read_back_pins
    for area in sorted(read_back.keys() - wiring.lamps.keys()):
        yield ("options", "read_back_pins", area), f"'{area}' has no lamp", "correct the name"
    for area in sorted(wiring.lamps.keys() - read_back.keys()) if read_back else ():
        remedy = "give every area one, or none"
        yield ("options", "read_back_pins"), f"no pin to read back the lamp '{area}'", remedy


def _panel_pins(wiring: Any, settings: PanelSettings) -> FurtherPins:
    """Every lamp is on a pin, and every line for reading back."""
    lamps: list[tuple[Keys, int]] = [(("lamps", area), pin) for area, pin in wiring.lamps.items()]
    return [*lamps, *((("options", "read_back_pins", area), pin) for area, pin in settings.read_back_pins.items())]


def _open_keys(wiring: Any, settings: KeysSettings, clock: Clock) -> KeySource:
    if hasattr(wiring, "rows"):
        from hal.gpiozero.keypad import MatrixKeypad

        return MatrixKeypad(wiring.rows, wiring.columns, wiring.keys, settings, clock)
    from hal.gpiozero.contacts import buttons

    return buttons(wiring.pins, settings, clock)


def _open_switches(wiring: Any, settings: SwitchesSettings, clock: Clock) -> SwitchInput:
    from hal.gpiozero.contacts import switches

    return switches(wiring.pins, settings, clock)


def _open_tamper(wiring: Any, settings: TamperSettings, clock: Clock) -> TamperInput:
    from hal.gpiozero.contacts import GpioTamper

    return GpioTamper(wiring, settings, clock)


def _open_panel(wiring: Any, settings: PanelSettings, clock: Clock) -> LampPanel:
    from hal.gpiozero.outputs import GpioPanel

    return GpioPanel(wiring.lamps, settings)


def _open_sounder(wiring: Any, settings: SounderSettings, clock: Clock) -> Sounder:
    from hal.gpiozero.outputs import GpioSounder

    return GpioSounder(wiring.pin, settings, clock)


DRIVERS = {
    "keys": Driver(KeysSettings, _open_keys, _keys_misfits),
    "switches": Driver(SwitchesSettings, _open_switches, _switches_misfits),
    "tamper": Driver(TamperSettings, _open_tamper),
    "panel": Driver(PanelSettings, _open_panel, _panel_misfits, _panel_pins),
    "sounder": Driver(SounderSettings, _open_sounder),
}
