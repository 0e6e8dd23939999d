"""The ``options`` of lamps on Modbus modules. See :mod:`hal.modbus.panel`."""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

Parity = Literal["even", "odd", "none"]


class Unit(BaseModel):
    """A module on the line."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    unit: int = Field(ge=1, le=247, description="the module's address, as set on it")
    outputs: int = Field(ge=1, le=512, description="how many coils it has")
    first_coil: int = Field(0, ge=0, le=65_000, description="the coil of its first output, counted from 0")


class ModbusSettings(BaseModel):
    """The fields of ``options``."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    port: str = Field(min_length=1, description="serial port of the RS-485 line, for example /dev/ttyUSB0")
    units: tuple[Unit, ...] = Field(min_length=1, max_length=32, description="the modules, in the outputs' order")
    baud_rate: int = Field(19_200, ge=1200, le=1_000_000, description="baud rate, as set on the modules")
    parity: Parity = Field("even", description="parity, as set on the modules: even, odd or none")
    stop_bits: int | None = Field(
        None, ge=1, le=2, description="stop bits; without it 1, or 2 where there is no parity"
    )
    timeout_ms: int = Field(100, ge=10, le=1000, description="how long a module may take to begin its answer")
    retries: int = Field(1, ge=0, le=5, description="requests that may be repeated each time lamps are set or read")

    @field_validator("units")
    @classmethod
    def no_coil_twice(cls, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
        """A module may be listed twice, with different coils."""
        for one, other in combinations(units, 2):
            if (
                one.unit == other.unit
                and one.first_coil < other.first_coil + other.outputs
                and other.first_coil < one.first_coil + one.outputs
            ):
                raise ValueError(
                    f"coils of unit {one.unit} are listed twice; give each module an address of its own"
                )
        return units


def misfits(wiring: Any, settings: ModbusSettings) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Lamps beyond the modules."""
    last = sum(unit.outputs for unit in settings.units) - 1
    for area, output in wiring.lamps.items():
        if output > last:
            message = f"output {output} is beyond the modules under units, which have outputs 0 to {last}"
            yield ("lamps", area), message, "correct the number, or the modules"


MISFITS: Mapping[str, Callable[..., Any]] = {"panel": misfits}
SETTINGS: Mapping[str, type[BaseModel]] = {"panel": ModbusSettings}
