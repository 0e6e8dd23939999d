"""The lines of a table's sensor head over the last seconds: the bench's logic analyser.

Fed by a table's edges, and told the time by whoever looks. Each line has a letter for every column of 5 ms, and the
edges in it. The window follows the lines while they change and shortly after; then it stands, so that a table at
rest has nothing new to say.
"""

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Mapping
from typing import Final

from controller.bench.documents import LineSignal, Signals
from hal.events import LINES, EdgeBatch

COLUMN_NS: Final = 5_000_000
COLUMNS: Final = 1600
"""Of the window: eight seconds."""
STILL_COLUMNS: Final = 60
"""So many columns after the last change are shown: 0.3 s."""
RATE_COLUMNS: Final = 100
"""The rate of edges is that of the last half second."""
_KEPT = COLUMNS + 2 * STILL_COLUMNS
_NS_PER_S = 1_000_000_000
_RUN = re.compile(r"(.)\1*")


class _Line:
    """One line, from a column on in which nothing is known of it.

    Attributes:
        level: ``l``, ``h`` or ``x`` (not known), after the last edge or reading.
    """

    def __init__(self, column: int) -> None:
        self.level = "x"
        self._end = column
        """The first column that is not written yet: the level holds from there on."""
        self._columns = deque("x" * _KEPT, _KEPT)
        """The columns before it; ``b`` for one in which the line changes."""
        self._counts: deque[tuple[int, int, int]] = deque(maxlen=_KEPT)
        """Of columns with edges: the column, its edges, and how many of them rise."""

    def write(self, end: int) -> None:
        """The level holds up to a column, which is not one of them."""
        if end > self._end:
            self._columns.extend(self.level * min(end - self._end, _KEPT))
            self._end = end

    def change(self, column: int, level: str, edges: int = 0, rises: int = 0) -> None:
        """It changes in a column, and has this level after it. What comes late counts as of the last column."""
        column = max(column, self._end - 1)
        self.write(column + 1)
        self._columns[-1] = "b"
        self.level = level
        if edges:
            self._counts.append((column, edges, rises))

    def counted(self, first: int, end: int) -> tuple[int, int]:
        """The edges from a column up to another, and how many of them rise."""
        within = [(edges, rises) for column, edges, rises in self._counts if first <= column < end]
        return sum(edges for edges, _ in within), sum(rises for _, rises in within)

    def coded(self, first: int, end: int) -> str:
        """The columns from ``first`` up to ``end``, as runs of one letter each."""
        self.write(end)
        before = self._end - len(self._columns)
        letters = "".join(self._columns)[first - before : end - before]
        runs = ((run[1], len(run[0])) for run in _RUN.finditer(letters))
        return "".join(letter if length == 1 else f"{letter}{length}" for letter, length in runs)


class SignalWindow:
    """A listener of a table's edges, also across restarts and changes of its wheel.

    Args:
        zero_ns: the time from which the documents count, and before which nothing is known.
    """

    def __init__(self, zero_ns: int) -> None:
        self._zero_ns = self._seen_ns = self._changed_ns = zero_ns
        """When it was looked at last, and when a line changed last or the table was started."""
        self._lines: dict[str, _Line] = {}
        """By their letters."""
        self._document: Signals | None = None

    def _column(self, at_ns: int) -> int:
        return max(0, (at_ns - self._zero_ns) // COLUMN_NS)

    def restart(self, levels: Mapping[str, bool], at_ns: int) -> None:
        """The table starts: what the lines did since they were last seen is not known.

        Args:
            levels: of each line of the head, by its letter; another head may have other lines.
        """
        begin = self._column(at_ns)
        unseen = min(begin, self._column(self._seen_ns) + 1)
        if self._lines.keys() != levels.keys():
            self._lines = {letter: _Line(begin) for letter in levels}
        for letter, high in levels.items():
            line = self._lines[letter]
            line.write(unseen)
            line.level = "x"
            line.write(begin)
            line.level = _level(high)
        self._saw_change(at_ns)

    def __call__(self, batch: EdgeBatch) -> None:
        """Take a batch; the table calls this."""
        stamps_ns, edges, first = batch.timestamps_ns, batch.edges, 0
        while first < len(edges):
            column = self._column(stamps_ns[first])
            end = bisect_left(stamps_ns, self._zero_ns + (column + 1) * COLUMN_NS, first)
            end = max(end, first + 1)  # Stamps that run backwards are in no order.
            self._take(column, edges[first:end])
            first = end
        if edges:
            self._saw_change(stamps_ns[-1])

    def _take(self, column: int, edges: bytes) -> None:
        for letter, line in self._lines.items():
            rising, falling = letter.encode(), letter.lower().encode()
            rises = edges.count(rising)
            if count := rises + edges.count(falling):
                line.change(column, _level(edges.rfind(rising) > edges.rfind(falling)), count, rises)

    def read(self, levels: Mapping[str, bool], at_ns: int, due_ns: int = 0) -> None:
        """Take levels that the table read at rest: a line may have changed without an edge."""
        for letter, high in levels.items():
            line = self._lines.get(letter)
            if line is not None and line.level != _level(high):
                line.change(self._column(at_ns), _level(high))
                self._saw_change(at_ns)

    def rate(self, line: str, now_ns: int) -> int:
        """The edges per second of a line, rising and falling."""
        found, end = self._lines.get(LINES[line]), self._column(now_ns) + 1
        edges = found.counted(end - RATE_COLUMNS, end)[0] if found is not None else 0
        return edges * _NS_PER_S // (RATE_COLUMNS * COLUMN_NS)

    def advance(self, now_ns: int) -> None:
        """Time has passed at a table that runs, and all its edges up to now came."""
        self._seen_ns = max(self._seen_ns, now_ns)
        # The last column is not over yet, and not shown.
        end = min(self._column(self._changed_ns) + STILL_COLUMNS, self._column(now_ns))
        end_s, first = end * COLUMN_NS / _NS_PER_S, end - COLUMNS
        if not self._lines or (self._document is not None and self._document["end_s"] == end_s):
            return
        signals: list[LineSignal] = []
        for name, letter in LINES.items():
            if (line := self._lines.get(letter)) is not None:
                edges, rises = line.counted(first, end)
                signals.append({"line": name, "edges": edges, "rises": rises, "runs": line.coded(first, end)})
        self._document = {
            "end_s": end_s,
            "column_ms": COLUMN_NS / 1_000_000,
            "columns": COLUMNS,
            "lines": signals,
        }

    def document(self) -> Signals | None:
        """The window up to the last :meth:`advance`; None for a table without a sensor head."""
        return self._document

    def _saw_change(self, at_ns: int) -> None:
        self._changed_ns = max(self._changed_ns, at_ns)
        self._seen_ns = max(self._seen_ns, at_ns)


def _level(high: bool) -> str:
    return "h" if high else "l"
