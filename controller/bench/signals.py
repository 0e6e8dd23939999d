"""The lines of a table's sensor head over the last seconds: the bench's logic analyser.

Each line has a letter for every column of 5 ms. The window follows the lines while they change and shortly after;
then it stands, so that the last spin stays in sight.
"""

import re
from collections import deque
from collections.abc import Mapping
from itertools import islice
from typing import Final, TypedDict

from hal.events import LINES, EdgeBatch

COLUMN_NS: Final = 5_000_000
COLUMNS: Final = 1600
"""Of the window: eight seconds."""
STILL_COLUMNS: Final = 60
"""So many columns after the last change are shown: 0.3 s."""
RATE_COLUMNS: Final = 100
"""The rate of edges is that of the last half second."""
_RUN = re.compile(r"(.)\1*")


class LineSignal(TypedDict):
    """A line of a sensor head over the last seconds, as the page draws it."""

    line: str
    level: bool
    """Now."""
    rate: int
    """Edges a second."""
    runs: str
    """The columns of the window from the first to the last: a letter and how many alike, which is left out for one:
    ``l120bh35``. ``l`` low, ``h`` high, ``b`` both as the line changes within it, ``x`` not known."""


class _Line:
    def __init__(self) -> None:
        self.level: bool | None = None
        """From the window's end on; None if it is not known."""
        self.columns = deque("x" * COLUMNS, COLUMNS)
        self.edges = deque([0] * COLUMNS, COLUMNS)
        """How many there are in each column."""

    def write(self, columns: int) -> None:
        """The level holds for so many columns."""
        letter = "x" if self.level is None else "lh"[self.level]
        self.columns.extend(letter * columns)
        self.edges.extend([0] * columns)


class Signals:
    """A listener of a table's edges, also across restarts and changes of its wheel."""

    def __init__(self) -> None:
        self._end = self._changed = 0
        """The first column that is not written yet, and that of the last change."""
        self._lines: dict[str, _Line] = {}
        """By their letters."""

    def _write(self, end: int) -> None:
        """The levels hold up to a column, which is not one of them."""
        for line in self._lines.values() if end > self._end else ():
            line.write(min(end - self._end, COLUMNS))
        self._end = max(end, self._end)

    def __call__(self, batch: EdgeBatch) -> None:
        """Take a batch; the table calls this. An edge that comes late counts as of the last column."""
        for edge, at_ns in zip(batch.edges.decode(), batch.timestamps_ns, strict=True):
            line = self._lines.get(edge.upper())
            if line is not None:
                self._changed = at_ns // COLUMN_NS
                self._write(self._changed + 1)
                line.level = edge.isupper()
                line.columns[-1] = "b"
                line.edges[-1] += 1

    def read(self, levels: Mapping[str, bool | None], at_ns: int, due_ns: int = 0) -> None:
        """Take the levels of lines as they were read; None if they are not known, as without power."""
        for letter, level in levels.items():
            line = self._lines.setdefault(letter, _Line())
            if line.level is not level:
                self._changed = at_ns // COLUMN_NS
                self._write(self._changed)
                line.level = level

    @property
    def levels(self) -> dict[str, bool | None]:
        """The last known level of each line, by its letter."""
        return {letter: line.level for letter, line in self._lines.items()}

    def document(self, now_ns: int) -> list[LineSignal]:
        """The window, up to the last whole column at most; every edge before it has come."""
        now = now_ns // COLUMN_NS
        self._write(min(now, self._changed + STILL_COLUMNS))
        recent = max(0, RATE_COLUMNS - (now - self._end))
        seconds = RATE_COLUMNS * COLUMN_NS / 1e9
        return [
            {
                "line": name,
                "level": bool(line.level),
                "rate": round(sum(islice(reversed(line.edges), recent)) / seconds),
                "runs": "".join(map(_coded, _RUN.finditer("".join(line.columns)))),
            }
            for name, line in ((name, self._lines.get(letter)) for name, letter in LINES.items())
            if line is not None
        ]


def _coded(run: re.Match[str]) -> str:
    return run[1] if len(run[0]) == 1 else f"{run[1]}{len(run[0])}"
