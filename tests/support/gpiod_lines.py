"""A GPIO chip's lines as the kernel and libgpiod show them, with their far ends, for pin factory ``gpiod``.

The requests, their descriptors and the rules of who may have a line are the kernel's. A pin of
:class:`HandledFactory` has the hands that gpiozero's mock pins have.
"""

import errno
import os
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from types import SimpleNamespace

import gpiod
import pytest
from gpiod.line import Bias, Direction, Edge, Value

from hal.gpiod import edges
from hal.gpiozero.gpiod_factory import GpiodFactory, GpiodPin

PI_4 = 0xC03115
LABEL = "pinctrl-bcm2711"
DEVICES = SimpleNamespace(glob=lambda _pattern: ["/dev/gpiochip0"])
_PULLS = {Bias.PULL_UP: True, Bias.PULL_DOWN: False}
_SEEN = {True: (Edge.RISING, Edge.BOTH), False: (Edge.FALLING, Edge.BOTH)}


class Request:
    """One line, requested. Its descriptor is ready while there are edges to read."""

    def __init__(self, lines: "Lines", offset: int, settings: gpiod.LineSettings) -> None:
        self._lines = lines
        self._offset = offset
        self.settings = settings
        self.fd, self._far = os.pipe()
        self._edges: list[SimpleNamespace] = []
        self.gone = self.mute = False

    def saw(self, high: bool, at_ns: int) -> None:
        if high in _SEEN and self.settings.edge_detection in _SEEN[high]:
            kind = gpiod.EdgeEvent.Type.RISING_EDGE if high else gpiod.EdgeEvent.Type.FALLING_EDGE
            self._edges.append(SimpleNamespace(event_type=kind, timestamp_ns=at_ns))
            os.write(self._far, b"x")

    def is_taken_away(self, mute: bool = False) -> None:
        """From now on its descriptor is always ready, and every call fails.

        Args:
            mute: it is hung up and has no edges, and reading them is no error.
        """
        self.gone, self.mute = True, mute
        if mute:
            os.close(self._far)
        else:
            os.write(self._far, b"x")

    def get_value(self, offset: int) -> Value:
        self._check(offset)
        return Value(int(self._lines.level(offset)))

    def set_value(self, offset: int, value: Value) -> None:
        self._check(offset)
        if self.settings.direction is not Direction.OUTPUT:
            raise PermissionError(errno.EPERM, "Operation not permitted")
        self.settings.output_value = value
        self._lines.settle()

    def reconfigure_lines(self, config: Mapping[int, gpiod.LineSettings]) -> None:
        ((offset, self.settings),) = config.items()
        self._check(offset)
        self._lines.settle()

    def wait_edge_events(self, timeout: timedelta) -> bool:
        assert timeout == timedelta(), "the reader of all lines waits for none"
        if not self.mute:
            self._check(self._offset)
        return bool(self._edges)

    def read_edge_events(self, _most: int) -> list[SimpleNamespace]:
        self._check(self._offset)
        edges, self._edges = self._edges, []
        os.read(self.fd, len(edges))
        return edges

    def release(self) -> None:
        assert self._lines.requests.pop(self._offset) is self
        os.close(self.fd)
        if not self.mute:
            os.close(self._far)

    def _check(self, offset: int) -> None:
        assert offset == self._offset
        if self.gone:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))


class Lines:
    """The lines of a chip.

    Attributes:
        hands: the levels that are put on lines from outside.
        wires: of the inputs that are wired to an output, which.
        history: every level that a line has had since it was first looked at.
        held: the lines that other programs hold.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(gpiod, "Chip", self._open)
        monkeypatch.setattr(GpiodFactory, "_get_revision", lambda factory: PI_4)
        self.labels: dict[str, str | int] = {"/dev/gpiochip0": LABEL}
        """Each chip's label, or the number of the error that opening it raises."""
        monkeypatch.setattr(edges, "DEVICES", DEVICES)
        self.opened: list[str] = []
        self.requests: dict[int, Request] = {}
        self.hands: dict[int, bool] = {}
        self.wires: dict[int, int] = {}
        self.history: dict[int, list[bool]] = {}
        self.held: set[int] = set()

    def drive(self, number: int, high: bool) -> None:
        self.hands[number] = high
        self.settle()

    def level(self, number: int) -> bool:
        request = self.requests.get(number)
        if request is not None and request.settings.direction is Direction.OUTPUT:
            return request.settings.output_value is Value.ACTIVE
        if number in self.wires:
            return self.level(self.wires[number])
        if number in self.hands:
            return self.hands[number]
        return request is not None and _PULLS.get(request.settings.bias, False)

    def settle(self) -> None:
        """Report the present levels of the lines to their watchers."""
        for number in self.requests:
            levels = self.history.setdefault(number, [])
            level = self.level(number)
            if not levels or levels[-1] != level:
                moved = bool(levels)
                levels.append(level)
                if moved:
                    self.requests[number].saw(level, time.monotonic_ns())

    def _open(self, path: str) -> "Lines":
        label = self.labels.get(path, errno.ENOENT)
        if isinstance(label, int):
            raise OSError(label, os.strerror(label), path)
        self.opened.append(path)
        return self

    # -- as gpiod.Chip -----------------------------------------------------------------------------------------

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *_error: object) -> None:
        """Nothing to give back."""

    def close(self) -> None:
        """As for gpiod, requests outlive the chip that they were made of."""

    def get_info(self) -> SimpleNamespace:
        return SimpleNamespace(label=self.labels[self.opened[-1]])

    def request_lines(
        self, config: Mapping[int, gpiod.LineSettings], consumer: str, event_buffer_size: int
    ) -> Request:
        ((offset, settings),) = config.items()
        if offset in self.requests or offset in self.held:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        self.requests[offset] = Request(self, offset, settings)
        self.settle()
        return self.requests[offset]


class HandledPin(GpiodPin):
    """A pin, and control of the far end of its line."""

    factory: "HandledFactory"

    def drive_high(self) -> None:
        self.factory.lines.drive(self._number, True)

    def drive_low(self) -> None:
        self.factory.lines.drive(self._number, False)


class HandledFactory(GpiodFactory):
    """Pin factory ``gpiod`` on such lines."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        super().__init__()
        self.pin_class = HandledPin

    def close(self) -> None:
        super().close()
        self._reservations.clear()  # All of gpiozero's factories share them.


class MatrixLines(Lines):
    """The lines of a matrix keypad: a column is low if keys join it to a row that is pulled low."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, columns: Mapping[int, Callable[[set[int]], bool]]) -> None:
        super().__init__(monkeypatch)
        self._columns = columns

    def level(self, number: int) -> bool:
        if number not in self._columns:
            return super().level(number)
        low = {offset for offset, one in self.requests.items() if self._drives_low(one)}
        return not self._columns[number](low)

    @staticmethod
    def _drives_low(request: Request) -> bool:
        return request.settings.direction is Direction.OUTPUT and request.settings.output_value is Value.INACTIVE
