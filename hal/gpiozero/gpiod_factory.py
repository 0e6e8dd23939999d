"""gpiozero's pins on the kernel's GPIO lines, through libgpiod 2. Pin factory ``gpiod``.

It exists because gpiozero's own choice for every Raspberry Pi, lgpio, has no package for Python 3.13. It has only
what this backend uses: inputs with a pull and both edges, and outputs.

A line is requested when a pin first becomes an input or an output, and released when its device closes.
Edges are read in the event loop in which they are first watched, with the kernel's stamps. Kernel:
https://docs.kernel.org/userspace-api/gpio/chardev.html
"""

import asyncio
import logging
from contextlib import suppress
from datetime import timedelta

import gpiod
from gpiod.line import Bias, Direction, Edge, Value
from gpiozero import PinFixedPull
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from hal.gpiod.edges import CONSUMER, find_chip

log = logging.getLogger(__name__)

HEADERS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the header's chips: of a Pi 5, a Pi 4, and earlier ones."""
BUFFER_EDGES = 64
"""The edges that the kernel buffers for one pin. After more bounces the settled contact is read again."""
_BIAS = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
_FLOATS = gpiod.LineSettings(direction=Direction.INPUT, bias=Bias.DISABLED)


class GpiodFactory(LocalPiFactory):  # type: ignore[misc] # gpiozero comes without types.
    """Pins of the header.

    Raises:
        HalError, OSError: the header's chip is not there, or may not be used.
        PinUnknownPi: gpiozero does not know this board.
    """

    def __init__(self) -> None:
        super().__init__()
        assert self.board_info  # Raises PinUnknownPi for an unknown board, before its chips are searched.
        self.chip = gpiod.Chip(find_chip(*HEADERS))
        self.pin_class = GpiodPin

    def close(self) -> None:
        """Release all lines. Idempotent; the pins of a closed factory cannot be used again."""
        super().close()
        self.chip.close()


class GpiodPin(LocalPiPin):  # type: ignore[misc] # gpiozero comes without types.
    """A pin on a line of its own."""

    factory: GpiodFactory
    _request: gpiod.LineRequest | None = None
    _loop: asyncio.AbstractEventLoop | None = None
    """The loop in which edges are read, if they are."""

    def close(self) -> None:
        """Let the pin float and release its line. The pin can be used again."""
        request, self._request = self._request, None
        if request is not None:
            self._forget(request)
            # Some kernels keep the level of an output after its release, others do not.
            with suppress(OSError):
                request.reconfigure_lines({self._number: _FLOATS})
            request.release()
        self._when_changed = None

    # -- called by gpiozero -----------------------------------------------------------------------------------

    def output_with_state(self, state: object) -> None:
        """Make it an output with this level from the beginning."""
        self._configure(gpiod.LineSettings(direction=Direction.OUTPUT, output_value=Value(int(bool(state)))))

    def input_with_pull(self, pull: str) -> None:
        """Make it an input with this pull from the beginning."""
        if self.info.pull not in ("", pull):
            raise PinFixedPull(f"{self!r} has a resistor that pulls it {self.info.pull}")
        self._bias = _BIAS[pull]
        self._configure(gpiod.LineSettings(direction=Direction.INPUT, bias=self._bias))

    def _configure(self, settings: gpiod.LineSettings) -> None:
        """Configure the line in one step, so that there is no state in between."""
        if self._request is None:
            self._request = self.factory.chip.request_lines(
                {self._number: settings}, consumer=CONSUMER, event_buffer_size=BUFFER_EDGES
            )
        else:
            self._request.reconfigure_lines({self._number: settings})

    def _line(self) -> gpiod.LineRequest:
        assert self._request is not None
        return self._request

    def _get_state(self) -> bool:
        return self._line().get_value(self._number) is Value.ACTIVE

    def _set_state(self, value: object) -> None:
        self._line().set_value(self._number, Value(int(bool(value))))

    def _enable_event_detect(self) -> None:
        self._loop = asyncio.get_running_loop()
        edges = gpiod.LineSettings(direction=Direction.INPUT, bias=self._bias, edge_detection=Edge.BOTH)
        self._configure(edges)
        self._loop.add_reader(self._line().fd, self._read_edges)

    def _disable_event_detect(self) -> None:
        self._forget(self._line())

    def _forget(self, request: gpiod.LineRequest) -> None:
        loop, self._loop = self._loop, None
        if loop is not None:
            loop.remove_reader(request.fd)

    def _read_edges(self) -> None:
        """Call back for the buffered edges."""
        request, events = self._line(), list[gpiod.EdgeEvent]()
        with suppress(OSError):
            if request.wait_edge_events(timedelta()):
                events = request.read_edge_events(BUFFER_EDGES)
        if not events:  # The chip is gone: the descriptor would stay readable without any data.
            log.critical("the line of %r is gone; start the table again", self)
            self._forget(request)
        for event in events:
            if self._when_changed is not None:  # The callback may close the device.
                rises = event.event_type is gpiod.EdgeEvent.Type.RISING_EDGE
                self._call_when_changed(event.timestamp_ns / 1e9, rises)
