"""The ``options`` of recorded devices."""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field


class CaptureSettings(BaseModel):
    """The fields of ``options``."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    file: str = Field(min_length=1, description="the VCD file")


SETTINGS: Mapping[str, type[BaseModel]] = dict.fromkeys(("edges", "rotor", "keys", "switches"), CaptureSettings)
