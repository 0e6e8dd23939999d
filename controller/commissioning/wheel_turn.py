"""One turn of a wheel by hand, from index to index: do encoder, index and clapper agree? Used by the self-test."""

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from controller.commissioning.wheel_recording import MeasurementError, WheelRecording

_TOLERANCE_COUNTS = 1  # An index edge may coincide with the edge of a count.
_UNEVEN_PART = 0.25


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn in one direction.

    Attributes:
        direction: +1 counterclockwise, -1 clockwise.
        counts: of the encoder, from index to index.
        strikes: how often a peg closed the clapper's contact.
        farthest_deg: how far the worst strike lies from where even pegs would have it.
    """

    direction: int
    counts: int
    strikes: int
    farthest_deg: float


def last_turn(recording: WheelRecording, counts_per_turn: int, sections: int, debounce_ns: int) -> Turn:
    """The last whole turn of a recording.

    Raises:
        MeasurementError: there is none, or it does not fit the wheel.
    """
    if recording.lost:
        raise MeasurementError("edges of the encoder were lost, or came out of order; look at its lines A and B")
    for begin, end in reversed(list(pairwise(recording.marks()))):
        if begin.direction == end.direction and (end.count - begin.count) * end.direction > 0:
            break
    else:
        raise MeasurementError(
            "the wheel has not made a full turn in one direction, or the index was not seen; turn it once around, "
            "and a little more"
        )
    turned = abs(end.count - begin.count)
    if abs(turned - counts_per_turn) > _TOLERANCE_COUNTS:
        raise MeasurementError(
            f"the encoder gave {turned} counts in a turn, and counts_per_turn says {counts_per_turn}; correct it, "
            "or see that no pulse is lost"
        )
    struck = [struck for struck, _ in recording.passes(debounce_ns) if begin.at_ns <= struck.at_ns < end.at_ns]
    farthest = _farthest_deg([edge.place / counts_per_turn for edge in struck], sections)
    if len(struck) != sections or farthest > _UNEVEN_PART * 360 / sections:
        raise MeasurementError(
            f"the clapper was struck {len(struck)} times in a turn by {sections} pegs, up to {farthest:.1f} "
            "degrees off; see that the encoder does not slip and the contact does not chatter, and turn again"
        )
    return Turn(end.direction, turned, len(struck), farthest)


def _farthest_deg(turns: Sequence[float], sections: int) -> float:
    """The largest distance from even places, in degrees."""
    phases = [place * sections for place in turns]
    mean = cmath.phase(sum(cmath.exp(2j * math.pi * phase) for phase in phases)) / (2 * math.pi)
    return max((abs((phase - mean + 0.5) % 1 - 0.5) * 360 / sections for phase in phases), default=0.0)
