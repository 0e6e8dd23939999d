"""The ``options`` of a chain of shift registers. See :mod:`hal.hc595.panel`."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, Field, model_validator

from hal.gpiozero.settings import PinSettings

CHIP_SELECT: Literal["chip_select"] = "chip_select"

_SPI_PINS = {7: "chip select 1", 8: "chip select 0", 9: "data-out", 10: "data", 11: "clock"}
"""The pins that the kernel uses when SPI is enabled."""

SpiPin = Annotated[int, Field(ge=2, le=27)]


def _pin_or_chip_select(value: object) -> object:
    if value == CHIP_SELECT or (str(value).isdecimal() and 2 <= int(str(value)) <= 27):
        return value
    raise ValueError(f"'{value}' is neither a pin nor chip_select; write 2 to 27 or chip_select")


class Hc595Settings(PinSettings):
    """The fields of ``options``."""

    registers: int = Field(ge=1, le=64, description="how many registers are in the chain")
    latch_pin: Annotated[SpiPin | Literal["chip_select"], BeforeValidator(_pin_or_chip_select)] = Field(
        description="pin that is wired to RCLK, or chip_select if that is"
    )
    port: int = Field(0, ge=0, le=0, description="SPI port; gpiozero knows SPI0 only")
    device: int = Field(
        0, ge=0, le=1, description="device on the SPI port: 0 with GPIO8 as chip select, 1 with GPIO7"
    )
    speed_hz: int = Field(500_000, ge=10_000, le=10_000_000, description="clock of the SPI, for long wires lower")
    clock_pin: SpiPin | None = Field(None, description="pin that is wired to SRCLK, if that is not SPI0")
    data_pin: SpiPin | None = Field(
        None, description="pin that is wired to SER of the first register, as clock_pin"
    )
    data_out_pin: SpiPin | None = Field(None, description="pin that is wired to QH' of the last one, as clock_pin")
    read_back: bool = Field(True, description="whether QH' of the last register is wired back to the Pi")
    active_high: bool = Field(True, description="true if a lamp burns while its output is high")

    @model_validator(mode="after")
    def wires_fit(self) -> Self:
        """Either SPI0 or pins; no pin for two purposes."""
        problem = self._problem_of_spi() if self.clock_pin is None else self._problem_of_pins()
        if problem:
            raise ValueError(problem)
        return self

    def _problem_of_spi(self) -> str:
        if self.data_pin is not None or self.data_out_pin is not None:
            return "clock_pin is missing; add it, or remove data_pin and data_out_pin to use SPI0"
        if self.latch_pin in _SPI_PINS:
            purpose = _SPI_PINS[self.latch_pin]
            return f"latch_pin {self.latch_pin} is SPI0's {purpose}; use another pin, or write chip_select"
        return ""

    def _problem_of_pins(self) -> str:
        if self.data_pin is None:
            return "data_pin is missing; add it, or remove clock_pin to use SPI0"
        if {"port", "device", "speed_hz"} & self.model_fields_set:
            return "both SPI0 and clock_pin are given; remove port, device and speed_hz, or clock_pin and data_pin"
        if self.latch_pin == CHIP_SELECT:
            return "chip_select requires SPI0; write the pin that is wired to RCLK"
        if self.read_back != (self.data_out_pin is not None):
            return "read_back and data_out_pin do not agree; add data_out_pin, or write read_back: false"
        wired = [
            pin for pin in (self.clock_pin, self.data_pin, self.data_out_pin, self.latch_pin) if pin is not None
        ]
        return "" if len(set(wired)) == len(wired) else "a pin is used twice; give each wire a pin of its own"


def further_pins(wiring: BaseModel, settings: Hc595Settings) -> list[tuple[tuple[str, ...], int]]:
    """The wires to the chain; with SPI0, all pins that the kernel uses for it."""
    named = {name: getattr(settings, name) for name in ("clock_pin", "data_pin", "data_out_pin", "latch_pin")}
    wires: list[tuple[tuple[str, ...], int]] = [
        (("options", name), pin) for name, pin in named.items() if isinstance(pin, int)
    ]
    if settings.clock_pin is None:
        wires += [(("backend",), pin) for pin in _SPI_PINS]
    return wires


def misfits(wiring: Any, settings: Hc595Settings) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Lamps beyond the chain."""
    last = 8 * settings.registers - 1
    for area, output in wiring.lamps.items():
        if output > last:
            message = (
                f"output {output} is beyond the chain: with registers: {settings.registers} it has 0 to {last}"
            )
            yield ("lamps", area), message, "correct the number, or registers"


MISFITS: Mapping[str, Callable[..., Any]] = {"panel": misfits}
SETTINGS: Mapping[str, type[BaseModel]] = {"panel": Hc595Settings}
FURTHER_PINS: Mapping[str, Callable[[BaseModel, Any], list[tuple[tuple[str, ...], int]]]] = {"panel": further_pins}
