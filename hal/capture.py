"""Plays a logic analyser's recording in place of the sensor head, keys and switches. Backend ``capture``.

.. code-block:: yaml

    head: # or rotor, buttons, keypad, keyboard, switches
      backend: capture
      options: {file: /home/pi/round.vcd}
      pins: {encoder_a: 17, encoder_b: 27, index: 22, clapper: 23} # only which lines there are

The file is a VCD file (IEEE 1364-2005, chapter 18: https://ieeexplore.ieee.org/document/1620780), as PulseView and
sigrok export it. Its signals have the names
of lines and controls, in any scope: ``encoder_a``, ``encoder_b``, ``index`` (or ``encoder_index``), ``clapper``,
``ball_1``, ``no_more_bets``. Case is ignored, a hyphen equals an underscore, and other signals are ignored.

A signal is unknown until its first 0 or 1, and while it is x or z. The lines of a head have their first level from
the beginning; a key without one is up. A gap is no edge. A line of a head must not be unknown while anything moves,
as its edges would be missing: then the file is refused.
"""

import codecs
import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from hal.errors import HalError, UnknownLineError
from hal.events import LINES, EdgeBatch, FaultEvent, KeyEvent, SwitchEvent
from hal.interfaces import Clock, EdgeSource, KeySource, SwitchInput
from hal.registry import Driver

_SLICE_NS = 50_000_000
"""How often edges are delivered."""
_RESTS_NS = 2_000_000_000
"""Without an edge for so long, nothing moves."""
_LONGEST_NS = 366 * 86_400 * 10**9
_ALIASES = {"encoder_index": "index"}
_PER_S = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9, "ps": 10**12, "fs": 10**15}
_LEVELS = {"0": False, "1": True, 0: False, 1: True}


class CaptureSettings(BaseModel):
    """The ``options`` of recorded devices."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    file: str = Field(min_length=1, description="the VCD file")


# -- the file ------------------------------------------------------------------------------------------------------


class LevelChange(NamedTuple):
    """A line that changed."""

    at_ns: int
    """Since the recording began."""
    signal: str
    level: bool


class Gap(NamedTuple):
    """A signal was unknown for a time, and then known again."""

    begins_ns: int
    ends_ns: int
    line: int
    """Of the file, where it begins."""
    signal: str
    differs: bool
    """Its level afterwards is another one than before."""


@dataclass(frozen=True)
class Recording:
    """Signals over time."""

    path: Path
    first: dict[str, bool]
    """The first level of each signal that has one, by its name."""
    began: frozenset[str]
    """The signals that were known when the recording began."""
    changes: tuple[LevelChange, ...]
    """In order of time; a signal's first level is none, unless it came later than the beginning."""
    gaps: tuple[Gap, ...]
    declared: dict[str, list[int]]
    """The lines of the file that declare a signal of this name; several if it is ambiguous."""
    end_ns: int

    def of(self, signals: Iterable[str]) -> list[LevelChange]:
        """The changes of some signals; those that the file does not declare have none.

        Raises:
            HalError: two different signals have one of these names.
        """
        selected = frozenset(signals)
        for name in sorted(selected & self.declared.keys()):
            if len(self.declared[name]) > 1:
                where = " and ".join(map(str, self.declared[name]))
                raise HalError(f"{self.path}: lines {where} declare different signals '{name}'; rename one of them")
        return [change for change in self.changes if change.signal in selected]


def plain(name: str) -> str:
    """A name in the form that is compared: ``no-more-bets`` as ``no_more_bets``, without a bit's number."""
    name = re.sub(r"\s*\[\d+\]$", "", name.strip()).lower().replace("-", "_")
    return _ALIASES.get(name, name)


def recording(file: str) -> Recording:
    """A file's recording.

    Raises:
        HalError: it cannot be read, or is not a VCD file; the message gives the line.
    """
    path = Path(file)
    try:
        return _recording(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise HalError(f"{file}: {error.strerror}; name a VCD file") from error


@lru_cache(maxsize=4)
def _recording(path: Path, changed_ns: int) -> Recording:
    """Cached: several devices play the same file."""
    from vcd.reader import VCDParseError

    data = path.read_bytes()
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise HalError(f"{path}: line 1: the file is UTF-16; save it as UTF-8 or ASCII text")
    try:
        return _Reader(path).read(data.removeprefix(codecs.BOM_UTF8))
    except (VCDParseError, ValueError, KeyError, OverflowError) as error:
        raise HalError(f"{path}: this is no VCD file ({error}); export the capture as VCD") from error


class _Reader:
    """Reads one file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._names: dict[str, list[str]] = {}
        """The names of each signal, by its code in the file."""
        self._declared: dict[str, dict[str, int]] = {}
        self._first: dict[str, bool] = {}
        self._began: set[str] = set()
        self._known: dict[str, bool] = {}
        """The last level that each signal had."""
        self._unknown: dict[str, tuple[int, int]] = {}
        """Since when a signal is unknown again, and on which line that is said."""
        self._changes: list[LevelChange] = []
        self._gaps: list[Gap] = []
        self._at_ns = 0

    def read(self, data: bytes) -> Recording:
        from vcd.reader import TokenKind, tokenize

        scale: tuple[int, int] | None = None
        time = begins = -1
        for token in tokenize(BytesIO(data)):
            kind, line = token.kind, token.span.start.line
            what: Any = token.data
            if kind is TokenKind.TIMESCALE:
                scale = int(what.magnitude) * 10**9, _PER_S[what.unit.value]
            elif kind is TokenKind.VAR and what.size == 1:
                name = plain(what.reference)
                self._names.setdefault(what.id_code, []).append(name)
                self._declared.setdefault(name, {}).setdefault(what.id_code, line)
            elif kind is TokenKind.CHANGE_TIME:
                if what < time:
                    raise HalError(f"{self._path}: line {line}: the time runs backwards; export one recording only")
                if self._names and scale is None:
                    raise HalError(
                        f"{self._path}: line {line}: there is no $timescale before; export the capture anew"
                    )
                time, begins = what, what if begins < 0 else begins
                per, units = scale or (1, 1)
                self._at_ns = (2 * time * per + units) // (2 * units)
                if self._at_ns > _LONGEST_NS:
                    raise HalError(
                        f"{self._path}: line {line}: the recording is longer than a year; export it anew"
                    )
            elif kind in (TokenKind.CHANGE_SCALAR, TokenKind.CHANGE_VECTOR):
                for name in self._names.get(what.id_code, ()):
                    if isinstance(what.value, int) and what.value > 1:
                        raise HalError(f"{self._path}: line {line}: '{name}' has more than one bit; export it anew")
                    self._value(name, _LEVELS.get(what.value), line, time <= begins)
            elif kind is TokenKind.DUMPOFF:
                for name in self._known:
                    self._value(name, None, line, at_begin=False)
        if not self._names:
            raise ValueError("it declares no signals")
        declared = {name: sorted(codes.values()) for name, codes in self._declared.items()}
        return Recording(
            self._path,
            self._first,
            frozenset(self._began),
            tuple(self._changes),
            tuple(self._gaps),
            declared,
            self._at_ns,
        )

    def _value(self, name: str, level: bool | None, line: int, at_begin: bool) -> None:
        """A signal's value; None for x and z."""
        if level is None:
            if name in self._known:
                self._unknown.setdefault(name, (self._at_ns, line))
            return
        if name not in self._first:
            self._first[name] = level
            if at_begin:
                self._began.add(name)
            else:
                self._changes.append(LevelChange(self._at_ns, name, level))
        elif self._known[name] != level:  # A repeated value is not a change.
            self._changes.append(LevelChange(self._at_ns, name, level))
        since_ns, where = self._unknown.pop(name, (self._at_ns, line))
        if since_ns < self._at_ns:
            self._gaps.append(Gap(since_ns, self._at_ns, where, name, self._known[name] != level))
        self._known[name] = level


# -- sensor heads --------------------------------------------------------------------------------------------------


def captured(wiring: Any, file: str) -> tuple[dict[str, bool], EdgeBatch]:
    """The whole recording of a head: the levels at its start, by letter, and its edges.

    Raises:
        HalError: the file cannot be read, lacks a line, or has a gap while something moves.
    """
    levels, changes = _head(wiring, file)
    return levels, _batch(changes, 1, 0)


def _head(wiring: Any, file: str) -> tuple[dict[str, bool], list[LevelChange]]:
    """The first levels of a head's lines, by letter, and their changes."""
    names = [name for name, pin in getattr(wiring, "pins", wiring) if pin is not None]
    recorded = recording(file)
    for name in names:
        if name not in recorded.first:
            there = ", ".join(recorded.first) or "none"
            raise UnknownLineError(f"{file}: no signal '{name}'; there are: {there}. Rename it, export again")
    changes = recorded.of(names)
    late = {name for name in names if name not in recorded.began}
    for name in late:  # Its first level is from the beginning.
        changes.remove(next(change for change in changes if change.signal == name))
    _check_gaps(recorded, changes, names)
    return {LINES[name]: recorded.first[name] for name in names}, changes


def _check_gaps(recorded: Recording, changes: Sequence[LevelChange], names: Sequence[str]) -> None:
    """Refuse a gap in which edges were lost."""
    for gap in recorded.gaps:
        begins = bisect_right(changes, gap.begins_ns - _RESTS_NS, key=lambda change: change.at_ns)
        ends = bisect_right(changes, gap.ends_ns + _RESTS_NS, key=lambda change: change.at_ns)
        if gap.signal in names and (gap.differs or ends > begins):
            raise HalError(
                f"{recorded.path}: line {gap.line}: '{gap.signal}' is unknown until {gap.ends_ns / 1e9:.6f} s, "
                "while something moves; record it again without a gap"
            )


def _batch(changes: Sequence[LevelChange], first: int, start_ns: int) -> EdgeBatch:
    letters = bytes(ord(LINES[change.signal]) | (0 if change.level else 0x20) for change in changes)
    stamps = array("q", [start_ns + change.at_ns for change in changes])
    return EdgeBatch(letters, stamps, range(first, first + len(changes)))


class CaptureHead:
    """A sensor head that replays a recording; the replay starts when the head is opened."""

    def __init__(self, levels: Mapping[str, bool], changes: Sequence[LevelChange], clock: Clock) -> None:
        self._levels, self._changes, self._clock = dict(levels), changes, clock
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
        now_ns = self._clock.now_ns() - self._start_ns
        end = bisect_right(self._changes, now_ns, key=lambda change: change.at_ns)
        changes, first = self._changes[self._delivered : end], self._delivered + 1
        self._delivered = end
        self._levels.update((LINES[change.signal], change.level) for change in changes)
        if changes and self._deliver is not None:
            self._deliver(_batch(changes, first, self._start_ns))

    def _schedule(self) -> None:
        if self._delivered < len(self._changes) and self._deliver is not None:
            due_ns = max(self._clock.now_ns(), self._start_ns + self._changes[self._delivered].at_ns) + _SLICE_NS
            self._clock.call_at(due_ns, self._on_time)

    def _on_time(self) -> None:
        self.poll()
        self._schedule()


# -- keys and switches ---------------------------------------------------------------------------------------------


class CaptureContacts:
    """Keys or switches that replay recorded presses: a signal of a control's name is high while it is pressed.

    Args:
        event: the class of the events to deliver.
        names: of the controls. Those without a signal are never pressed.
    """

    def __init__(
        self, event: type[KeyEvent] | type[SwitchEvent], recorded: Recording, names: Iterable[str], clock: Clock
    ) -> None:
        self._event, self._clock = event, clock
        self._names = {plain(name): name for name in names}
        self._held = [name for name in self._names if name in recorded.began and recorded.first[name]]
        later = recorded.first.keys() - recorded.began
        firsts = {name: change for change in reversed(recorded.changes) if (name := change.signal) in later}
        released = [change for change in firsts.values() if not change.level]  # It was up before, too.
        self._changes = [change for change in recorded.of(self._names) if change not in released]
        self._start_ns = clock.now_ns()
        self._deliver: Callable[[Any], None] | None = None

    def start(self, deliver: Callable[[Any], None]) -> None:
        self._deliver = deliver
        for name in self._held:
            deliver(self._event(self._names[name], True, self._clock.now_ns(), held=True))
        self._schedule(0)

    def close(self) -> None:
        self._deliver = None

    def _schedule(self, number: int) -> None:
        if number < len(self._changes) and self._deliver is not None:
            self._clock.call_at(self._start_ns + self._changes[number].at_ns, lambda: self._on_time(number))

    def _on_time(self, number: int) -> None:
        at_ns, signal, level = self._changes[number]
        if self._deliver is not None:
            self._deliver(self._event(self._names[signal], level, self._start_ns + at_ns))
        self._schedule(number + 1)


def _open_head(wiring: Any, settings: CaptureSettings, clock: Clock) -> EdgeSource:
    return CaptureHead(*_head(wiring, settings.file), clock)


def _open_keys(wiring: Any, settings: CaptureSettings, clock: Clock) -> KeySource:
    controls = [*getattr(wiring, "pins", ()), *getattr(wiring, "codes", ())]
    controls += [control for row in getattr(wiring, "keys", ()) for control in row]
    return CaptureContacts(KeyEvent, recording(settings.file), controls, clock)


def _open_switches(wiring: Any, settings: CaptureSettings, clock: Clock) -> SwitchInput:
    return CaptureContacts(SwitchEvent, recording(settings.file), wiring.pins, clock)


DRIVERS = {
    **dict.fromkeys(("edges", "rotor"), Driver(CaptureSettings, _open_head)),
    "keys": Driver(CaptureSettings, _open_keys),
    "switches": Driver(CaptureSettings, _open_switches),
}
