"""Levels of a sensor head's lines over time, in columns of equal length: what a logic analyser draws.

Times come in with the edges. A column that is over is never looked at again: each line keeps runs of columns, which
the next edges extend. Used by :mod:`controller.bench.signals`.
"""

from bisect import bisect_left
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from controller.bench.documents import LineSignal
from hal.events import LINES

LOW: Final = "l"
HIGH: Final = "h"
BOTH: Final = "b"
"""The line changes within the column."""
UNKNOWN: Final = "x"
_LONG_BEFORE: Final = -(1 << 62)


class _Line:
    """One line: runs of columns, each from its column up to the next run's, the last without an end."""

    def __init__(self) -> None:
        self.runs: deque[tuple[int, str]] = deque([(_LONG_BEFORE, UNKNOWN)])
        self.level = UNKNOWN
        """After the last edge or reading."""
        self.counts: deque[tuple[int, int, int]] = deque()
        """Columns with edges, in order: the column, its edges, and how many of them rise."""
        self.edges = self.rises = 0
        self._changed = _LONG_BEFORE
        """The last column in which the line changed."""

    def change(self, column: int, level: str, edges: int = 0, rises: int = 0) -> None:
        """It changes in a column, and has this level after it. One before the last change counts as that one's."""
        column = self._changed = max(column, self._changed, self.runs[0][0])
        self.level = level
        self._cut(column)
        self._append(column, BOTH)
        self._append(column + 1, level)
        if edges:
            self.counts.append((column, edges, rises))
            self.edges += edges
            self.rises += rises

    def begin(self, column: int, level: str) -> None:
        """From a column on it has this level, or none that is known; it need not have changed there."""
        column = max(column, self._changed + 1, self.runs[0][0])
        self.level = level
        self._cut(column)
        self._append(column, level)

    def _cut(self, column: int) -> None:
        while self.runs and self.runs[-1][0] >= column:
            self.runs.pop()

    def _append(self, column: int, level: str) -> None:
        if not self.runs or self.runs[-1][1] != level:
            self.runs.append((column, level))

    def forget(self, first: int) -> None:
        """Drop what is before a column."""
        while len(self.runs) > 1 and self.runs[1][0] <= first:
            self.runs.popleft()
        while self.counts and self.counts[0][0] < first:
            _, edges, rises = self.counts.popleft()
            self.edges -= edges
            self.rises -= rises

    def counted(self, end: int) -> tuple[int, int]:
        """The edges before a column, and how many of them rise."""
        edges, rises = self.edges, self.rises
        for column, more, rising in reversed(self.counts):
            if column < end:
                break
            edges, rises = edges - more, rises - rising
        return edges, rises

    def coded(self, first: int, end: int) -> str:
        """The columns from ``first`` up to ``end``, which is none of them."""
        parts: list[str] = []
        begins = [max(first, begin) for begin, _ in self.runs]
        for (_, level), begin, until in zip(self.runs, begins, (*begins[1:], end), strict=True):
            length = min(until, end) - begin
            if length > 0:
                parts.append(level if length == 1 else f"{level}{length}")
        return "".join(parts)


class SignalColumns:
    """The lines of one sensor head.

    Args:
        column_ns: length of a column in nanoseconds.
        zero_ns: where the first column begins, in the time of the edges' stamps; nothing is known before it.
    """

    def __init__(self, column_ns: int, zero_ns: int = 0) -> None:
        self.column_ns = column_ns
        self._zero_ns = zero_ns
        self._lines: dict[str, _Line] = {}

    def column(self, at_ns: int) -> int:
        """The column of a moment; the first one for what was before it."""
        return max(0, (at_ns - self._zero_ns) // self.column_ns)

    @property
    def letters(self) -> frozenset[str]:
        """The lines, by their letters."""
        return frozenset(self._lines)

    def begin(self, levels: Mapping[str, bool], at_ns: int) -> None:
        """Levels by the lines' letters from a moment on, where nothing was known before it."""
        for letter, level in levels.items():
            self._lines.setdefault(letter, _Line()).begin(self.column(at_ns), HIGH if level else LOW)

    def end(self, at_ns: int) -> None:
        """From the column after a moment's on nothing is known, until levels begin again."""
        for line in self._lines.values():
            line.begin(self.column(at_ns) + 1, UNKNOWN)

    def read(self, levels: Mapping[str, bool], at_ns: int) -> bool:
        """Levels that were read: a line that has another one changed without an edge. Whether one has."""
        changed = False
        for letter, high in levels.items():
            level, line = HIGH if high else LOW, self._lines.get(letter)
            if line is not None and line.level != level:
                line.change(self.column(at_ns), level)
                changed = True
        return changed

    def take(self, edges: bytes, stamps_ns: Sequence[int]) -> None:
        """Take edges in order: their letters and times, as in :class:`hal.events.EdgeBatch`."""
        first = 0
        while first < len(edges):
            column = self.column(stamps_ns[first])
            end = bisect_left(stamps_ns, self._zero_ns + (column + 1) * self.column_ns, first)
            end = max(end, first + 1)  # Stamps that run backwards are in no order.
            self._within(column, edges[first:end])
            first = end

    def _within(self, column: int, edges: bytes) -> None:
        for letter, line in self._lines.items():
            rising, falling = letter.encode(), letter.lower().encode()
            rises = edges.count(rising)
            count = rises + edges.count(falling)
            if count:
                high = edges.rfind(rising) > edges.rfind(falling)
                line.change(column, HIGH if high else LOW, count, rises)

    def forget(self, first: int) -> None:
        """Drop what is before a column."""
        for line in self._lines.values():
            line.forget(first)

    def signals(self, first: int, end: int) -> list[LineSignal]:
        """Every line over the columns from ``first`` up to ``end``; nothing after ``first`` was forgotten."""
        found: list[LineSignal] = []
        for name, letter in LINES.items():
            if (line := self._lines.get(letter)) is not None:
                edges, rises = line.counted(end)
                found.append({"line": name, "edges": edges, "rises": rises, "runs": line.coded(first, end)})
        return found
