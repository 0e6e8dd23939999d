"""The connection to a chain of shift registers, over SPI or any pins."""

import os
import warnings
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

from gpiozero import InputDevice, OutputDevice
from gpiozero.exc import SPISoftwareFallback

from hal.errors import HalError
from hal.gpiozero.factories import PinFactory
from hal.libraries import needs


class Shifter(Protocol):
    """Shifts words of 8 bits into the chain, the highest bit first, and gives back what comes out of its end."""

    def transfer(self, data: Sequence[int]) -> Sequence[int]: ...

    def close(self) -> None: ...


def hardware_spi(factory: PinFactory, port: int, device: int, speed_hz: int) -> Shifter:
    """The Pi's SPI peripheral, in mode 0: what comes out is sampled as the clock rises, before the chain has moved.

    gpiozero falls back to software if the peripheral is unavailable; here that is an error.

    Raises:
        HalError: the peripheral is unavailable; the message gives the cause.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error", SPISoftwareFallback)
        try:
            spi = factory.spi(port=port, device=device)
        except SPISoftwareFallback as fallback:
            raise why_no_spi(Path(f"/dev/spidev{port}.{device}"), fallback.__context__ or fallback) from fallback
    try:
        spi.clock_mode = 0
        spi.rate = speed_hz
    except BaseException:
        spi.close()
        raise
    shifter: Shifter = spi
    return shifter


def why_no_spi(node: Path, cause: BaseException) -> HalError:
    """Why the kernel's SPI device cannot be used, and the remedy."""
    if isinstance(cause, ImportError):
        return needs("lamp chain: SPI", "spidev")
    if not node.exists():
        return HalError(
            f"lamp chain: there is no {node}: SPI is not enabled; run sudo raspi-config nonint do_spi 0, or write "
            "dtparam=spi=on in /boot/firmware/config.txt, and restart"
        )
    if not os.access(node, os.R_OK | os.W_OK):
        return HalError(f"lamp chain: no permission for {node}; run: sudo usermod -aG spi USER, and restart")
    return HalError(f"lamp chain: {node} cannot be opened ({cause}); end the program that uses it")


class SoftwareSpi:
    """Clock and data on any pins, as fast as Python sets them: some ten thousand bits a second.

    gpiozero's own software SPI (2.0.1, ``SPISoftwareBus``) cannot read a shift register: it samples data-out after
    the clock has risen, when the chain has moved on, and so loses the first bit. It also loads the global pin
    factory, whichever factory it was given.
    """

    def __init__(self, factory: PinFactory, clock_pin: int, data_pin: int, data_out_pin: int | None) -> None:
        with ExitStack() as opened:
            self._clock = opened.enter_context(OutputDevice(clock_pin, pin_factory=factory))
            self._data = opened.enter_context(OutputDevice(data_pin, pin_factory=factory))
            self._data_out = None
            if data_out_pin is not None:  # Pulled down, so that a broken wire reads as zeros and not as anything.
                pin = InputDevice(data_out_pin, pull_up=False, pin_factory=factory)
                self._data_out = opened.enter_context(pin)
            self._opened = opened.pop_all()

    def transfer(self, data: Sequence[int]) -> list[int]:
        return [self._shift(word) for word in data]

    def _shift(self, word: int) -> int:
        came = 0
        for place in reversed(range(8)):
            self._data.value = word >> place & 1
            came = came << 1 | (self._data_out.value if self._data_out is not None else 0)
            self._clock.on()
            self._clock.off()
        return came

    def close(self) -> None:
        self._opened.close()
