"""The edges of a recorded wheel, by degrees: the index mark, strikes, and places where the leather slips off."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from controller.commissioning.wheel_recording import Passing, WheelRecording

_INDEX_SLACK = 2
_CLOSED_PART = 0.6


class MeasurementError(Exception):
    """The recording does not give the geometry. The message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A strike or a slip: degrees from the index mark, degrees a second, the peg from the index on."""

    at_deg: float
    speed: float
    direction: int
    peg: int = 0


class RecordedEdges:
    """The edges of index and contact, by degrees.

    Args:
        counts_per_turn: as the table's file has it.
        debounce_ns: how long the contact may chatter.
    """

    def __init__(self, recording: WheelRecording, counts_per_turn: int, debounce_ns: int) -> None:
        self._recording = recording
        self._turn = counts_per_turn
        self._debounce_ns = debounce_ns

    # -- the index -------------------------------------------------------------------------------------------

    def origin(self) -> tuple[int, float]:
        """The count at the index mark, and how far its crossings lie apart, in degrees.

        Raises:
            MeasurementError: it was not seen often enough, or its crossings do not agree.
        """
        marks = [edge for edge in self._recording.index() if edge.direction and edge.rises == (edge.direction > 0)]
        if len(marks) < 3:
            raise MeasurementError("the index was not seen in two turns; look at its line, and record again")
        apart = Counter(
            abs(other.count - one.count) for one, other in pairwise(marks) if one.direction == other.direction
        )
        usual = apart.most_common(1)[0][0] if apart else 0
        if abs(usual - self._turn) > _INDEX_SLACK:
            raise MeasurementError(
                f"the encoder gave {usual} counts in a turn, and counts_per_turn says {self._turn}; correct it, "
                "or see that no pulse is lost"
            )
        base = marks[0].count
        off = Counter((mark.count - base + self._turn // 2) % self._turn - self._turn // 2 for mark in marks)
        if max(off) - min(off) > _INDEX_SLACK:
            raise MeasurementError(
                f"{max(off) - min(off)} counts went astray between two turns; look at the encoder's lines and its "
                "coupling, and record again"
            )
        return base + off.most_common(1)[0][0], (max(off) - min(off)) * 360 / self._turn

    # -- the contact -----------------------------------------------------------------------------------------

    def contact(self, origin: int) -> tuple[list[Edge], list[Edge]]:
        """Strikes, and openings while the wheel moved on.

        Raises:
            MeasurementError: the contact never changed, or is closed most of the time.
        """
        edges = list(self._recording.contact())
        self._check_contact(edges)
        strikes: list[Edge] = []
        slips: list[Edge] = []
        closed = self._recording.levels["C"]
        changed_ns = -self._debounce_ns
        struck: Passing | None = None
        opened: Passing | None = None
        for edge in edges:
            if edge.rises and not closed and edge.at_ns - changed_ns >= self._debounce_ns:
                self._slip(struck, opened, origin, slips)
                struck, opened = edge, None
                strikes.append(self._edge(edge, origin))
            elif not edge.rises and (opened is None or edge.at_ns - opened.at_ns > self._debounce_ns):
                opened = edge
            closed, changed_ns = edge.rises, edge.at_ns
        self._slip(struck, opened, origin, slips)
        return [edge for edge in strikes if edge.speed > 0], slips

    def _slip(self, struck: Passing | None, opened: Passing | None, origin: int, slips: list[Edge]) -> None:
        if struck is None or opened is None or opened.direction != struck.direction or not opened.speed:
            return
        if struck.speed and (opened.place - struck.place) * struck.direction > 0:
            slips.append(self._edge(opened, origin))

    def _edge(self, passing: Passing, origin: int) -> Edge:
        degree = 360 / self._turn
        return Edge((passing.place - origin) * degree, passing.speed * degree, passing.direction)

    def _check_contact(self, edges: Sequence[Passing]) -> None:
        if not edges:
            raise MeasurementError("the clapper's contact never changed; look at its line and at the leather")
        # By the way that the wheel made: it may stand on a peg for as long as anybody likes.
        closed = whole = 0.0
        for one, other in pairwise(edges):
            way = abs(other.place - one.place)
            whole += way
            closed += way if one.rises else 0.0
        if closed > _CLOSED_PART * whole:
            raise MeasurementError(
                "the clapper's contact is closed most of the time: it works the wrong way round (use its other "
                "terminal), or the leather rests against the pegs"
            )
