"""The ``options`` of a sensor head on GPIO lines. See :mod:`hal.gpiod.edges`."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class GpiodSettings(BaseModel):
    """The fields of ``options``."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    chip: str = Field(
        "pinctrl-bcm2711", min_length=1, description="label of the GPIO chip (see gpiodetect), or its path"
    )
    lines: dict[str, str] = Field(
        default_factory=dict, description="names of the kernel's lines in place of the pins' numbers, by line"
    )
    bias: Literal["pull-up", "pull-down", "disabled", "as-is"] = Field(
        "pull-up", description="pull resistor of all lines, inside the chip"
    )
    active_low: list[str] = Field(default_factory=list, description="lines whose sensor pulls them low")
    debounce_us: dict[str, Annotated[int, Field(ge=0, le=5000)]] = Field(
        default_factory=dict, description="how long the kernel waits for a line to settle, in microseconds, by line"
    )


MOST_COUNTED_US = 50
"""Of a line that is counted: the fastest wheel changes one every 73 microseconds."""
_UNCOUNTED = ("clapper", "ball_1", "ball_2")


def misfits(wiring: Any, settings: GpiodSettings) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Lines that are not wired, two sensors on one line of the kernel, and filters that swallow edges."""
    wired = {name: pin for name, pin in wiring.pins if pin is not None}
    for key in ("lines", "active_low", "debounce_us"):
        given = getattr(settings, key)
        for name in (one for one in given if one not in wired):
            place = ("options", key, *([name] if isinstance(given, dict) else []))
            yield place, f"the line '{name}' is not wired", f"use: {', '.join(wired)}"
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


MISFITS: Mapping[str, Callable[..., Any]] = {"edges": misfits, "rotor": misfits}
SETTINGS: Mapping[str, type[BaseModel]] = {"edges": GpiodSettings, "rotor": GpiodSettings}
