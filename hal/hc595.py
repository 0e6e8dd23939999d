"""Lamps on a chain of 74HC595 shift registers, on the SPI of the Raspberry Pi. Backend ``hc595``.

.. code-block:: yaml

    panel:
      backend: hc595
      options:
        registers: 1 # 8 outputs
        device: 0 # GPIO8 is the chip select; 1: GPIO7
      lamps: {1: 0, 2: 1, 5: 2, 10: 3, 20: 4, 40: 7}

Data sheet: https://www.ti.com/lit/ds/symlink/sn74hc595.pdf. SPI must be enabled (``dtparam=spi=on``). Output n is
bit n of the chain, counted from the register nearest to the Pi; QA is the lowest bit of a register::

                  register 0                   register 1                    register r
               +-------------+              +-------------+               +-------------+
    GPIO10 --->| SER     QH' |------------->| SER     QH' |----> ... ---->| SER     QH' |----> GPIO9
               | QA  QB . QH |              | QA  QB . QH |               | QA  QB . QH |
               +--+---+----+-+              +--+---+----+-+               +--+---+----+-+
      output      0   1 .. 7                   8   9 .. 15                  8r    .. 8r + 7

    GPIO11 ---> SRCLK of all    chip select ---> RCLK of all    OE to ground    SRCLR to 3.3 V

The highest output is shifted in first, output 0 last: the frame is the number whose bit n is output n, sent with
its highest byte first. What comes out is the former frame, in the same order. When the chip select rises at the end
of a transfer, the outputs take over what was shifted in.

**Read-back** shifts the frame in a second time, with a mark before it. If the mark comes out after the chain's
former content, that content is valid. If not, the chain is broken (a broken wire reads as all zeros or all ones) or
of another length, and the state of its lamps is unknown: that is an error. Read-back reads the shift registers and
not their outputs: a broken wire to RCLK, a broken driver or a broken lamp is not detected.

Supply the registers with 3.3 V: at 5 V they do not read 3.3 V as high, and data-out destroys the pin of the Pi.
Lamps stay as they are when the panel is closed. Opening it turns all lamps off.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from hal.errors import HalError, UnknownLineError, why_not
from hal.interfaces import Clock, LampPanel
from hal.registry import Driver, FurtherPins, Misfits, lamps_beyond

MARK = 0xA5
"""Shifted in before the frame; a broken wire does not produce it."""
SPI_PINS = (7, 8, 9, 10, 11)
"""The pins that the kernel uses when SPI is enabled."""


class Hc595Settings(BaseModel):
    """The ``options`` of a chain."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    registers: int = Field(ge=1, le=64, description="how many registers are in the chain")
    device: int = Field(
        0, ge=0, le=1, description="SPI0's chip select that is wired to RCLK: 0 is GPIO8, 1 is GPIO7"
    )
    speed_hz: int = Field(500_000, ge=10_000, le=10_000_000, description="clock of the SPI, for long wires lower")
    read_back: bool = Field(True, description="whether QH' of the last register is wired to GPIO9")
    active_high: bool = Field(True, description="true if a lamp burns while its output is high")


def _misfits(wiring: Any, settings: Hc595Settings) -> Misfits:
    return lamps_beyond(wiring.lamps, settings.registers * 8, f"the chain: registers: {settings.registers} has")


def _pins(wiring: Any, settings: Hc595Settings) -> FurtherPins:
    return [(("backend",), pin) for pin in SPI_PINS]


def _open_panel(wiring: Any, settings: Hc595Settings, clock: Clock) -> LampPanel:
    import spidev

    node = f"/dev/spidev0.{settings.device}"
    with _named(node):
        spi = spidev.SpiDev()
        spi.open(0, settings.device)
    panel = Hc595Panel(wiring.lamps, spi, node, settings)
    try:
        with _named(node):
            spi.mode, spi.max_speed_hz = 0, settings.speed_hz
        panel.show(frozenset())
    except HalError:
        panel.close()
        raise
    return panel


@contextmanager
def _named(node: str) -> Iterator[None]:
    """Turns the kernel's errors into HalErrors with a remedy."""
    try:
        yield
    except OSError as error:
        remedy = (
            "enable SPI: run sudo raspi-config nonint do_spi 0, or write dtparam=spi=on in "
            "/boot/firmware/config.txt, and restart"
        )
        raise HalError(f"lamp chain: {why_not('SPI device', node, error, 'spi', remedy)}") from error


class Hc595Panel:
    """Lamps on the outputs of a chain.

    Args:
        spi: as spidev's SpiDev, in mode 0: it samples data-out as the clock rises, before the chain has moved.
        node: its device file, for messages.
    """

    def __init__(self, lamps: Mapping[str, int], spi: Any, node: str, settings: Hc595Settings) -> None:
        self._lamps, self._spi, self._node, self._settings = dict(lamps), spi, node, settings
        self._dark = 0 if settings.active_high else (1 << settings.registers * 8) - 1
        self._frame = self._frame_of(0)

    def show(self, areas: frozenset[str]) -> None:
        if unknown := areas - self._lamps.keys():
            raise UnknownLineError(f"lamp chain: no lamp for {', '.join(sorted(unknown))}")
        self._frame = self._frame_of(sum(1 << number for number in {self._lamps[area] for area in areas}))
        self._transfer(self._frame)

    def read_back(self) -> frozenset[str] | None:
        if not self._settings.read_back:
            return None
        *held, mark = came = self._transfer([MARK, *self._frame])
        if mark != MARK:
            what = {0x00: "all zeros", 0xFF: "all ones"}.get(mark, "") if len(set(came)) == 1 else ""
            raise HalError(
                f"lamp chain: data-out reads {what or 'other bits than were shifted in'}; check the wires data, "
                "clock and data-out, the power of the registers, and that there are as many as registers says "
                "(if data-out is not wired, write read_back: false)"
            )
        burning = int.from_bytes(bytes(held), "big") ^ self._dark
        return frozenset(area for area, number in self._lamps.items() if burning >> number & 1)

    def close(self) -> None:
        self._spi.close()

    def _transfer(self, words: list[int]) -> list[int]:
        with _named(self._node):
            return list(self._spi.xfer2(list(words)))

    def _frame_of(self, burning: int) -> list[int]:
        """The words to shift in: the highest output first."""
        return list((burning ^ self._dark).to_bytes(self._settings.registers, "big"))


DRIVERS = {"panel": Driver(Hc595Settings, _open_panel, _misfits, _pins)}
