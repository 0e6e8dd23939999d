"""Edges of a table's sensors that are not stored yet."""

from array import array
from collections.abc import Callable
from typing import Final

from hal.events import EdgeBatch

LONGEST: Final = 50_000
"""The most edges that are kept in memory before they are written."""


class EdgeBuffer:
    """Takes batches of edges, as they come.

    Args:
        full: called once there are more than :data:`LONGEST` edges; it empties the buffer.

    Attributes:
        edges: one letter each.
        stamps_ns: monotonic time of each.
        lost: the number of edges that the kernel lost in or before a batch, by the index of its first edge.
    """

    def __init__(self, full: Callable[[], None]) -> None:
        self._full = full
        self._next_seqno: int | None = None
        self.empty()

    def empty(self) -> None:
        """Begin anew; what was taken is left to whoever has it."""
        self.edges = bytearray()
        self.stamps_ns = array("q")
        self.lost: dict[int, int] = {}

    def take(self, batch: EdgeBatch) -> None:
        """Take a batch of edges."""
        edges, kept = batch.edges, self.edges
        if not edges:
            return
        next_seqno = batch.seqnos[-1] + 1
        # The commonest case first: as many edges as numbers since the batch before.
        if next_seqno - len(edges) != self._next_seqno and (lost := batch.lost(self._next_seqno)):
            self.lost[len(kept)] = lost
        self._next_seqno = next_seqno
        kept += edges
        self.stamps_ns.extend(batch.timestamps_ns)
        if len(kept) > LONGEST:
            self._full()
