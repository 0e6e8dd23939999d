"""One batch of a sensor head's edges, taken apart: the encoder's train, and what lies between its edges."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, count
from operator import add
from typing import Final, overload

from hal.events import BALL_1, BALL_2, CLAPPER, ENCODER_A, ENCODER_B, INDEX


def _either(*lines: str) -> bytes:
    return "".join(line + line.lower() for line in lines).encode()


ENCODER: Final = _either(ENCODER_A, ENCODER_B)
"""The letters of the encoder's lines."""
OTHERS: Final = _either(INDEX, CLAPPER, BALL_1, BALL_2)
"""The letters of the other lines."""
SWAP_A_B: Final = bytes.maketrans(b"AaBb", b"BbAa")
"""Turns the letters of an encoder that counts backwards into those of one that does not."""
_MARK: Final = b"."
_MARK_OTHERS: Final = bytes.maketrans(OTHERS, _MARK * len(OTHERS))


class TrainStamps:
    """The stamps of the encoder's edges alone, looked up where they stand among all stamps of the batch.

    Few are ever asked for, so no list of them is made.

    Args:
        others: how many edges of the encoder come before each of the other edges.
        first: where the first of all these edges stands.
    """

    __slots__ = ("_first", "_others", "_stamps")

    def __init__(self, stamps: Sequence[int], others: Sequence[int], first: int = 0) -> None:
        self._stamps = stamps
        self._others = others
        self._first = first

    @overload
    def __getitem__(self, place: int, /) -> int: ...
    @overload
    def __getitem__(self, place: slice, /) -> Sequence[int]: ...
    def __getitem__(self, place: int | slice, /) -> int | Sequence[int]:
        if isinstance(place, int):
            return self._stamps[self._first + place + bisect_right(self._others, place)]
        others = self._others
        before, after = bisect_right(others, place.start), bisect_right(others, place.stop - 1)
        begin = place.start + before
        found = list(self._stamps[self._first + begin : self._first + place.stop + after])
        for other in range(after - 1, before - 1, -1):
            del found[others[other] + other - begin]
        return found

    def at(self, places: Sequence[int]) -> list[int]:
        """The stamps at many places, in ascending order."""
        stamps, others, first = self._stamps, self._others, self._first
        found: list[int] = []
        before, end = 0, len(others)
        for place in places:
            while before < end and others[before] <= place:
                before += 1
            found.append(stamps[first + place + before])
        return found


Stamps = Sequence[int] | TrainStamps
"""Time stamps by the place of the edge, or of a slice without a step."""


def stamps_at(stamps: Stamps, places: Sequence[int]) -> list[int]:
    """The stamps at many places, in ascending order."""
    return stamps.at(places) if isinstance(stamps, TrainStamps) else list(map(stamps.__getitem__, places))


@dataclass(slots=True)
class Reading:
    """A batch, taken apart.

    Attributes:
        train: the encoder's edges.
        train_ns: their stamps.
        others: the edges of index, clapper and ball beams.
        others_ns: their stamps.
        places: how many edges of the encoder come before each of those.
    """

    train: bytes
    train_ns: Stamps
    others: bytes
    others_ns: Sequence[int]
    places: Sequence[int]


def read(edges: bytes, train: bytes, stamps: Sequence[int]) -> Reading:
    """Take the edges of a batch apart; ``train`` are those of the encoder."""
    places = list(accumulate(map(len, edges.translate(_MARK_OTHERS).split(_MARK))))
    del places[-1]  # What comes after the last of the others is no place of one.
    others_ns = list(map(stamps.__getitem__, map(add, places, count())))
    return Reading(train, TrainStamps(stamps, places), edges.translate(None, ENCODER), others_ns, places)
