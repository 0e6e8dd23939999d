"""A round's movements as plots: the wheel's angle and speed, the clapper's strikes, the ball's passes."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest

from controller.drawing.plots import Curve, Events, Mark, Plot
from controller.events.event import (
    BallLeftTrack,
    BallRevolution,
    BallThrown,
    Direction,
    RevolutionCompleted,
    WheelRested,
    WheelThrown,
)
from controller.events.table_words import TABLE_WORDS
from controller.events.text import revolutions, text_of
from controller.events.words import Text, say
from controller.journal.replay.edge_replay import Run
from controller.journal.replay.trace import EdgeStretch, LevelReading
from controller.tracking.clapper_wheel.edges import Contact
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.motion import direction_of
from controller.tracking.quadrature import Quadrature
from controller.tracking.roulette.rotor import RotorGeometry
from controller.tracking.tracker import SWAP_A_B
from hal.events import BALL_1, BALL_2, CLAPPER, ENCODER_A, ENCODER_B

_NS = 1_000_000_000
_SAMPLES = 280
_BEFORE_NS, _AFTER_NS = 1_000_000_000, 500_000_000
"""How long the rotor is shown before and after the ball's run."""
_SLOWEST_NS = 4_000_000_000
"""The longest time between two passes of a beam in one run of the ball."""
_ENCODER = (ENCODER_A + ENCODER_A.lower() + ENCODER_B + ENCODER_B.lower()).encode()


@dataclass(slots=True)
class RecordedMotion:
    """The position of wheel or rotor over time, in counts from the round's first stored edge.

    Attributes:
        stamps: times of the encoder's edges.
        counts: the position after each; it grows counterclockwise.
        others: letters of the other edges.
        others_ns: their times.
        clapper: levels of the contact that were read at rest, after so many other edges, and when.
    """

    stamps: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    others: bytearray = field(default_factory=bytearray)
    others_ns: list[int] = field(default_factory=list)
    clapper: list[tuple[int, bool, int]] = field(default_factory=list)

    @property
    def begin_ns(self) -> int:
        """The time of the first edge: what was before is not known."""
        return min((*self.stamps[:1], *self.others_ns[:1]), default=0)

    @property
    def end_ns(self) -> int:
        """The time of the last edge: what comes after is not known, and is no rest."""
        return max((*self.stamps[-1:], *self.others_ns[-1:]), default=0)

    def at(self, at_ns: int) -> int:
        """The position at a time, in counts."""
        place = bisect_right(self.stamps, at_ns)
        return self.counts[place - 1] if place else 0

    def first_after(self, at_ns: int) -> int:
        """The time of the first edge after a time; the same time if there is none."""
        place = bisect_right(self.stamps, at_ns)
        return self.stamps[place] if place < len(self.stamps) else at_ns

    def moments(self, letters: str, begin_ns: int, end_ns: int) -> list[int]:
        """The times of other edges with these letters."""
        codes = letters.encode()
        edges = zip(self.others, self.others_ns, strict=True)
        return [at_ns for letter, at_ns in edges if letter in codes and begin_ns <= at_ns <= end_ns]


def motion(stretches: Sequence[EdgeStretch], reversed_: bool) -> RecordedMotion:
    """Decode the edges of a round; the stretches may begin and end anywhere."""
    levels = stretches[0].levels
    a, b = levels[ENCODER_A], levels[ENCODER_B]
    quadrature = Quadrature(b, a) if reversed_ else Quadrature(a, b)
    found, count = RecordedMotion(), 0
    for stretch in stretches:
        edges = stretch.edges.translate(SWAP_A_B) if reversed_ else stretch.edges
        for letter, at_ns, read in zip_longest(edges, stretch.stamps_ns, _read_before(stretch)):
            if read is not None:
                a, b = read.levels[ENCODER_A], read.levels[ENCODER_B]
                quadrature.realign(*((b, a) if reversed_ else (a, b)))
                found.clapper.append((len(found.others), read.levels.get(CLAPPER, False), read.at_ns))
            if letter is None:
                break
            if letter in _ENCODER:
                count += quadrature.edge(letter)
                found.stamps.append(at_ns)
                found.counts.append(count)
            else:
                found.others.append(letter)
                found.others_ns.append(at_ns)
    return found


def _read_before(stretch: EdgeStretch) -> list[LevelReading | None]:
    """The reading before each edge, if there is one, and that after the last edge."""
    if not stretch.readings:
        return []
    before: list[LevelReading | None] = [None] * (len(stretch.edges) + 1)
    for reading in stretch.readings:
        before[reading.place] = reading
    return before


# -- a wheel with a clapper ----------------------------------------------------------------------------------------


def wheel_plots(run: Run, geometry: WheelGeometry, order: Sequence[str]) -> Iterator[Plot]:
    """A plot of each movement in which the wheel was thrown.

    Args:
        order: the sections' names.
    """
    position = motion(run.stretches, geometry.reversed)
    strikes = _strikes(run.stretches, position, geometry)
    thrown: WheelThrown | None = None
    begin_ns = position.first_after(-1)
    marks: list[RevolutionCompleted] = []
    for event in run.events:
        if isinstance(event, WheelThrown):
            thrown = event
        elif isinstance(event, RevolutionCompleted):
            marks.append(event)
        elif isinstance(event, WheelRested):
            if thrown is not None and begin_ns < event.at_ns:  # False if time stamps ran backwards.
                yield _spin(position, geometry, (begin_ns, event), marks, strikes, order)
            thrown, marks, begin_ns = None, [], position.first_after(event.at_ns)


def _strikes(stretches: Sequence[EdgeStretch], position: RecordedMotion, geometry: WheelGeometry) -> list[int]:
    contact, readings = Contact(stretches[0].levels[CLAPPER], geometry.debounce_ns), position.clapper[:]
    strikes = []
    for place, (letter, at_ns) in enumerate(zip(position.others, position.others_ns, strict=True)):
        while readings and readings[0][0] <= place:
            contact.realign(*readings.pop(0)[1:])
        if chr(letter) == CLAPPER.lower():
            contact.releases(at_ns)
        elif chr(letter) == CLAPPER and contact.strikes(at_ns, 0):
            strikes.append(at_ns)
    return strikes


def _spin(
    position: RecordedMotion,
    geometry: WheelGeometry,
    movement: tuple[int, WheelRested],
    marks: Sequence[RevolutionCompleted],
    strikes: Sequence[int],
    order: Sequence[str],
) -> Plot:
    begin_ns, rested = movement
    way = rested.direction or Direction.COUNTERCLOCKWISE
    seconds = (rested.at_ns - begin_ns) / _NS
    turned = revolutions(rested.travel_counts, rested.counts_per_turn)
    return Plot(
        f"the wheel, {way.value}: {turned} revolutions, at rest after {seconds:.2f} s",
        seconds,
        _curves(position, geometry.counts_per_turn, way, (begin_ns, rested.at_ns), begin_ns),
        (Events("strikes", tuple((at - begin_ns) / _NS for at in strikes if begin_ns <= at <= rested.at_ns)),),
        tuple(Mark(str(mark.number), (mark.at_ns - begin_ns) / _NS) for mark in marks),
        Mark(_resting_place(rested, order), seconds),
    )


def _resting_place(rested: WheelRested, order: Sequence[str]) -> str:
    """Where the wheel came to rest."""
    if rested.section is not None:
        return f"at rest on {order[rested.section]}, section {rested.section + 1} of {len(order)}"
    if rested.boundary is not None:
        return f"at rest between {order[rested.boundary - 1]} and {order[rested.boundary]}"
    fault = rested.fault
    return f"at rest; {say(TABLE_WORDS, Text('fault', fault.parameters)) if fault else 'the position is not known'}"


def _curves(
    position: RecordedMotion, turn: int, way: Direction, movement: tuple[int, int], zero_ns: int
) -> tuple[Curve, Curve]:
    """Angle and speed, in the direction of travel.

    Args:
        turn: counts of a turn.
        movement: when the curves begin and end.
        zero_ns: where the time axis begins.
    """
    begin_ns, end_ns = movement
    sign = 1 if way is direction_of(1) else -1
    step_ns = max(1, (end_ns - begin_ns) // _SAMPLES)
    around_ns = 4 * step_ns  # On either side: a speed over only a few counts would be stepped.
    start = position.at(begin_ns - 1)
    angle, speed = [], []
    for at_ns in range(begin_ns, end_ns + 1, step_ns):
        at = (at_ns - zero_ns) / _NS
        angle.append((at, sign * (position.at(at_ns) - start) / turn))
        moved = position.at(min(at_ns + around_ns, end_ns)) - position.at(max(at_ns - around_ns, begin_ns - 1))
        window_ns = max(1, min(at_ns + around_ns, end_ns) - max(at_ns - around_ns, begin_ns - 1))
        speed.append((at, sign * moved * _NS / (turn * window_ns)))
    return Curve("angle, turns", tuple(angle)), Curve("speed, turns a second", tuple(speed))


# -- a roulette wheel ----------------------------------------------------------------------------------------------


def rotor_plots(run: Run, geometry: RotorGeometry) -> Iterator[Plot]:
    """A plot of each run of the ball, with the rotor."""
    position = motion(run.stretches, geometry.reversed)
    thrown: BallThrown | None = None
    marks: list[BallRevolution] = []
    for event in run.events:
        if isinstance(event, BallThrown):
            thrown, marks = event, []
        elif isinstance(event, BallRevolution):
            marks.append(event)
        elif isinstance(event, BallLeftTrack) and thrown is not None:
            yield _ball_run(position, geometry, thrown, marks, event)
            thrown = None


def _ball_run(
    position: RecordedMotion,
    geometry: RotorGeometry,
    thrown: BallThrown,
    marks: Sequence[BallRevolution],
    left: BallLeftTrack,
) -> Plot:
    passes = position.moments(BALL_1 + BALL_2, thrown.at_ns - _SLOWEST_NS, thrown.at_ns)
    begin_ns = min([*passes, thrown.at_ns]) - _BEFORE_NS
    end_ns = left.at_ns + _AFTER_NS
    way = left.rotor or _turned(position, begin_ns, end_ns)
    # The recording may begin after, or end before: the rotor is drawn for as long as anything was recorded.
    recorded = max(begin_ns, position.begin_ns), min(end_ns, position.end_ns)
    rotor, speed = _curves(position, geometry.counts_per_turn, way, recorded, begin_ns)
    seconds = (left.left_ns - begin_ns - _BEFORE_NS) / _NS
    beams = {"ball_1": BALL_1, "ball_2": BALL_2} if geometry.beams > 1 else {"ball_1": BALL_1}
    rows = {name: position.moments(letter, begin_ns, end_ns) for name, letter in beams.items()}
    ball = Curve("ball, turns a second", _ball_speed(rows["ball_1"], begin_ns))
    return Plot(
        f"the rotor, {way.value}, and the ball: {left.revolutions} revolutions in {seconds:.2f} s",
        (end_ns - begin_ns) / _NS,
        (Curve(f"rotor's {rotor.label}", rotor.points), Curve(f"rotor's {speed.label}", speed.points), ball),
        tuple(Events(name, tuple((at - begin_ns) / _NS for at in row)) for name, row in rows.items()),
        tuple(Mark(str(mark.number), (mark.at_ns - begin_ns) / _NS) for mark in marks),
        Mark(text_of(left), (left.at_ns - begin_ns) / _NS),
    )


def _turned(position: RecordedMotion, begin_ns: int, end_ns: int) -> Direction:
    return direction_of(1 if position.at(end_ns) >= position.at(begin_ns) else -1)


def _ball_speed(passes: Sequence[int], begin_ns: int) -> tuple[tuple[float, float], ...]:
    """The speed between two passes of a beam, which are one revolution apart."""
    return tuple(
        ((one + other) / 2 / _NS - begin_ns / _NS, _NS / (other - one))
        for one, other in pairwise(passes)
        if 0 < other - one < _SLOWEST_NS
    )
