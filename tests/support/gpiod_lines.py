"""A GPIO chip's lines as the kernel and libgpiod show them, with their far ends.

The requests, their descriptors and the rules of who may have a line are the kernel's.
"""

import errno
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from types import SimpleNamespace

import gpiod
import pytest
from gpiod.line import Bias, Direction, Edge, Value

from hal.errors import HalError
from hal.gpiod import edges
from hal.gpiozero.gpiod_factory import GpiodFactory
from hal.gpiozero.pins import pin_factory

PI_4 = 0xC03115
CHIP, LABEL = "/dev/gpiochip0", "pinctrl-bcm2711"
_SEEN = {True: (Edge.RISING, Edge.BOTH), False: (Edge.FALLING, Edge.BOTH)}
_KINDS = {True: gpiod.EdgeEvent.Type.RISING_EDGE, False: gpiod.EdgeEvent.Type.FALLING_EDGE}


class Request:
    """Lines, requested. Its descriptor is ready while there are edges to read."""

    def __init__(self, lines: "Lines", settings: Mapping[int, gpiod.LineSettings]) -> None:
        self._lines = lines
        self.settings = dict(settings)
        self.fd, self._far = os.pipe()
        self._edges: list[SimpleNamespace] = []
        self._seen = 0
        self.gone = self.mute = False

    def saw(self, offset: int, high: bool, at_ns: int) -> None:
        if self.settings[offset].edge_detection in _SEEN[high]:
            self._seen += 1
            edge = {"line_offset": offset, "event_type": _KINDS[high], "timestamp_ns": at_ns}
            self._edges.append(SimpleNamespace(**edge, global_seqno=self._seen))
            os.write(self._far, b"x")

    def is_taken_away(self, mute: bool = False) -> None:
        """From now on its descriptor is always ready, and every call fails.

        Args:
            mute: waiting for edges is no error.
        """
        self.gone, self.mute = True, mute
        os.close(self._far)

    def get_values(self, offsets: list[int]) -> list[Value]:
        self._check(*offsets)
        return [Value(int(self._lines.level(offset))) for offset in offsets]

    def get_value(self, offset: int) -> Value:
        return self.get_values([offset])[0]

    def set_value(self, offset: int, value: Value) -> None:
        self._check(offset)
        if self.settings[offset].direction is not Direction.OUTPUT:
            raise PermissionError(errno.EPERM, "Operation not permitted")
        self.settings[offset].output_value = value
        self._lines.settle()

    def reconfigure_lines(self, config: Mapping[int, gpiod.LineSettings]) -> None:
        self._check(*config)
        for offset, settings in config.items():
            if self.drives(offset) and settings.bias is Bias.DISABLED:  # Nothing pulls it anywhere else.
                self._lines.far[offset] = self._lines.level(offset)
            self.settings[offset] = settings
        self._lines.settle()

    def drives(self, offset: int) -> bool:
        return self.settings[offset].direction is Direction.OUTPUT

    def wait_edge_events(self, timeout: timedelta) -> bool:
        assert timeout == timedelta(), "the reader of all lines waits for none"
        if not self.mute:
            self._check()
        return bool(self._edges)

    def read_edge_events(self, _most: int) -> list[SimpleNamespace]:
        self._check()
        edges, self._edges = self._edges, []
        os.read(self.fd, len(edges))
        return edges

    def release(self) -> None:
        for offset in self.settings:
            assert self._lines.requests.pop(offset) is self
        os.close(self.fd)
        with suppress(OSError):
            os.close(self._far)

    def _check(self, *offsets: int) -> None:
        assert self.settings.keys() >= {*offsets}
        if self.gone:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))


class Lines:
    """The lines of a chip.

    Attributes:
        far: the levels that are put on lines from outside, or what gives them.
        history: every level that a requested line has had.
        driven: every level that an output has had.
        held: the lines that other programs hold.
        labels: each chip's label, or the number of the error that opening it raises.
        now_ns: the kernel's clock.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(gpiod, "Chip", self._open)
        monkeypatch.setattr(GpiodFactory, "_get_revision", lambda factory: PI_4)
        monkeypatch.setattr(edges, "DEVICES", SimpleNamespace(glob=lambda _pattern: self.labels))
        pin_factory.cache_clear()
        self.labels: dict[str, str | int] = {CHIP: LABEL}
        self.opened: list[str] = []
        self.requests: dict[int, Request] = {}
        self.far: dict[int, bool | Callable[[], bool]] = {}
        self.history: dict[int, list[bool]] = {}
        self.driven: set[tuple[int, bool]] = set()
        self.held: set[int] = set()
        self.now_ns = time.monotonic_ns

    def drive(self, number: int, high: bool) -> None:
        self.far[number] = high
        self.settle()

    def level(self, number: int) -> bool:
        request = self.requests.get(number)
        if request is not None and request.drives(number):
            return request.settings[number].output_value is Value.ACTIVE
        if number in self.far:
            far = self.far[number]
            return far if isinstance(far, bool) else far()
        return request is not None and request.settings[number].bias is Bias.PULL_UP

    def settle(self) -> None:
        """Report the present levels of the lines to their watchers."""
        for number, request in self.requests.items():
            levels, level = self.history.setdefault(number, []), self.level(number)
            if request.drives(number):
                self.driven.add((number, level))
            if not levels or levels[-1] != level:
                levels.append(level)
                if len(levels) > 1:
                    request.saw(number, level, self.now_ns())

    def end(self) -> None:
        """After a test."""
        with suppress(HalError):
            pin_factory("gpiod").close()
        GpiodFactory._reservations.clear()  # All of gpiozero's factories share them.
        pin_factory.cache_clear()

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

    def line_offset_from_id(self, line: int) -> int:
        return line

    def get_line_info(self, offset: int) -> SimpleNamespace:
        return SimpleNamespace(used=offset in self.held)

    def request_lines(
        self, config: Mapping[int, gpiod.LineSettings], consumer: str, event_buffer_size: int
    ) -> Request:
        if config.keys() & {*self.requests, *self.held}:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        made = Request(self, config)
        self.requests |= dict.fromkeys(config, made)
        self.settle()
        return made
