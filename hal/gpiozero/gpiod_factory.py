"""gpiozero's pins on the kernel's GPIO lines, through libgpiod 2. Pin factory ``gpiod``.

It exists because gpiozero's own choice for every Raspberry Pi, lgpio, has no package for Python 3.13. It has only
what this backend uses: inputs with a pull and both edges, and outputs.

A line is requested when gpiozero first makes a pin an input or an output, and released when its device closes.
One thread reads the edges of all watched pins, with the kernel's stamps, and calls back, as gpiozero does.
Kernel: https://docs.kernel.org/userspace-api/gpio/chardev.html
"""

import logging
import os
import select
from contextlib import suppress
from datetime import timedelta
from threading import Thread
from typing import Any

import gpiod
from gpiod.line import Bias, Direction, Edge, Value
from gpiozero import PinFixedPull, PinInvalidFunction, PinSetInput
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from hal.gpiod.edges import CONSUMER, find_chip

log = logging.getLogger(__name__)

HEADERS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the header's chips: of a Pi 5, a Pi 4, and earlier ones."""
BUFFER_EDGES = 64
"""The edges that the kernel buffers for one pin. After more bounces the settled contact is read again."""
_BIAS = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
_GONE = select.EPOLLERR | select.EPOLLHUP
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
        self.edges = EdgeThread()
        self.pin_class = GpiodPin

    def close(self) -> None:
        """Release all lines. Idempotent; the pins of a closed factory cannot be used again."""
        super().close()
        self.edges.close()
        self.chip.close()


class EdgeThread:
    """The thread that reads the edges of all watched pins. It starts with the first of them."""

    def __init__(self) -> None:
        self._poll = select.epoll()
        self._end = os.eventfd(0)
        self._poll.register(self._end, select.EPOLLIN)
        self._watched: dict[int, GpiodPin] = {}
        self._thread: Thread | None = None

    def watch(self, descriptor: int, pin: "GpiodPin") -> None:
        """Call a pin from now on when its line has edges to read."""
        self._watched[descriptor] = pin
        self._poll.register(descriptor, select.EPOLLIN)
        if self._thread is None:
            # A table that ends without closing its devices, as on an error, must not wait for it.
            self._thread = Thread(target=self._read_edges, name="gpio edges", daemon=True)
            self._thread.start()

    def forget(self, descriptor: int) -> None:
        """Stop watching a line. A descriptor that is not watched is no error."""
        if self._watched.pop(descriptor, None) is not None:
            self._poll.unregister(descriptor)

    def close(self) -> None:
        """End the thread; returns when it has ended. Idempotent."""
        if self._poll.closed:
            return
        os.eventfd_write(self._end, 1)
        if self._thread is not None:
            self._thread.join()
        self._poll.close()
        os.close(self._end)

    def _read_edges(self) -> None:
        while True:
            for descriptor, what in self._poll.poll():
                if descriptor == self._end:
                    return
                pin = self._watched.get(descriptor)
                if pin is not None:
                    pin.read_edges(lost=bool(what & _GONE))


class GpiodPin(LocalPiPin):  # type: ignore[misc] # gpiozero comes without types.
    """A pin on a line of its own.

    gpiozero's lock of the pin's callback guards the request, too: a request is used by one thread at a time, and
    while the lock is held, no callback runs.
    """

    factory: GpiodFactory

    def __init__(self, factory: GpiodFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._request: gpiod.LineRequest | None = None
        self._reset()

    def _reset(self) -> None:
        self._function, self._pull = "input", self.info.pull or "floating"
        self._watching = self._level = False
        """Whether edges are read, and the level of an output."""

    def close(self) -> None:
        """Let the pin float and release its line. The pin can be used again."""
        with self._when_changed_lock:
            request, self._request = self._request, None
            self._when_changed = None
            self._reset()
            if request is None:
                return
            self.factory.edges.forget(request.fd)
            # Some kernels keep the level of an output after its release, others do not.
            with suppress(OSError):
                request.reconfigure_lines({self._number: _FLOATS})
            request.release()

    def _line(self) -> gpiod.LineRequest:
        if self._request is None:
            self._apply()
        assert self._request is not None
        return self._request

    def _apply(self) -> None:
        """Configure the line for the pin, in one step, so that there is no state in between."""
        if self._function == "output":
            settings = gpiod.LineSettings(direction=Direction.OUTPUT, output_value=Value(int(self._level)))
        else:
            edges = Edge.BOTH if self._watching else Edge.NONE
            settings = gpiod.LineSettings(direction=Direction.INPUT, bias=_BIAS[self._pull], edge_detection=edges)
        if self._request is None:
            self._request = self.factory.chip.request_lines(
                {self._number: settings}, consumer=CONSUMER, event_buffer_size=BUFFER_EDGES
            )
        else:
            self._request.reconfigure_lines({self._number: settings})

    # -- called by gpiozero -----------------------------------------------------------------------------------

    def output_with_state(self, state: object) -> None:
        """Make it an output with this level from the beginning."""
        with self._when_changed_lock:
            self.when_changed = None
            self._function, self._level = "output", bool(state)
            self._apply()

    def input_with_pull(self, pull: str) -> None:
        """Make it an input with this pull from the beginning."""
        with self._when_changed_lock:
            self.when_changed = None
            if self.info.pull not in ("", pull):
                raise PinFixedPull(f"{self!r} has a resistor that pulls it {self.info.pull}")
            self._function, self._pull = "input", pull
            self._apply()

    def _get_function(self) -> str:
        return self._function

    def _set_function(self, value: str) -> None:
        if value != "input":
            raise PinInvalidFunction(f"{self!r} becomes an output by its level")
        self.input_with_pull(self._pull)

    def _get_state(self) -> bool:
        with self._when_changed_lock:
            return self._line().get_value(self._number) is Value.ACTIVE

    def _set_state(self, value: object) -> None:
        with self._when_changed_lock:
            if self._function != "output":
                raise PinSetInput(f"{self!r} is an input and cannot be set")
            self._level = bool(value)
            self._line().set_value(self._number, Value(int(self._level)))

    def _get_pull(self) -> str:
        return self._pull

    def _set_pull(self, value: str) -> None:
        self.input_with_pull(value)

    def _enable_event_detect(self) -> None:
        self._watching = True
        self._apply()
        self.factory.edges.watch(self._line().fd, self)

    def _disable_event_detect(self) -> None:
        self.factory.edges.forget(self._line().fd)
        self._watching = False
        self._apply()

    def read_edges(self, lost: bool) -> None:
        """Call back for the buffered edges, in the thread that reads them. ``lost``: the line is gone."""
        with self._when_changed_lock:
            events: list[gpiod.EdgeEvent] = []
            request = self._request
            if request is None:  # It was closed meanwhile.
                return
            try:
                if request.wait_edge_events(timedelta()):
                    events = request.read_edge_events(BUFFER_EDGES)
            except OSError:
                lost = True
            if lost:  # Its descriptor would stay readable without any data.
                log.critical("the line of %r is gone; start the table again", self)
                self.factory.edges.forget(request.fd)
            for event in events:
                if self._when_changed is not None:  # The callback may close the device.
                    rises = event.event_type is gpiod.EdgeEvent.Type.RISING_EDGE
                    self._call_when_changed(event.timestamp_ns / 1e9, rises)
