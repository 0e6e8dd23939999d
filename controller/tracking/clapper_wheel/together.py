"""Edges that fall together: an index that is gated with A or B changes with them, in either order.

Which comes first, within microseconds, says nothing. So the encoder's edge is always taken first: it shows at which
count the index changed, and which way the wheel moved.
"""

import re
from collections.abc import Sequence

from controller.tracking.motion import NEVER
from hal.events import ENCODER_A, ENCODER_B, INDEX

_TOGETHER_NS = 20_000
"""Two gates of an encoder switch within so long. At the fastest, a fine encoder's own edges are 55 µs apart."""
INDEX_RISES, INDEX_FALLS = INDEX.encode(), INDEX.lower().encode()
_INDEX_EDGES = INDEX_RISES + INDEX_FALLS
_ENCODER_EDGE = re.compile(f"[{ENCODER_A}{ENCODER_B}]".encode(), re.IGNORECASE)


class TrailingIndex:
    """Holds back an edge of the index that is the last one of a batch, until it is clear what follows.

    Attributes:
        held: that edge; empty if none is held back.
    """

    def __init__(self) -> None:
        self.held = b""
        self._at_ns = 0

    @property
    def due_ns(self) -> int:
        """When nothing can fall together with it any more; :data:`NEVER` if none is held back."""
        return self._at_ns + _TOGETHER_NS if self.held else NEVER

    def level(self, before: bool) -> bool:
        """The index's level after what is held back, if it was this before."""
        return self.held in INDEX_RISES if self.held else before

    def before(self, edges: bytes, stamps: Sequence[int]) -> tuple[bytes, Sequence[int]]:
        """A batch, with what was held back before it, and without what is held back of it."""
        if self.held:
            edges, stamps = self.held + edges, [self._at_ns, *stamps]
            self.held = b""
        if edges[-1] in _INDEX_EDGES:
            self.held, self._at_ns = edges[-1:], stamps[-1]
            edges, stamps = edges[:-1], stamps[:-1]
        return edges, stamps

    def take(self) -> tuple[bytes, Sequence[int]]:
        """What is held back: nothing follows it."""
        edge, self.held = self.held, b""
        return edge, [self._at_ns]


def in_order(edges: bytes, stamps: Sequence[int]) -> tuple[bytes, Sequence[int]]:
    """A batch in which the encoder's edge comes before the edge of the index with which it falls together."""
    place = next_index(edges, 0)
    while place < len(edges):
        encoder = _ENCODER_EDGE.search(edges, place)
        if encoder is None:
            break
        at = encoder.start()
        if stamps[at] - stamps[place] <= _TOGETHER_NS:
            edges = edges[:place] + edges[at : at + 1] + edges[place:at] + edges[at + 1 :]
            stamps = [*stamps[:place], stamps[at], *stamps[place:at], *stamps[at + 1 :]]
            place += 1
        place = next_index(edges, place + 1)
    return edges, stamps


def next_index(edges: bytes, first: int) -> int:
    """The next edge of the index from there on, or the end."""
    rises, falls = edges.find(INDEX_RISES, first), edges.find(INDEX_FALLS, first)
    if rises == falls:  # There is neither.
        return len(edges)
    return min(rises, falls) if rises >= 0 <= falls else max(rises, falls)
