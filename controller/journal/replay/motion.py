"""A round as plots: angle and speed of the wheel and the clapper's contact, or the rotor and the ball."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from controller.drawing.plots import Curve, Events, Mark, Plot
from controller.events.event import (
    BallLeftTrack,
    BallRevolution,
    BallThrown,
    RevolutionCompleted,
    WheelRested,
    WheelThrown,
)
from controller.events.table_words import TABLE_WORDS, text_of
from controller.events.words import say
from controller.journal.replay.edge_replay import Run
from controller.tracking.quadrature import Quadrature
from controller.tracking.tracker import SWAP_A_B
from hal.events import BALL_1, BALL_2, CLAPPER, ENCODER_A, ENCODER_B

_NS = 1_000_000_000
_SAMPLES = 280
_BEFORE_NS, _AFTER_NS = 3_000_000_000, 500_000_000
"""How long the rotor is shown before and after the ball's run."""
_SLOWEST_NS = 4_000_000_000
"""The longest time between two passes of a beam in one run of the ball."""
_Moment = tuple[str, int]
"""A name, and a time in nanoseconds."""
_ROWS = {CLAPPER: "contact", BALL_1: "ball_1", BALL_2: "ball_2"}


class _Motion:
    """The position of wheel or rotor over time, from the first edge of a run, and the other lines' rising edges."""

    def __init__(self, run: Run, counts_per_turn: int, reversed_: bool) -> None:
        self._turn = counts_per_turn
        self._stamps: list[int] = []
        self._counts: list[int] = []
        self._recorded = [at_ns for stretch in run.stretches for at_ns in stretch.stamps_ns]
        """Time of each edge of any line. The encoder may have no edge."""
        self.rises: dict[str, list[int]] = {letter: [] for letter in _ROWS if letter in run.stretches[0].levels}
        levels, count = run.stretches[0].levels, 0
        a, b = levels[ENCODER_A], levels[ENCODER_B]
        quadrature, encoder = Quadrature(b, a) if reversed_ else Quadrature(a, b), b"AaBb"
        for stretch in run.stretches:
            edges = stretch.edges.translate(SWAP_A_B) if reversed_ else stretch.edges
            for letter, at_ns in zip(edges, stretch.stamps_ns, strict=True):
                if letter in encoder:
                    count += quadrature.edge(letter)
                    self._stamps.append(at_ns)
                    self._counts.append(count)
                elif chr(letter) in self.rises:
                    self.rises[chr(letter)].append(at_ns)

    def at(self, at_ns: int) -> float:
        """The position at a time, in turns counterclockwise."""
        place = bisect_right(self._stamps, at_ns)
        return self._counts[place - 1] / self._turn if place else 0.0

    def first_after(self, at_ns: int) -> int:
        """The time of the encoder's first edge after a time; the same time if there is none."""
        place = bisect_right(self._stamps, at_ns)
        return self._stamps[place] if place < len(self._stamps) else at_ns

    def plot(self, what: str, span: tuple[int, int], marks: Sequence[_Moment], end: _Moment) -> Plot:
        """The movement of a span of time.

        Args:
            what: ``wheel``, or ``rotor`` with the ball.
            marks: the revolutions.
            end: the decision.
        """
        begin_ns, end_ns = span

        def mark(moment: _Moment) -> Mark:
            return Mark(moment[0], (moment[1] - begin_ns) / _NS)

        # The recording may begin later or end earlier: nothing is drawn of what was not recorded.
        since_ns, until_ns = max(begin_ns, min(self._recorded)), min(end_ns, max(self._recorded))
        start, stop = self.at(since_ns - 1), self.at(until_ns)
        sign, way = (1, "counterclockwise") if stop >= start else (-1, "clockwise")
        step_ns = max(1, (until_ns - since_ns) // _SAMPLES)
        angle, speed = [], []
        for at_ns in range(since_ns, until_ns + 1, step_ns):
            # Over some samples: a speed over only a few counts would be stepped.
            early, late = max(at_ns - 4 * step_ns, since_ns - 1), min(at_ns + 4 * step_ns, until_ns)
            moved = sign * (self.at(late) - self.at(early)) * _NS / max(1, late - early)
            angle.append(((at_ns - begin_ns) / _NS, sign * (self.at(at_ns) - start)))
            speed.append(((at_ns - begin_ns) / _NS, moved))
        curves = [Curve(f"{what}'s angle, turns", tuple(angle)), Curve(f"{what}'s speed, turns/s", tuple(speed))]
        if what == "rotor":
            passes = tuple(
                ((one + other) / 2 / _NS - begin_ns / _NS, _NS / (other - one))
                for one, other in pairwise(self.rises[BALL_1])
                if begin_ns <= one < other <= end_ns and other - one < _SLOWEST_NS
            )
            curves.append(Curve("ball's speed, turns/s", passes))
        rows = {name: self.rises.get(letter, ()) for letter, name in _ROWS.items()}
        return Plot(
            f"the {what}, {way}",
            (end_ns - begin_ns) / _NS,
            tuple(curves),
            tuple(
                Events(name, tuple((at - begin_ns) / _NS for at in row if begin_ns <= at <= end_ns))
                for name, row in rows.items()
                if row
            ),
            tuple(map(mark, marks)),
            mark(end),
        )


def plots(run: Run, counts_per_turn: int, reversed_: bool, order: Sequence[str]) -> Iterator[Plot]:
    """A plot of each movement in which the wheel was thrown, and of each run of the ball.

    Args:
        order: the names of the wheel's sections.
    """
    motion = _Motion(run, counts_per_turn, reversed_)
    begin_ns, thrown, marks = motion.first_after(-1), False, list[_Moment]()
    for event in run.events:
        if isinstance(event, WheelThrown | BallThrown):
            thrown, marks = True, []
            begin_ns = event.at_ns - _BEFORE_NS if isinstance(event, BallThrown) else begin_ns
        elif isinstance(event, RevolutionCompleted | BallRevolution):
            marks.append((str(event.number), event.at_ns))
        elif isinstance(event, WheelRested):
            if thrown and begin_ns < event.at_ns:  # False if time stamps ran backwards.
                end = f"{text_of(event)}, {_place(event, order)}", event.at_ns
                yield motion.plot("wheel", (begin_ns, event.at_ns), marks, end)
            thrown, begin_ns = False, motion.first_after(event.at_ns)
        elif isinstance(event, BallLeftTrack) and thrown:
            span = begin_ns, event.at_ns + _AFTER_NS
            yield motion.plot("rotor", span, marks, (text_of(event), event.at_ns))
            thrown = False


def _place(rested: WheelRested, order: Sequence[str]) -> str:
    """Where the wheel came to rest."""
    if rested.section is not None:
        return f"on {order[rested.section]}, section {rested.section + 1} of {len(order)}"
    if rested.boundary is not None:
        return f"between {order[rested.boundary - 1]} and {order[rested.boundary]}"
    return say(TABLE_WORDS, rested.fault.found) if rested.fault else "the position is not known"
