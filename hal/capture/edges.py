"""A recorded sensor head. Backend ``capture``: plays the lines of a VCD file, in the table's time.

The file's signals have the names of the lines: ``encoder_a``, ``encoder_b``, ``encoder_index`` (or ``index``),
``clapper``, ``ball_1``, ``ball_2``.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence

from pydantic import BaseModel

from hal.capture.recording import LevelChange, Recording, recording, until
from hal.capture.settings import CaptureSettings
from hal.errors import UnknownLineError
from hal.events import LINES, EdgeBatch, FaultEvent
from hal.interfaces import Clock, EdgeSource

_SLICE_NS = 50_000_000
"""How often edges are delivered."""


def open_device(wiring: BaseModel, settings: CaptureSettings, clock: Clock) -> EdgeSource:
    """The head of a recording.

    Raises:
        HalError: the file cannot be read, or lacks a line.
    """
    return CaptureHead(*_recorded(wiring, settings.file), clock)


def captured(wiring: BaseModel, file: str) -> tuple[dict[str, bool], EdgeBatch]:
    """The whole recording of a head: the levels at its start, by letter, and its edges.

    Raises:
        HalError: the file cannot be read, or lacks a line.
    """
    recorded, lines = _recorded(wiring, file)
    levels = {letter: recorded.first[name] for name, letter in lines.items()}
    return levels, _batch(recorded.of(lines), lines, 1, 0)


def _recorded(wiring: BaseModel, file: str) -> tuple[Recording, dict[str, str]]:
    """The recording, and the letter of each line."""
    pins: BaseModel = getattr(wiring, "pins", wiring)
    lines = {name: LINES[name] for name, pin in pins if pin is not None}
    recorded = recording(file)
    for name in lines:
        if name not in recorded.first:
            there = ", ".join(recorded.first) or "none"
            raise UnknownLineError(f"{file}: no signal '{name}'; there are: {there}. Rename it, export again")
    return recorded, lines


def _batch(changes: Sequence[LevelChange], lines: Mapping[str, str], first: int, start_ns: int) -> EdgeBatch:
    letters = bytes(ord(lines[change.signal]) | (0 if change.level else 0x20) for change in changes)
    stamps = array("q", [start_ns + change.at_ns for change in changes])
    return EdgeBatch(letters, stamps, range(first, first + len(changes)))


class CaptureHead:
    """A sensor head that replays a recording; the replay starts when the head is opened."""

    def __init__(self, recorded: Recording, lines: Mapping[str, str], clock: Clock) -> None:
        self._changes = recorded.of(lines)
        self._lines = dict(lines)
        self._levels = {letter: recorded.first[name] for name, letter in lines.items()}
        self._clock = clock
        self._start_ns = clock.now_ns()
        self._delivered = 0
        self._deliver: Callable[[EdgeBatch], None] | None = None

    def levels(self) -> dict[str, bool]:
        return dict(self._levels)

    def start(self, deliver: Callable[[EdgeBatch], None], lost: Callable[[FaultEvent], None] | None = None) -> None:
        self._deliver = deliver
        self._schedule()

    def close(self) -> None:
        self._deliver = None

    def poll(self) -> None:
        end = until(self._changes, self._clock.now_ns() - self._start_ns)
        changes, first = self._changes[self._delivered : end], self._delivered + 1
        self._delivered = end
        if not changes:
            return
        self._levels.update((self._lines[change.signal], change.level) for change in changes)
        if self._deliver is not None:
            self._deliver(_batch(changes, self._lines, first, self._start_ns))

    def _schedule(self) -> None:
        if self._delivered < len(self._changes) and self._deliver is not None:
            due_ns = max(self._clock.now_ns(), self._start_ns + self._changes[self._delivered].at_ns) + _SLICE_NS
            self._clock.call_at(due_ns, self._on_time)

    def _on_time(self) -> None:
        self.poll()
        self._schedule()
