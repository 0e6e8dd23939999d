"""The ``options`` of a keypad with a kernel driver. See :mod:`hal.evdev.keys`."""

from collections.abc import Mapping
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class EvdevSettings(BaseModel):
    """A keypad with a kernel driver."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    device: str | None = Field(
        None,
        pattern="^/",
        max_length=200,
        description="device file, best one of /dev/input/by-id/, which stays when plugs are changed",
    )
    name: str | None = Field(
        None,
        min_length=1,
        max_length=200,
        description="the device's name as the kernel reports it, instead of device",
    )
    grab: bool = Field(
        True, description="true if nobody else hears the keys; otherwise the digits reach a console too"
    )
    retry_s: float = Field(2.0, gt=0, le=60, description="how often a device that was unplugged is tried again")

    @model_validator(mode="after")
    def _one_device(self) -> Self:
        if (self.device is None) == (self.name is None):
            raise ValueError("which device is it?; write either `device` or `name`")
        return self


SETTINGS: Mapping[str, type[BaseModel]] = {"keys": EvdevSettings}
