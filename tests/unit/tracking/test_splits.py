"""Events do not depend on how edges were split into batches, nor on when somebody asked for what time alone tells.

Recorded spins, of sound wheels and broken ones; and any movements, which creep, tremble and pause.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import cycle, repeat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.compare import file_of
from reference.data import Case, Edges, Recorded, load
from reference.play import table_of

from config.schema import TableConfig
from controller.events.event import Event
from controller.runtime.trackers import tracker
from controller.tracking.roulette.wheel import RouletteTracker
from hal.events import EdgeBatch

_AFTER_NS = 10_000_000_000
"""So long after the last edge a wheel is at rest and a ball is down."""


@cache
def recorded() -> Recorded:
    return load(file_of("tracking"))


def tracked(case: Case, edges: Edges, sizes: Iterable[int]) -> list[Event]:
    with table_of(case) as config:
        of_wheel = tracker(config)(edges.levels(0, 0))
    events: list[Event] = []
    first, ends = 0, iter(sizes)
    while first < len(edges.letters):
        part = slice(first, first + next(ends))
        letters = bytes(edges.letters[part])
        seqnos = range(first + 1, first + len(letters) + 1)
        events += of_wheel.feed(EdgeBatch(letters, edges.stamps_ns[part], seqnos))
        first += len(letters)
    return events + of_wheel.tick(edges.stamps_ns[-1] + _AFTER_NS)


@pytest.mark.parametrize("roulette", [False, True])
def test_events_do_not_depend_on_the_splits(roulette: bool) -> None:
    """Without cases in which the kernel's buffer overflowed: a batch tells of that only where it begins."""
    cases = [
        case
        for case in recorded().cases
        if (case.game == "roulette") == roulette and "o" not in case.edges.get("ops", "")
    ]

    @settings(max_examples=30, deadline=None)
    @given(st.sampled_from(cases), st.lists(st.integers(1, 300), min_size=1, max_size=6))
    def same(case: Case, sizes: list[int]) -> None:
        edges = recorded().edges_of(case)
        one_by_one = tracked(case, edges, repeat(1))
        assert all(tracked(case, edges, some) == one_by_one for some in ([len(edges.letters)], cycle(sizes)))

    same()


STEPS_NS = (1, 1000, 1_000_000, 10_000_000, 200_000_000)
PAUSES_NS = (
    0,
    1,
    1_000_000,
    400_000_000,
    1_000_000_000,
    2_000_000_000,
    2_900_000_000,
    3_000_000_000,
    5_000_000_000,
)
MOVES = st.tuples(
    st.sampled_from((1, -1)),
    st.sampled_from((1, 1, 2, 3, 4, 7, 30)),
    st.sampled_from(STEPS_NS),
    st.sampled_from(("", "", "A", "Z", "C", "P", "Q")),
    st.sampled_from(PAUSES_NS),
)
"""A direction, how many counts, how long each takes; a line that changes once meanwhile, ``A`` for a lost edge; and
a pause after it."""
Move = tuple[int, int, int, str, int]


TURN = 40
"""Counts of a turn, few enough that movements make turns. The index mark is one count long, amid two counts."""


def edges_of(moves: Sequence[Move], lines: str) -> Iterator[tuple[str, int]]:
    """Edges with their stamps, ns."""
    levels, count, at_ns = dict.fromkeys(lines, False), 2, 1_000_000_000
    for way, counts, step_ns, other, pause_ns in moves:
        for number in range(counts):
            at_ns, count = at_ns + step_ns, count + way
            high = {"A": count % 4 in (3, 0), "B": count % 4 in (0, 1), "Z": count % TURN == 0}
            changed = [line for line in high if levels[line] != high[line]]
            if number == counts // 2 and other and other in lines:
                changed = [*changed, other] if other != "A" else []
            for line in sorted(changed):  # Z comes last.
                levels[line] = not levels[line]
                at_ns += step_ns // 2 * (line == "Z")
                yield line if levels[line] else line.lower(), at_ns
        at_ns += pause_ns


@pytest.mark.parametrize(("game", "lines"), [("dreamcatcher", "ABZC"), ("roulette", "ABZPQ")])
def test_what_is_told_of_any_movement_does_not_depend_on_splits_and_questions(
    shipped: Callable[[str], TableConfig], game: str, lines: str
) -> None:
    config = shipped(game)
    if config.rotor is not None:
        config = config.model_copy(update={"rotor": config.rotor.model_copy(update={"counts_per_turn": TURN})})
    make = tracker(config)
    assert make is not None

    @settings(deadline=None)
    @given(
        st.lists(MOVES, min_size=3, max_size=40),
        st.lists(st.integers(1, 40), min_size=1, max_size=6),
        st.booleans(),
    )
    def same(moves: list[Move], sizes: list[int], asked: bool) -> None:
        edges = list(edges_of(moves, lines))

        def found(ends: Iterable[int], asked: bool) -> list[object]:
            of_wheel, told, first, next_size = make(dict.fromkeys(lines, False)), list[object](), 0, iter(ends)
            while part := edges[first : first + next(next_size)]:
                letters, stamps_ns = zip(*part, strict=True)
                if asked:
                    told += of_wheel.tick(stamps_ns[0])
                seqnos = range(first + 1, first + len(part) + 1)
                told += of_wheel.feed(EdgeBatch("".join(letters).encode(), stamps_ns, seqnos))
                first += len(part)
            if isinstance(of_wheel, RouletteTracker):  # What it says when a ball passes a beam.
                rotor = of_wheel.rotor
                told += [rotor.turning(stamps_ns[-1]), rotor.direction, rotor.since_ns, rotor.turn_ns, rotor.doubt]
            return told + of_wheel.tick((edges[-1][1] if edges else 0) + _AFTER_NS)

        one_by_one = found(repeat(1), asked=False)
        assert found(repeat(len(edges) + 1), asked) == one_by_one
        assert found(cycle(sizes), asked) == one_by_one

    same()
