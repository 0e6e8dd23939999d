"""What the configuration may say of recorded devices, under ``options``."""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field


class Settings(BaseModel):
    """What the table's file may say under ``options``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    file: str = Field(min_length=1, description="the VCD file")


SETTINGS: Mapping[str, type[BaseModel]] = dict.fromkeys(("edges", "rotor", "keys", "switches"), Settings)
