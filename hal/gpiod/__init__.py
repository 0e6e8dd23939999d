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

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from hal.interfaces import Clock, EdgeSource
from hal.registry import Driver, FurtherPins, Misfits

MOST_COUNTED_US = 50
"""The longest filter of a line that is counted: the fastest wheel changes one every 73 microseconds."""
_UNCOUNTED = ("clapper", "ball_1", "ball_2")


class GpiodSettings(BaseModel):
    """The ``options`` of a sensor head."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    chip: str = Field(
        "pinctrl-bcm2711", min_length=1, description="label of the GPIO chip (see gpiodetect), or its path"
    )
    lines: dict[str, Annotated[str, Field(min_length=1)]] = Field(
        default_factory=dict, description="names of the kernel's lines in place of the pins' numbers, by line"
    )
    bias: Literal["pull-up", "pull-down", "disabled", "as-is"] = Field(
        "pull-up", description="pull resistor of all lines, inside the chip"
    )
    active_low: list[str] = Field(default_factory=list, description="lines whose sensor pulls them low")
    debounce_us: dict[str, Annotated[int, Field(ge=0, le=5000)]] = Field(
        default_factory=dict, description="how long the kernel waits for a line to settle, in microseconds, by line"
    )


def _misfits(wiring: Any, settings: GpiodSettings) -> Misfits:
    """Lines that are not wired, two sensors on one line of the kernel, and filters that swallow edges."""
    wired = {name: pin for name, pin in wiring.pins if pin is not None}
    for key in ("lines", "active_low", "debounce_us"):
        given = getattr(settings, key)
        for name in (one for one in given if one not in wired):
            keys = ("options", key, *([name] if isinstance(given, dict) else []))
            yield keys, f"the line '{name}' is not wired", f"use: {', '.join(wired)}"
    used: dict[str, str] = {}
    for name, pin in wired.items():
        line = settings.lines.get(name, f"GPIO{pin}")
        if line in used and {name, used[line]} & settings.lines.keys():
            at = name if name in settings.lines else used[line]
            yield ("options", "lines", at), f"{used[line]} and {name} are both on {line}", "name another line"
        used.setdefault(line, name)
    for name, period_us in settings.debounce_us.items():
        if name in wired and name not in _UNCOUNTED and period_us > MOST_COUNTED_US:
            message = f"{period_us} is too long: edges of a fast wheel would be lost"
            yield ("options", "debounce_us", name), message, f"use 0 to {MOST_COUNTED_US}"


def _pins(wiring: Any, settings: GpiodSettings) -> FurtherPins:
    """Pins of the header by the names that the kernel of a Raspberry Pi gives them."""
    named = {name: line.removeprefix("GPIO") for name, line in settings.lines.items() if line.startswith("GPIO")}
    own = {pin for _, pin in wiring.pins}
    return [
        (("options", "lines", name), int(pin))
        for name, pin in named.items()
        if pin.isascii() and pin.isdigit() and int(pin) not in own
    ]


def _open_head(wiring: Any, settings: GpiodSettings, clock: Clock) -> EdgeSource:
    from hal.gpiod.edges import GpiodHead

    wired = {name: pin for name, pin in wiring.pins if pin is not None}
    return GpiodHead({name: settings.lines.get(name, pin) for name, pin in wired.items()}, settings, clock)


DRIVERS = dict.fromkeys(("edges", "rotor"), Driver(GpiodSettings, _open_head, _misfits, _pins))
