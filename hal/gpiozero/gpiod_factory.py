"""gpiozero's pins on the kernel's GPIO lines, through libgpiod 2. Pin factory ``gpiod`` (see ``factories.py``).

A line is requested when gpiozero first makes a pin an input or an output, and released when its device closes.
One thread reads the edges of all watched pins, with the kernel's stamps, and calls back, as gpiozero does.
Kernel: https://docs.kernel.org/userspace-api/gpio/chardev.html
"""

import logging
import os
import select
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import gpiod
from gpiod.line import Bias, Direction, Edge, Value
from gpiozero import PinFixedPull, PinInvalidBounce, PinInvalidFunction, PinInvalidPull, PinSetInput
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from hal.errors import PinError

log = logging.getLogger(__name__)

CONSUMER = "table-controller"
HEADERS = frozenset({"pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"})
"""Labels of the header's chips: of a Pi 5, a Pi 4, and earlier ones."""
BUFFER_EDGES = 64
"""The edges that the kernel buffers for one pin. After more bounces the settled contact is read again."""
NS_PER_S = 1_000_000_000
DEVICES = Path("/dev")

_BIAS = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
_EDGE = {"both": Edge.BOTH, "rising": Edge.RISING, "falling": Edge.FALLING, "none": Edge.NONE}
_GONE = select.EPOLLERR | select.EPOLLHUP
_FLOATS = gpiod.LineSettings(direction=Direction.INPUT, bias=Bias.DISABLED)


def header_chip() -> Path:
    """The header's chip. Its number depends on board and kernel, its label only on the board.

    Raises:
        PinError: there is none; the message lists the existing chips.
        OSError: a chip cannot be opened.
    """
    labels: dict[str, Path] = {}
    for path in sorted(DEVICES.glob("gpiochip*")):
        with gpiod.Chip(str(path)) as chip:
            labels.setdefault(chip.get_info().label, path)
    for label in HEADERS & labels.keys():
        return labels[label]
    raise PinError(
        f"no GPIO chip is that of a Raspberry Pi's header; there are: {', '.join(labels) or 'none at all'}; "
        "run the table on a Raspberry Pi, or write the number of a /dev/gpiochip* as the option chip"
    )


class GpiodFactory(LocalPiFactory):  # type: ignore[misc] # gpiozero comes without types.
    """Pins of a chip.

    Args:
        chip: number N of /dev/gpiochipN; None for the header's.

    Raises:
        PinError, OSError: there is no such chip, or it may not be used.
        PinUnknownPi: gpiozero does not know this board.
    """

    def __init__(self, chip: int | None = None) -> None:
        super().__init__()
        assert self.board_info  # Raises PinUnknownPi for an unknown board, before its chips are searched.
        self.chip = gpiod.Chip(str(header_chip() if chip is None else DEVICES / f"gpiochip{chip}"))
        self.ears = Ears()
        self.pin_class = GpiodPin

    def close(self) -> None:
        """Release all lines. Idempotent; the pins of a closed factory cannot be used again."""
        super().close()
        self.ears.close()
        self.chip.close()


class Ears:
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
                    pin.hear(lost=bool(what & _GONE))


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
        self._function = "input"
        self._pull: str = self.info.pull or "floating"
        self._bounce: float | None = None
        self._edges = "both"
        self._watching = False
        self._level = False
        """The level of an output."""

    def close(self) -> None:
        """Let the pin float and release its line. The pin can be used again."""
        with self._when_changed_lock:
            request, self._request = self._request, None
            self._when_changed = None
            self._reset()
            if request is None:
                return
            self.factory.ears.forget(request.fd)
            # Some kernels keep the level of an output after its release, others do not.
            with suppress(OSError):
                request.reconfigure_lines({self._number: _FLOATS})
            request.release()

    # -- the line ----------------------------------------------------------------------------------------------

    def _settings(self) -> gpiod.LineSettings:
        if self._function == "output":
            return gpiod.LineSettings(direction=Direction.OUTPUT, output_value=Value(int(self._level)))
        return gpiod.LineSettings(
            direction=Direction.INPUT,
            bias=_BIAS[self._pull],
            edge_detection=_EDGE[self._edges] if self._watching else Edge.NONE,
            debounce_period=timedelta(seconds=self._bounce or 0),
        )

    def _apply(self) -> None:
        """Configure the line for the pin, in one step, so that there is no state in between."""
        settings, request = self._settings(), self._request
        if request is None:
            self._request = self.factory.chip.request_lines(
                {self._number: settings}, consumer=CONSUMER, event_buffer_size=BUFFER_EDGES
            )
        else:
            request.reconfigure_lines({self._number: settings})

    def _line(self) -> gpiod.LineRequest:
        if self._request is None:
            self._apply()
        assert self._request is not None
        return self._request

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
            self._check_pull(pull)
            self._function, self._pull = "input", pull
            self._apply()

    def _get_function(self) -> str:
        return self._function

    def _set_function(self, value: str) -> None:
        if value == "input":
            self.input_with_pull(self._pull)
        elif value == "output":
            self.output_with_state(False)
        else:
            raise PinInvalidFunction(f"{self!r} can be input or output, and not {value}")

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
        with self._when_changed_lock:
            if self._function != "input":
                raise PinFixedPull(f"{self!r} is an output and cannot be pulled")
            self._check_pull(value)
            self._pull = value
            self._apply()

    def _check_pull(self, value: str) -> None:
        if value not in _BIAS:
            raise PinInvalidPull(f"{self!r} can be pulled up, down or be floating, and not {value}")
        if self.info.pull not in ("", value):
            raise PinFixedPull(f"{self!r} has a resistor that pulls it {self.info.pull}")

    def _get_bounce(self) -> float | None:
        return self._bounce

    def _set_bounce(self, value: float | None) -> None:
        if value is not None and value < 0:
            raise PinInvalidBounce(f"{self!r} cannot bounce for {value} s")
        with self._when_changed_lock:
            self._bounce = value
            self._apply()

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, value: str) -> None:
        with self._when_changed_lock:
            self._edges = value
            self._apply()

    # -- edges -------------------------------------------------------------------------------------------------

    def _enable_event_detect(self) -> None:
        self._watching = True
        self._apply()
        self.factory.ears.watch(self._line().fd, self)

    def _disable_event_detect(self) -> None:
        self.factory.ears.forget(self._line().fd)
        self._watching = False
        self._apply()

    def hear(self, lost: bool) -> None:
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
                self.factory.ears.forget(request.fd)
            for event in events:
                if self._when_changed is not None:  # The callback may close the device.
                    rises = event.event_type is gpiod.EdgeEvent.Type.RISING_EDGE
                    self._call_when_changed(event.timestamp_ns / NS_PER_S, rises)
