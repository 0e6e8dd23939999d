"""A sensor head on GPIO lines of the Raspberry Pi.

All lines of a head are one request, so that their edges come in the order in which the kernel saw them, with its
time stamps and numbers over the whole head: a gap in the numbers is a buffer that overflowed.
"""

import asyncio
from array import array
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import gpiod
from gpiod.line import Bias, Clock, Direction, Edge, Value

from hal.errors import HalError, why_not
from hal.events import LINES, EdgeBatch, FaultEvent
from hal.gpiod import GpiodSettings
from hal.interfaces import Clock as TableClock
from hal.interfaces import Timer

DEVICES = Path("/dev")
CONSUMER = "table-controller"
BUFFER_EDGES = 1024
"""The most edges that the kernel buffers for one request, whatever size is requested."""
PAUSE_NS = 4_000_000
"""Between two batches: some 25 edges of a wheel at its fastest, a fortieth of what the kernel keeps."""
_BIAS = {
    "pull-up": Bias.PULL_UP,
    "pull-down": Bias.PULL_DOWN,
    "disabled": Bias.DISABLED,
    "as-is": Bias.AS_IS,
}
_RISING = gpiod.EdgeEvent.Type.RISING_EDGE
Line = int | str
"""A line of the chip: its offset, which is the BCM number on a Pi, or the name that the kernel gives it."""


class GpiodHead:
    """One request for all lines of a sensor head.

    Args:
        lines: the chip's line of each of the head's lines, by the name that the configuration uses.
    """

    def __init__(self, lines: Mapping[str, Line], settings: GpiodSettings, clock: TableClock) -> None:
        self._chip = settings.chip
        self._clock = clock
        path = find_chip(settings.chip)
        with _explained(settings.chip, path), gpiod.Chip(path) as chip:
            offsets = {name: _offset(chip, name, line) for name, line in lines.items()}
            for name, offset in offsets.items():
                _check_free(chip, settings.chip, name, offset)
            self._request = chip.request_lines(
                {offset: _line_settings(name, settings) for name, offset in offsets.items()},
                consumer=CONSUMER,
                event_buffer_size=BUFFER_EDGES,
            )
        self._offsets = {LINES[name]: offset for name, offset in offsets.items()}
        self._letters = {offset: ord(letter) for letter, offset in self._offsets.items()}
        self._deliver: Callable[[EdgeBatch], None] | None = None
        self._lost: Callable[[FaultEvent], None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pause: Timer | None = None

    def levels(self) -> dict[str, bool]:
        values = self._request.get_values(list(self._offsets.values()))
        return {letter: value is Value.ACTIVE for letter, value in zip(self._offsets, values, strict=True)}

    def start(self, deliver: Callable[[EdgeBatch], None], lost: Callable[[FaultEvent], None] | None = None) -> None:
        self._deliver = deliver
        self._lost = lost
        self._loop = asyncio.get_running_loop()
        self._listen()

    def poll(self) -> None:
        try:
            while self._deliver is not None and self._request.wait_edge_events(timedelta()):
                self._read()
        except OSError as error:
            self._gone(error)

    def close(self) -> None:
        self._stop()
        if self._request:
            self._request.release()

    def _listen(self) -> None:
        self._pause = None
        if self._loop is not None:
            self._loop.add_reader(self._request.fd, self._ready)

    def _ready(self) -> None:
        """Read, and let the kernel buffer some edges before the next call: one call per edge is expensive."""
        if self._loop is not None:
            self._loop.remove_reader(self._request.fd)
            self._pause = self._clock.call_at(self._clock.now_ns() + PAUSE_NS, self._listen)
        self._read()

    def _stop(self) -> None:
        if self._deliver is not None and self._loop is not None:
            self._loop.remove_reader(self._request.fd)
        if self._pause is not None:
            self._pause.cancel()
        self._deliver = self._loop = None

    def _gone(self, error: OSError) -> None:
        """The kernel removed the chip: its descriptor would stay readable without any data."""
        self._stop()
        if self._lost is not None:
            detail = f"the GPIO chip {self._chip} is gone: {error.strerror}; connect it and start the table again"
            self._lost(FaultEvent(detail, self._clock.now_ns()))

    def _read(self) -> None:
        """Deliver the kernel's buffered edges as one batch."""
        try:
            events = self._request.read_edge_events(BUFFER_EDGES)
        except OSError as error:
            self._gone(error)
            return
        if not events or self._deliver is None:
            return
        letters = self._letters
        edges = bytes(letters[event.line_offset] | (0 if event.event_type is _RISING else 0x20) for event in events)
        stamps = array("q", [event.timestamp_ns for event in events])
        self._deliver(EdgeBatch(edges, stamps, [event.global_seqno for event in events]))


# -- finding chip and lines ----------------------------------------------------------------------------------------


def find_chip(*chips: str) -> str:
    """The path of the first chip with one of these labels; a path stays as it is.

    Numbers change with the kernel, labels do not. Other chips need not be usable by this user.

    Raises:
        HalError: no chip has such a label; the message lists the existing ones, and those that cannot be read.
    """
    if chips[0].startswith("/"):
        return chips[0]
    found: dict[str, str] = {}
    unread: list[str] = []
    for path in sorted(map(str, DEVICES.glob("gpiochip*"))):
        try:
            with gpiod.Chip(path) as opened:
                found.setdefault(opened.get_info().label, path)
        except OSError as error:
            unread.append(f"{path} ({error.strerror})")
    for chip in chips:
        if chip in found:
            return found[chip]
    wanted = " or ".join(f"'{chip}'" for chip in chips)
    there = f"there are: {', '.join(found) or 'none at all'}"
    if unread:
        raise HalError(
            f"no GPIO chip is labelled {wanted}; {there}; and these cannot be read: {', '.join(unread)}. "
            "Add the user to the group gpio, or correct `chip` under options"
        )
    raise HalError(f"no GPIO chip is labelled {wanted}; {there}. Correct `chip` under options")


def _offset(chip: gpiod.Chip, name: str, line: Line) -> int:
    """The offset of a line.

    Raises:
        HalError: the chip has no such line.
    """
    try:
        return int(chip.line_offset_from_id(line))
    except (OSError, ValueError) as error:
        info = chip.get_info()
        raise HalError(
            f"{name}: the GPIO chip {info.label} has no line '{line}'; it has {info.num_lines}, see: gpioinfo"
        ) from error


def _check_free(chip: gpiod.Chip, label: str, name: str, offset: int) -> None:
    info = chip.get_line_info(offset)
    if info.used:
        raise HalError(
            f"{name}: pin {offset} of {label} is held by '{info.consumer or 'the kernel'}'; "
            "stop that program, or use another pin"
        )


def _line_settings(name: str, settings: GpiodSettings) -> gpiod.LineSettings:
    return gpiod.LineSettings(
        direction=Direction.INPUT,
        edge_detection=Edge.BOTH,
        bias=_BIAS[settings.bias],
        active_low=name in settings.active_low,
        debounce_period=timedelta(
            microseconds=sum(us for line, us in settings.debounce_us.items() if line == name)
        ),
        event_clock=Clock.MONOTONIC,
    )


@contextmanager
def _explained(chip: str, path: str) -> Iterator[None]:
    """Turns the kernel's errors into HalErrors with a remedy."""
    try:
        yield
    except OSError as error:
        raise HalError(why_not(f"GPIO chip {chip}", path, error, "gpio", "see: gpiodetect, gpioinfo")) from error
