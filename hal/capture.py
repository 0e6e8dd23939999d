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


class Value(NamedTuple):
    """A value that a signal took."""

    at_ns: int
    """Since the recording began."""
    signal: str
    level: bool | None
    """None while it is unknown."""
    line: int
    """Of the file."""


class Signals(NamedTuple):
    """What some signals did."""

    first: dict[str, Value]
    """The first level of each signal that has one."""
    changes: list[Value]
    """Every first or other level, in the order of the file. A repeated one is no change."""
    gaps: list[tuple[Value, Value, bool]]
    """Where a signal was unknown for a time: its beginning, the value that ends it, and whether edges are certainly
    missing: the level after it differs from the one before, or it stayed unknown while others changed."""


@dataclass(frozen=True)
class Recording:
    """Signals over time."""

    path: Path
    began_ns: int
    """The first time in the file."""
    end_ns: int
    values: tuple[Value, ...]
    declared: dict[str, list[int]]
    """The lines of the file that declare a signal of this name; several if it is ambiguous."""

    def of(self, names: Iterable[str]) -> Signals:
        """What some signals did; those that the file does not declare did nothing.

        Raises:
            HalError: two different signals have one of these names.
        """
        selected = frozenset(names)
        for name in sorted(selected & self.declared.keys()):
            if len(self.declared[name]) > 1:
                where = " and ".join(map(str, self.declared[name]))
                raise HalError(f"{self.path}: lines {where} declare different signals '{name}'; rename one of them")
        found = Signals({}, [], [])
        known: dict[str, bool] = {}
        unknown: dict[str, Value] = {}
        for value in self.values:
            name, level = value.signal, value.level
            if name not in selected:
                continue
            if level is None:
                if name in known:
                    unknown[name] = value
                continue
            if name in unknown and (gap := unknown.pop(name)).at_ns < value.at_ns:
                found.gaps.append((gap, value, known[name] != level))
            if known.get(name) != level:
                found.first.setdefault(name, value)
                found.changes.append(value)
            known[name] = level
        for gap in unknown.values():  # To the end, where others changed meanwhile.
            if found.changes[-1].at_ns > gap.at_ns:
                found.gaps.append((gap, found.changes[-1], True))
        return found


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
    except VCDParseError as error:
        raise HalError(f"{path}: line {error.loc.line}: this is no VCD file; export the capture as VCD") from error
    except (ValueError, KeyError, OverflowError) as error:
        raise HalError(f"{path}: this is no VCD file ({error}); export the capture as VCD") from error


class _Reader:
    """Reads one file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._names: dict[str, list[str]] = {}
        """The names of each signal, by its code in the file."""
        self._declared: dict[str, dict[str, int]] = {}
        self._values: list[Value] = []
        self._last: dict[str, bool | None] = {}
        self._scale: tuple[int, int] | None = None
        """The file's unit of time: nanoseconds, as a fraction."""
        self._time = -1
        self._at_ns = 0
        self._began_ns: int | None = None

    def read(self, data: bytes) -> Recording:
        from vcd.reader import TokenKind, tokenize

        for token in tokenize(BytesIO(data)):
            kind, line = token.kind, token.span.start.line
            what: Any = token.data
            if kind is TokenKind.TIMESCALE and what.magnitude:
                self._scale = int(what.magnitude) * 10**9, _PER_S[what.unit.value]
            elif kind is TokenKind.VAR and what.size == 1:
                name = plain(what.reference)
                self._names.setdefault(what.id_code, []).append(name)
                self._declared.setdefault(name, {}).setdefault(what.id_code, line)
            elif kind is TokenKind.CHANGE_TIME:
                self._on_time(what, line)
            elif kind in (TokenKind.CHANGE_SCALAR, TokenKind.CHANGE_VECTOR):
                for name in self._names.get(what.id_code, ()):
                    if isinstance(what.value, int) and what.value > 1:
                        raise self._refused(line, f"'{name}' has more than one bit; export it anew")
                    self._take(name, _LEVELS.get(what.value), line)
            elif kind is TokenKind.DUMPOFF:
                for name in self._declared:
                    self._take(name, None, line)
        if not self._names:
            raise ValueError("it declares no signals")
        declared = {name: sorted(codes.values()) for name, codes in self._declared.items()}
        return Recording(self._path, self._began_ns or 0, self._at_ns, tuple(self._values), declared)

    def _on_time(self, time: int, line: int) -> None:
        if time < self._time:
            raise self._refused(line, "the time runs backwards; export one recording only")
        if self._names and self._scale is None:
            raise self._refused(line, "there is no $timescale before; export the capture anew")
        per, units = self._scale or (1, 1)
        self._time, self._at_ns = time, (2 * time * per + units) // (2 * units)
        if self._at_ns > _LONGEST_NS:
            raise self._refused(line, "the recording is longer than a year; export it anew")
        self._began_ns = self._at_ns if self._began_ns is None else self._began_ns

    def _take(self, name: str, level: bool | None, line: int) -> None:
        if self._last.get(name) is not level:
            self._last[name] = level
            self._values.append(Value(self._at_ns, name, level, line))

    def _refused(self, line: int, why: str) -> HalError:
        return HalError(f"{self._path}: line {line}: {why}")


# -- sensor heads --------------------------------------------------------------------------------------------------


def captured(wiring: Any, file: str) -> tuple[dict[str, bool], EdgeBatch]:
    """The whole recording of a head: the levels at its start, by letter, and its edges.

    Raises:
        HalError: the file cannot be read, lacks a line, or has a gap while something moves.
    """
    levels, changes = _head(wiring, file)
    return levels, _batch(changes, 1, 0)


def _head(wiring: Any, file: str) -> tuple[dict[str, bool], list[Value]]:
    """The first levels of a head's lines, by letter, and their changes. The first level is from the beginning."""
    names = [name for name, pin in getattr(wiring, "pins", wiring) if pin is not None]
    recorded = recording(file)
    signals = recorded.of(names)
    for name in names:
        if name not in signals.first:
            there = (
                ", ".join({value.signal: None for value in recorded.values if value.level is not None}) or "none"
            )
            raise UnknownLineError(f"{file}: no signal '{name}'; there are: {there}. Rename it, export again")
    edges = [change for change in signals.changes if change is not signals.first[change.signal]]
    for begin, end, missing in signals.gaps:  # Edges were lost in it if anything moved.
        before = bisect_right(edges, begin.at_ns - _RESTS_NS, key=_at_ns)
        if missing or bisect_right(edges, end.at_ns + _RESTS_NS, key=_at_ns) > before:
            raise HalError(
                f"{recorded.path}: line {begin.line}: '{begin.signal}' is unknown until {end.at_ns / 1e9:.6f} s, "
                "while something moves; record it again without a gap"
            )
    return {LINES[name]: bool(signals.first[name].level) for name in names}, edges


def _at_ns(value: Value) -> int:
    return value.at_ns


def _batch(changes: Sequence[Value], first: int, start_ns: int) -> EdgeBatch:
    letters = bytes(ord(LINES[change.signal]) | (0 if change.level else 0x20) for change in changes)
    stamps = array("q", [start_ns + change.at_ns for change in changes])
    return EdgeBatch(letters, stamps, range(first, first + len(changes)))


class CaptureHead:
    """A sensor head that replays a recording; the replay starts when the head is opened."""

    def __init__(self, levels: Mapping[str, bool], changes: Sequence[Value], clock: Clock) -> None:
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
        end = bisect_right(self._changes, now_ns, key=_at_ns)
        changes, first = self._changes[self._delivered : end], self._delivered + 1
        self._delivered = end
        self._levels.update((LINES[change.signal], bool(change.level)) for change in changes)
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
        signals = recorded.of(self._names)
        begins = {name for name, value in signals.first.items() if value.at_ns <= recorded.began_ns}
        self._held = [name for name in self._names if name in begins and signals.first[name].level]
        # A first level is a press only if it comes later: before it, the key was up.
        self._changes = [
            change
            for change in signals.changes
            if change is not signals.first[change.signal] or (change.level and change.signal not in begins)
        ]
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
        change = self._changes[number]
        if self._deliver is not None:
            name = self._names[change.signal]
            self._deliver(self._event(name, bool(change.level), self._start_ns + change.at_ns))
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
