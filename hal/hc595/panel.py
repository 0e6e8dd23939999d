"""Lamps on a chain of 74HC595 shift registers. Backend ``hc595``.

Data sheet: https://www.ti.com/lit/ds/symlink/sn74hc595.pdf. With the SPI of the Pi (data GPIO10, clock GPIO11,
data-out GPIO9), which must be enabled (``dtparam=spi=on``)::

    panel:
      backend: hc595
      options:
        registers: 2         # 16 outputs
        latch_pin: 25        # RCLK; or chip_select: RCLK is wired to the chip select (GPIO8 for device 0)
      lamps: {small: 0, big: 7, total-4: 8, total-17: 15}

With any other pins: ``clock_pin``, ``data_pin``, ``latch_pin`` and, for read-back, ``data_out_pin``.

Output n is bit n of the chain, counted from the register nearest to the Pi; QA is the lowest bit of a register::

                 register 0                   register 1                    register r
              +-------------+              +-------------+               +-------------+
    data ---->| SER     QH' |------------->| SER     QH' |----> ... ---->| SER     QH' |----> data-out
              | QA  QB . QH |              | QA  QB . QH |               | QA  QB . QH |
              +--+---+----+-+              +--+---+----+-+               +--+---+----+-+
      output     0   1 .. 7                   8   9 .. 15                  8r    .. 8r + 7

    clock ---> SRCLK of all      latch ---> RCLK of all      OE to ground      SRCLR to 3.3 V

The highest output is shifted in first, output 0 last: the frame is the number whose bit n is output n, sent with
its highest byte first and, in a byte, the highest bit first. What comes out is the former frame, in the same order.
When the latch rises, the outputs take over what was shifted in.

**Read-back** shifts the frame in a second time, with a mark before it. If the mark comes out after the chain's
former content, that content is valid. If not, the chain is broken (a broken wire reads as all zeros or all ones) or
of another length, and the state of its lamps is unknown: that is an error. Read-back reads the shift registers and
not their outputs: a broken latch wire, driver or lamp is not detected.

Supply the registers with 3.3 V: at 5 V they do not read 3.3 V as high, and data-out destroys the pin of the Pi.
Pull the latch to ground with a resistor: lamps then stay as they are while no program runs, also after the panel
was closed. Opening it turns all lamps off.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from gpiozero import OutputDevice
from gpiozero.exc import GPIOPinInUse
from pydantic import BaseModel

from hal.errors import HalError, PinError, UnknownLineError
from hal.gpiozero.error_messages import explained, release_devices
from hal.gpiozero.factories import PinFactory, pin_factory
from hal.hc595.chain import Shifter, SoftwareSpi, hardware_spi
from hal.hc595.settings import CHIP_SELECT, Hc595Settings
from hal.interfaces import Clock, LampPanel

MARK = 0xA5
"""Shifted in before the frame; a broken wire does not produce it."""

_CHAIN = "lamp chain"


@contextmanager
def _named() -> Iterator[None]:
    """Turns errors of the libraries into HalErrors that name the chain."""
    try:
        yield
    except HalError as error:
        release_devices(error)
        raise
    except GPIOPinInUse as error:  # Of several pins, gpiozero names the one.
        release_devices(error)
        raise PinError(f"{_CHAIN}: {error}; give each device pins of its own") from error
    except Exception as error:  # Each of the libraries has errors of its own.
        raise explained(_CHAIN, error) from error


def open_device(wiring: BaseModel, settings: Hc595Settings, clock: Clock) -> LampPanel:
    """Open the pins, and make all lamps dark.

    Raises:
        HalError: a lamp has a number that the chain does not have, or the pins cannot be opened.
    """
    lamps: dict[str, int] = getattr(wiring, "lamps", {})
    _check_outputs(lamps, settings.registers)
    factory = pin_factory(_CHAIN, settings)
    with _named():
        shifter = _shifter(factory, settings)
        try:
            pin = settings.latch_pin
            latch = None if pin == CHIP_SELECT else OutputDevice(pin, pin_factory=factory)
        except BaseException:
            shifter.close()
            raise
    panel = Hc595Panel(lamps, shifter, latch, settings)
    try:
        panel.show(frozenset())
    except BaseException:
        panel.close()
        raise
    return panel


def _check_outputs(lamps: Mapping[str, int], registers: int) -> None:
    last = registers * 8 - 1
    for area, number in lamps.items():
        if number > last:
            raise HalError(
                f"lamp chain: lamp '{area}' is on output {number}, but with registers: {registers} there are "
                f"outputs 0 to {last}; correct its number, or registers"
            )


def _shifter(factory: PinFactory, settings: Hc595Settings) -> Shifter:
    if settings.clock_pin is None or settings.data_pin is None:
        return hardware_spi(factory, settings.port, settings.device, settings.speed_hz)
    return SoftwareSpi(factory, settings.clock_pin, settings.data_pin, settings.data_out_pin)


class Hc595Panel:
    """Lamps on the outputs of a chain.

    Args:
        latch: raises RCLK; without it the chip select does, at the end of every transfer.
    """

    def __init__(
        self, lamps: Mapping[str, int], shifter: Shifter, latch: OutputDevice | None, settings: Hc595Settings
    ) -> None:
        self._lamps = dict(lamps)
        self._shifter = shifter
        self._latch = latch
        self._settings = settings
        self._dark = 0 if settings.active_high else (1 << settings.registers * 8) - 1
        self._frame = self._frame_of(0)

    def show(self, areas: frozenset[str]) -> None:
        unknown = areas - self._lamps.keys()
        if unknown:
            raise UnknownLineError(f"lamp chain: no lamp for {', '.join(sorted(unknown))}")
        self._frame = self._frame_of(sum(1 << number for number in {self._lamps[area] for area in areas}))
        with _named():
            self._shifter.transfer(self._frame)
            if self._latch is not None:
                self._latch.on()
                self._latch.off()

    def read_back(self) -> frozenset[str] | None:
        if not self._settings.read_back:
            return None
        with _named():
            *held, mark = self._shifter.transfer([MARK, *self._frame])
        if mark != MARK:
            raise HalError(_broken([*held, mark]))
        burning = int.from_bytes(bytes(held), "big") ^ self._dark
        return frozenset(area for area, number in self._lamps.items() if burning >> number & 1)

    def close(self) -> None:
        self._shifter.close()
        if self._latch is not None:
            self._latch.close()

    def _frame_of(self, burning: int) -> list[int]:
        """The words to shift in: the highest output first."""
        return list((burning ^ self._dark).to_bytes(self._settings.registers, "big"))


def _broken(came: list[int]) -> str:
    what = {0x00: "all zeros", 0xFF: "all ones"}.get(came[0], "") if len(set(came)) == 1 else ""
    return (
        f"lamp chain: data-out reads {what or 'other bits than were shifted in'}; check the wires data, clock and "
        "data-out, the power of the registers, and that there are as many as registers says "
        "(if data-out is not wired, write read_back: false)"
    )
