"""The spins whose edges are kept beside a journal, one after the other, each with what the table said of it.

A stretch of the trace ends when the wheel rests; a long spin of a fine encoder is kept in several. So stretches
that follow one another without a pause are put together, and those with a pause are taken apart.
"""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from controller.events.event import WheelRested
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.journal.replay.trace import EdgeStretch, Traces

_READ = ("wheel-rested", "table-started", "power-restored")
"""The kinds of entries that say something of spins."""
_LATER_NS = 1_000_000_000
"""A clapper that swings after the wheel has come to rest still belongs to its movement."""


@dataclass(slots=True)
class Movement:
    """Edges without a pause.

    Attributes:
        round: in which it began.
        levels: of each line before the first edge, by letter.
        edges: one letter each.
        stamps: of each, in nanoseconds.
        lost: how many edges the kernel lost, at the least.
    """

    round: int
    levels: dict[str, bool]
    edges: bytearray = field(default_factory=bytearray)
    stamps: "array[int]" = field(default_factory=lambda: array("q"))
    lost: int = 0


@dataclass(frozen=True, slots=True)
class RecordedSpin:
    """A movement, and what the table said of it.

    Attributes:
        utc: wall time of the decision, ISO 8601; of the round's last entry if the rest is not on record.
        rested: what the table's sensors found; None if that is not on record.
    """

    movement: Movement
    utc: str
    rested: WheelRested | None


def movements(traces: Traces, rest_ns: int) -> Iterator[Movement]:
    """The movements of all rounds that are kept, in order.

    Args:
        rest_ns: a pause between two movements is at least so long.
    """
    open_: Movement | None = None
    for number in traces.rounds():
        for stretch in traces.of(number):
            if open_ is not None and not stretch.edges:
                open_.lost += _unseen(stretch, -1, 0)
            for part in parts(number, stretch, rest_ns):
                if open_ is not None and 0 <= part.stamps[0] - open_.stamps[-1] < rest_ns:
                    open_.edges += part.edges
                    open_.stamps.extend(part.stamps)
                    open_.lost += part.lost
                    continue
                if open_ is not None:
                    yield open_
                open_ = part
    if open_ is not None:
        yield open_


def parts(number: int, stretch: EdgeStretch, rest_ns: int) -> Iterator[Movement]:
    """A stretch of a round, cut at its pauses, and where time ran backwards."""
    stamps = stretch.stamps_ns
    steps = (after - before for before, after in pairwise(stamps))
    cuts = [place for place, step in enumerate(steps, 1) if not 0 <= step < rest_ns]
    for first, end in pairwise([0, *cuts, len(stamps)]):
        edges = stretch.edges[first:end]
        if edges:
            lost = sum(many for place, many in stretch.lost.items() if first <= place < end)
            lost += _unseen(stretch, first or -1, end)
            yield Movement(number, stretch.levels_at(first), bytearray(edges), stamps[first:end], lost)


def _unseen(stretch: EdgeStretch, after: int, until: int) -> int:
    """How many lines had changed without an edge where their levels were read at rest, between two places."""
    return sum(len(reading.unseen) for reading in stretch.readings if after < reading.place <= until)


def was_touched(rested: WheelRested) -> bool:
    """Whether a spin was void because a hand was on the running wheel."""
    return bool(rested.touched) or rested.abrupt


class RecordedWheel:
    """What a journal says of a wheel's rests, for the rounds whose edges are kept.

    Raises:
        JournalError: the journal cannot be read.
    """

    def __init__(self, journal: Journal, rounds: list[int]) -> None:
        self.starts: list[str] = []
        """Wall times at which the table was started."""
        self._rests: dict[int, list[tuple[str, WheelRested]]] = {}
        self._last: dict[int, str] = {}
        if not rounds:
            return
        for entry in journal.entries(round_=rounds[0], until_round=rounds[-1]):
            self._last[entry.round] = entry.utc
            if entry.kind not in _READ:
                continue
            event = of_entry(entry).event
            if isinstance(event, WheelRested):
                self._rests.setdefault(entry.round, []).append((entry.utc, event))
            else:
                self.starts.append(entry.utc)

    def spin(self, movement: Movement) -> RecordedSpin:
        """A movement with what is on record of it."""
        last_ns = movement.stamps[-1]
        for number in (movement.round, movement.round + 1):
            for utc, rested in self._rests.get(number, ()):
                if movement.stamps[0] < rested.at_ns and last_ns < rested.at_ns + _LATER_NS:
                    return RecordedSpin(movement, utc, rested)
        return RecordedSpin(movement, self._last.get(movement.round, ""), None)

    def since(self, day: str) -> str:
        """From when on spins were made with a calibration of a day: from the day's last start of the table.

        Args:
            day: ISO 8601, in UTC.
        """
        return max((utc for utc in self.starts if utc.startswith(day)), default=day)
