"""The ``options`` of a sensor head on GPIO lines. See :mod:`hal.gpiod.edges`."""

from collections.abc import Mapping
from typing import Literal

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
    debounce_us: dict[str, int] = Field(
        default_factory=dict, description="how long the kernel waits for a line to settle, in microseconds, by line"
    )


SETTINGS: Mapping[str, type[BaseModel]] = {"edges": GpiodSettings, "rotor": GpiodSettings}
