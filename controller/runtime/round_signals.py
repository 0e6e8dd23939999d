"""A round's signals from the record: what its lines did, what the table decided meanwhile, where the wheel was.

Called by the process that reads the record for the pages. Nothing is decided again: decisions are those on record.
Times count from the round's beginning; over a boot of the computer, by the wall clock.
"""

import sqlite3
import zlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, TypedDict

from config.schema import TableConfig
from controller.configuration.shipped import LoadedTable
from controller.events.brief_text import brief_text_of
from controller.events.effect import Light
from controller.events.event import Press
from controller.events.record import Record
from controller.events.text import plain
from controller.journal.chain import Entry
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.replay.motion import RecordedMotion, motion
from controller.journal.replay.sessions import Session, sessions, sessions_without_edges
from controller.journal.replay.signal_columns import SignalColumns
from controller.journal.replay.trace import EdgeStretch, Traces, trace_file
from controller.journal.summaries import LineSignal
from controller.journal.versions import other_file
from controller.round_summary.words import in_words
from controller.statechart.registry import find_game
from hal.events import INDEX

MOST_COLUMNS = 8000
_NS_PER_MS, _NS_PER_S = 1_000_000, 1_000_000_000
COLUMN_NS, ANGLE_NS = 5 * _NS_PER_MS, 50 * _NS_PER_MS
"""The shortest columns, and the shortest time between two angles; a long round has longer ones."""


class DecidedLine(TypedDict):
    """Something that happened or was decided, as the log has it."""

    s: float
    """Seconds from the round's beginning."""
    words: str


class RoundSignals(TypedDict):
    """``/rounds/N/signals.json``."""

    round: int
    edges: Literal["kept", "gone", "none"]
    """``gone``: not kept any more, or not yet; ``none``: the table has no sensor head."""
    column_ms: float
    columns: int
    lines: list[LineSignal]
    decisions: list[DecidedLine]
    angle_ms: float
    """From one angle to the next; the first one is that of the round's beginning."""
    angles: list[float | None] | None
    """Where wheel or rotor is, in turns, 0 to 1: the clapper's place along the rim from the start of the first
    section, or how far the rotor has turned counterclockwise from its index. None where the edges do not tell."""
    other_wheel: bool
    """Part of the round was played with another configuration, of whose wheel this one knows nothing: it has no
    angles."""


@dataclass(frozen=True, slots=True)
class _Part:
    """What is on record of the round since one start of the table. Times are monotonic.

    Attributes:
        shift_ns: what makes them times from the round's beginning.
        other_file: whether they are known to be decided under another file of the table.
    """

    shift_ns: int
    entries: list[tuple[Entry, Record]]
    stretches: list[EdgeStretch]
    other_file: bool

    @property
    def first_ns(self) -> int:
        return _first_ns(self.entries, self.stretches)

    @property
    def last_ns(self) -> int:
        return max((self.entries[-1][0].at_ns, *(stretch.latest_ns for stretch in self.stretches)))


def round_signals(number: int, loaded: LoadedTable, file: Path) -> RoundSignals | None:
    """The signals of a round; None if there is no such round.

    Raises:
        JournalError: the journal or its edges cannot be read.
    """
    config, traced = loaded.config, trace_file(file)
    try:
        with closing(Journal(file, read_only=True)) as journal:
            edges, found = _on_record(number, config, journal, traced)
            parts = _parts(number, found, journal, loaded.digest)
    except (sqlite3.Error, zlib.error) as error:
        raise JournalError(f"{file} or {traced} is damaged: {error}") from error
    if not parts:
        return None
    long_ns = parts[-1].last_ns + parts[-1].shift_ns
    column_ns = max(COLUMN_NS, _NS_PER_MS * -(-long_ns // (MOST_COLUMNS - 1) // _NS_PER_MS))
    columns = long_ns // column_ns + 1
    angle_ns = max(ANGLE_NS, column_ns)
    return {
        "round": number,
        "edges": edges,
        "column_ms": column_ns / _NS_PER_MS,
        "columns": columns,
        "lines": _signals(parts, column_ns).signals(0, columns),
        "decisions": list(_decisions(parts, config)),
        "angle_ms": angle_ns / _NS_PER_MS,
        "angles": _angles(parts, config, range(0, long_ns + 1, angle_ns)),
        "other_wheel": any(part.other_file for part in parts) and edges != "none",
    }


def _on_record(
    number: int, config: TableConfig, journal: Journal, traced: Path
) -> tuple[Literal["kept", "gone", "none"], list[Session]]:
    """Whether the round's edges are kept, and its sessions; none if it has no entries."""
    if config.wheel is None and config.rotor is None:
        return "none", sessions_without_edges(number, journal)
    kept: list[int] = []
    if traced.exists():
        with closing(Traces(traced, rounds=0)) as traces:
            kept = traces.rounds()
            if number in kept:
                return "kept", sessions(number, journal, traces)
    # A round in which nothing moved has none, among those that are kept.
    found: Literal["kept", "gone"] = "kept" if kept and number > kept[0] else "gone"
    return found, sessions_without_edges(number, journal)


# -- one time ------------------------------------------------------------------------------------------------------


def _first_ns(entries: Sequence[tuple[Entry, Record]], stretches: Sequence[EdgeStretch]) -> int:
    return min((entries[0][0].at_ns, *(stretch.first_ns for stretch in stretches)))


def _parts(number: int, found: Sequence[Session], journal: Journal, configuration: str) -> list[_Part]:
    parts: list[_Part] = []
    for session in found:
        entries = [(entry, record) for entry, record in session.entries if entry.round == number]
        stretches = [stretch for of, stretch in session.stretches if of == number]
        if entries:
            first_ns = _first_ns(entries, stretches)
            shift_ns = _shift_ns(parts[-1], first_ns, entries[0][0]) if parts else -first_ns
            other = other_file(journal, entries[0][0].seq, configuration)
            parts.append(_Part(shift_ns, entries, stretches, bool(other)))
    return parts


def _shift_ns(before: _Part, first_ns: int, first: Entry) -> int:
    """What makes times of the next part those from the round's beginning."""
    if first_ns >= before.last_ns:
        return before.shift_ns
    last = before.entries[-1][0]
    passed = datetime.fromisoformat(first.utc) - datetime.fromisoformat(last.utc)
    passed_ns = max(0, round(passed.total_seconds() * _NS_PER_S))
    at_ns = max(last.at_ns + before.shift_ns + passed_ns, before.last_ns + before.shift_ns)
    return at_ns - first_ns


# -- the lines -----------------------------------------------------------------------------------------------------


def _signals(parts: Sequence[_Part], column_ns: int) -> SignalColumns:
    columns = SignalColumns(column_ns)
    for part in parts:
        if part.stretches:
            columns.begin(part.stretches[0].levels, part.first_ns + part.shift_ns)
        for stretch in part.stretches:
            columns.read(stretch.levels, stretch.first_ns + part.shift_ns)
            _take(columns, stretch, part.shift_ns)
        if part is not parts[-1]:
            columns.end(part.last_ns + part.shift_ns)
    return columns


def _take(columns: SignalColumns, stretch: EdgeStretch, shift_ns: int) -> None:
    stamps, since = [at_ns + shift_ns for at_ns in stretch.stamps_ns], 0
    for reading in stretch.readings:
        columns.take(stretch.edges[since : reading.place], stamps[since : reading.place])
        columns.read(reading.levels, reading.at_ns + shift_ns)
        since = reading.place
    columns.take(stretch.edges[since:], stamps[since:])


# -- what was decided ----------------------------------------------------------------------------------------------


def _decisions(parts: Sequence[_Part], config: TableConfig) -> Iterator[DecidedLine]:
    """As the bench's log has them. What a key did is in the lines after it; lamps are no line."""
    words = in_words(find_game(config.game), config.rules)
    for part in parts:
        for entry, record in part.entries:
            at_s = round((entry.at_ns + part.shift_ns) / _NS_PER_S, 3)
            if isinstance(record.event, Press):
                yield {"s": at_s, "words": f"> {plain(record.event.control)}"}
            for thing in (record.event, *record.effects):
                if not isinstance(thing, Light) and (text := brief_text_of(thing)):
                    yield {"s": at_s, "words": words(text)}


# -- where the wheel was -------------------------------------------------------------------------------------------


def _angles(parts: Sequence[_Part], config: TableConfig, times_ns: Sequence[int]) -> list[float | None] | None:
    """The angle at each time from the round's beginning; None if there is no time at which it is known."""
    wheel = config.wheel or config.rotor
    if wheel is None:
        return None
    offset = config.wheel.index_offset_counts if config.wheel is not None else 0
    found: list[float | None] = []
    moved = [(part, _turned(part, wheel.reversed)) for part in parts]
    for at_ns in times_ns:
        begun = [one for one in moved if one[0].first_ns + one[0].shift_ns <= at_ns]
        part, turned = begun[-1]
        counts = turned.since_index(at_ns - part.shift_ns) if turned is not None else None
        # A count is an interval: its middle is the best estimate.
        angle = None if counts is None else (counts + offset + 0.5) / wheel.counts_per_turn
        found.append(None if angle is None else round(angle % 1, 4) % 1)
    return found if any(angle is not None for angle in found) else None


@dataclass(frozen=True, slots=True)
class _Turned:
    """The movement of one part, with the places of the index on its way."""

    position: RecordedMotion
    index_ns: list[int]

    def since_index(self, at_ns: int) -> int | None:
        """The position in counts from the index: from where it passed last, or from where it passes first."""
        if not self.index_ns:
            return None
        passed = max(1, bisect_right(self.index_ns, at_ns))
        return self.position.at(at_ns) - self.position.at(self.index_ns[passed - 1])


def _turned(part: _Part, reversed_: bool) -> _Turned | None:
    if not part.stretches or part.other_file:
        return None
    position = motion(part.stretches, reversed_)
    return _Turned(position, position.moments(INDEX, part.first_ns, part.last_ns))
