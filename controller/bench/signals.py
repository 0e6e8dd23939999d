"""The lines of a table's sensor head over the last seconds: the bench's logic analyser.

Fed by a table's edges, as :class:`~controller.bench.rates.EdgeRates` is, and told the time by whoever looks. The
window follows the lines while they change and shortly after; then it stands, so that a table at rest has nothing
new to say.
"""

from collections.abc import Mapping
from typing import Final

from controller.bench.documents import Signals
from controller.bench.signal_columns import SignalColumns
from hal.events import EdgeBatch

COLUMN_NS: Final = 5_000_000
COLUMNS: Final = 1600
"""Of the window: eight seconds."""
STILL_COLUMNS: Final = 60
"""So many columns after the last change are shown: 0.3 s."""
_NS_PER_S = 1_000_000_000


class SignalWindow:
    """A listener of a table's edges, also across restarts and changes of its wheel.

    Args:
        zero_ns: the time from which the documents count, and before which nothing is known.
    """

    def __init__(self, zero_ns: int) -> None:
        self._zero_ns = self._seen_ns = zero_ns
        self._columns = SignalColumns(COLUMN_NS, zero_ns)
        self._changed_ns = zero_ns
        """When a line changed for the last time, or the table was started."""
        self._document: Signals | None = None

    def restart(self, levels: Mapping[str, bool], at_ns: int) -> None:
        """The table starts: what the lines did since they were last seen is not known.

        Args:
            levels: of each line of the head, by its letter; another head may have other lines.
        """
        if self._columns.letters != levels.keys():
            self._columns = SignalColumns(COLUMN_NS, self._zero_ns)
        self._columns.end(self._seen_ns)
        self._columns.begin(levels, at_ns)
        self._saw_change(at_ns)

    def __call__(self, batch: EdgeBatch) -> None:
        """Take a batch; the table calls this."""
        if len(batch):
            self._columns.take(batch.edges, batch.timestamps_ns)
            self._saw_change(batch.timestamps_ns[-1])

    def read(self, levels: Mapping[str, bool], at_ns: int, due_ns: int = 0) -> None:
        """Take levels that the table read at rest: a line may have changed without an edge."""
        if self._columns.read(levels, at_ns):
            self._saw_change(at_ns)

    def advance(self, now_ns: int) -> None:
        """Time has passed at a table that runs, and all its edges up to now came."""
        self._seen_ns = max(self._seen_ns, now_ns)
        last = self._columns.column(self._changed_ns) + STILL_COLUMNS
        self._show(min(last, self._columns.column(now_ns)))

    def document(self) -> Signals | None:
        """The window up to the last :meth:`advance`; None for a table without a sensor head."""
        return self._document

    def _saw_change(self, at_ns: int) -> None:
        self._changed_ns = max(self._changed_ns, at_ns)
        self._seen_ns = max(self._seen_ns, at_ns)

    def _show(self, end: int) -> None:
        """The columns up to ``end``, which is not over yet, nor shown."""
        end_s = end * COLUMN_NS / _NS_PER_S
        if not self._columns.letters or (self._document is not None and self._document["end_s"] == end_s):
            return
        first = end - COLUMNS
        self._columns.forget(first)
        self._document = {
            "end_s": end_s,
            "column_ms": COLUMN_NS / 1_000_000,
            "columns": COLUMNS,
            "lines": self._columns.signals(first, end),
        }
