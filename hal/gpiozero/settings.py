"""The ``options`` of devices on the header's pins."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

FIRST_PIN, LAST_PIN = 2, 27
"""The BCM numbers of the 40-pin header that are free for use."""
HeaderPin = Annotated[int, Field(ge=FIRST_PIN, le=LAST_PIN, description="BCM number of a pin of the 40-pin header")]


class PinSettings(BaseModel):
    """Options of every device of this backend."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    pin_factory: Literal["gpiod", "lgpio", "rpigpio", "pigpio", "native"] = Field(
        "gpiod",
        description="the library that gpiozero drives the pins with; gpiod and lgpio know every Raspberry Pi",
    )
    chip: int | None = Field(
        None,
        ge=0,
        le=31,
        description="number N of the header's /dev/gpiochipN, for gpiod and lgpio; without it the chip is found",
    )

    @model_validator(mode="after")
    def _some_choose_a_chip(self) -> Self:
        if self.chip is not None and self.pin_factory not in ("gpiod", "lgpio"):
            raise ValueError(f"{self.pin_factory} has no choice of chips; remove `chip`, or use pin_factory: gpiod")
        return self


class GpiozeroKeysSettings(PinSettings):
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

    active: Literal["low", "high"] = Field(
        "low", description="the level that a switch closes to: low is ground, high is 3.3 V"
    )
    active_high: tuple[str, ...] = Field((), description="switches that close to 3.3 V whatever `active` says")
    bounce_ms: int = Field(10, ge=1, le=100, description="how long a contact must stay as it is, milliseconds")


class TamperSettings(PinSettings):
    """Options of the contacts of door and cabinet."""

    active: Literal["low", "high"] = Field(
        "low", description="the level of a closed contact: low is ground, high is 3.3 V; a cut wire is an open one"
    )
    bounce_ms: int = Field(20, ge=1, le=100, description="how long a contact must stay as it is, milliseconds")
    latch_active: Literal["low", "high"] = Field(
        "low", description="the level of a latch that remembers an opening"
    )
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


def panel_pins(wiring: BaseModel, settings: PanelSettings) -> list[tuple[tuple[str, ...], int]]:
    """Every lamp is on a pin, and every line for reading back."""
    lamps: dict[str, int] = getattr(wiring, "lamps", {})
    read_back = settings.read_back_pins.items()
    return [
        *((("lamps", area), pin) for area, pin in lamps.items()),
        *((("options", "read_back_pins", area), pin) for area, pin in read_back),
    ]


def switch_misfits(wiring: Any, settings: SwitchesSettings) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Switches that are not wired."""
    for name in settings.active_high:
        if name not in wiring.pins:
            yield ("options", "active_high"), f"'{name}' is no switch", f"use: {', '.join(wiring.pins)}"


def panel_misfits(wiring: Any, settings: PanelSettings) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Outputs are BCM numbers of pins, and every lamp is read back, or none."""
    read_back = settings.read_back_pins
    for area, pin in wiring.lamps.items():
        if not FIRST_PIN <= pin <= LAST_PIN:
            yield ("lamps", area), f"{pin} is no pin of the header", f"use {FIRST_PIN} to {LAST_PIN}"
        if read_back and area not in read_back:
            yield ("options", "read_back_pins"), f"no pin reads back the lamp '{area}'", "add one, or give none"
    for area in read_back:
        if area not in wiring.lamps:
            yield ("options", "read_back_pins", area), f"there is no lamp '{area}'", "correct the name"


MISFITS: Mapping[str, Callable[..., Any]] = {"switches": switch_misfits, "panel": panel_misfits}
SETTINGS: Mapping[str, type[BaseModel]] = {
    "keys": GpiozeroKeysSettings,
    "switches": SwitchesSettings,
    "tamper": TamperSettings,
    "panel": PanelSettings,
    "sounder": SounderSettings,
}
FURTHER_PINS: Mapping[str, Callable[[BaseModel, Any], list[tuple[tuple[str, ...], int]]]] = {"panel": panel_pins}
