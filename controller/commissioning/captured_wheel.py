"""A wheel recorded by a logic analyser, for ``calibrate --capture``: all of its edges at once."""

from collections.abc import Callable
from pathlib import Path
from typing import cast

from config.schema import HeadDevice
from controller.commissioning.wheel_recording import WheelRecording
from hal.interfaces import EdgeSource, Timer
from hal.registry import open_device

_EVER_NS = 1 << 62


class _Never:
    def cancel(self) -> None:
        pass


class _AtTheEnd:
    """A clock on which the recording begins, and then is over."""

    def __init__(self) -> None:
        self.at_ns = 0

    def now_ns(self) -> int:
        return self.at_ns

    def utc_ns(self) -> int:
        return self.at_ns

    def call_at(self, at_ns: int, action: Callable[[], None]) -> Timer:
        return _Never()  # Whoever reads the recording asks for all of it.


def captured(file: Path, head: HeadDevice, backwards: bool) -> WheelRecording:
    """Read a VCD file.

    Args:
        head: the table's sensor head, which says what lines there are.
        backwards: whether the encoder counts backwards.

    Raises:
        HalError: the file cannot be read, or lacks a line.
    """
    clock = _AtTheEnd()
    source = cast(EdgeSource, open_device("edges", "capture", head, {"file": str(file)}, clock))
    try:
        recording = WheelRecording(source.levels(), backwards)
        source.start(recording.feed)
        clock.at_ns = _EVER_NS
        source.poll()
    finally:
        source.close()
    return recording
