"""Sensor heads on GPIO lines: edges with the kernel's time stamps and numbers, by libgpiod 2. Backend ``gpiod``.

.. code-block:: yaml

    head: # or rotor
      backend: gpiod
      options:
        chip: pinctrl-bcm2711 # pinctrl-rp1 on a Pi 5; see: gpiodetect
        bias: pull-up
        debounce_us: {clapper: 300}
      pins: {encoder_a: 17, encoder_b: 27, index: 22, clapper: 23}

Kernel: https://docs.kernel.org/userspace-api/gpio/chardev.html
"""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from hal.interfaces import Clock, EdgeSource
from hal.registry import Driver, Keys

LineName = Literal["encoder_a", "encoder_b", "index", "clapper", "ball_1", "ball_2"]
Bouncing = Literal["index", "clapper", "ball_1", "ball_2"]
"""Lines that may be debounced. An encoder's edges come too fast: a filter would swallow them."""


class GpiodSettings(BaseModel):
    """The ``options`` of a sensor head."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    chip: str = Field(
        "pinctrl-bcm2711", min_length=1, description="label of the GPIO chip (see gpiodetect), or its path"
    )
    lines: dict[LineName, Annotated[str, Field(min_length=1)]] = Field(
        default_factory=dict, description="names of the kernel's lines in place of the pins' numbers, by line"
    )
    bias: Literal["pull-up", "pull-down", "disabled", "as-is"] = Field(
        "pull-up", description="pull resistor of all lines, inside the chip"
    )
    active_low: list[LineName] = Field(default_factory=list, description="lines whose sensor pulls them low")
    debounce_us: dict[Bouncing, Annotated[int, Field(ge=0, le=1000)]] = Field(
        default_factory=dict,
        description="how long the kernel waits for a line to settle, in microseconds, by line; not for the encoder,"
        " whose edges it would swallow",
    )

    @field_validator("lines")
    @classmethod
    def _each_line_once(cls, lines: dict[str, str]) -> dict[str, str]:
        twice = [name for name, times in Counter(lines.values()).items() if times > 1]
        if twice:
            raise ValueError(f"the kernel's line {twice[0]} is given to two lines; correct one of them")
        return lines


def _not_wired(wiring: Any, settings: GpiodSettings) -> Iterator[tuple[Keys, str, str]]:
    """The options name only lines that are wired."""
    wired = [name for name, pin in wiring.pins if pin is not None]
    for key in ("lines", "active_low", "debounce_us"):
        for name in getattr(settings, key):
            if name not in wired:
                yield ("options", key), f"the line '{name}' is not wired", f"use: {', '.join(wired)}"


def _open_head(wiring: Any, settings: GpiodSettings, clock: Clock) -> EdgeSource:
    from hal.gpiod.edges import GpiodHead

    wired = {name: pin for name, pin in wiring.pins if pin is not None}
    return GpiodHead({name: settings.lines.get(name, pin) for name, pin in wired.items()}, settings, clock)


DRIVERS = dict.fromkeys(("edges", "rotor"), Driver(GpiodSettings, _open_head, _not_wired))
