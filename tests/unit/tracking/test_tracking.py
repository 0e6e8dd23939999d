"""Edges to events: revolutions, turning points, lost edges. The edges are made here, not simulated."""

from array import array
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.events.event import (
    Direction,
    Event,
    Health,
    RevolutionCompleted,
    SensorHealth,
    WheelRested,
    WheelThrown,
)
from controller.events.words import text
from controller.tracking.clapper_wheel.geometry import WheelGeometry, assumed
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import EdgeBatch

MS = 1_000_000
REST_NS = 1_500 * MS
SECTIONS = 54
COUNTS = (720, 1000, 1080, 1440, 4096)
# The lines' levels A, B by count modulo 4, from an encoder's datasheet: A leads B when counting up.
LEVELS = ((0, 0), (1, 0), (1, 1), (0, 1))


class Encoder:
    """Writes the edges of an ideal wheel: A or B at every count, the clapper at every peg, the index."""

    def __init__(self, counts: int = 1440, offset: int = 7, start: int = 5) -> None:
        self.counts, self.offset = counts, offset
        self.at = start
        self.now = 0
        self.edges: list[tuple[int, str]] = []
        a, b = LEVELS[start % 4]
        self.levels = {"A": bool(a), "B": bool(b), "Z": False, "C": False}
        """Before the first edge."""

    def tracker(self) -> WheelTracker:
        places = assumed(0)  # The contact closes at once.
        geometry = WheelGeometry(self.counts, self.offset, SECTIONS, debounce_ns=1, places=places)
        return WheelTracker(geometry, self.levels)

    def move(self, counts: int, step_ns: int = 2 * MS) -> None:
        """Move by so many counts, negative backwards, at an even speed."""
        step = 1 if counts > 0 else -1
        for _ in range(abs(counts)):
            self.now += step_ns
            before, after = LEVELS[self.at % 4], LEVELS[(self.at + step) % 4]
            line = 0 if before[0] != after[0] else 1
            letter = "AB"[line]
            self.edges.append((self.now, letter if after[line] else letter.lower()))
            self.at += step
            if self.at * SECTIONS // self.counts != (self.at + step) * SECTIONS // self.counts:
                self.edges += [(self.now + step_ns // 2, "C"), (self.now + step_ns * 3 // 4, "c")]
            if (mark := (self.at - self.offset) % self.counts) in (0, 1):
                self.edges.append((self.now + step_ns // 3, "Z" if (step > 0) == (mark == 0) else "z"))


def batches(edges: list[tuple[int, str]], cuts: Iterable[int] = ()) -> list[EdgeBatch]:
    result, start = [], 0
    for end in sorted({min(cut, len(edges)) for cut in cuts} | {len(edges)}):
        if end > start:
            part = edges[start:end]
            letters = "".join(letter for _, letter in part).encode()
            result.append(EdgeBatch(letters, array("q", [at for at, _ in part]), range(start + 1, end + 1)))
        start = end
    return result


def track(encoder: Encoder, cuts: Iterable[int] = ()) -> list[Event]:
    tracker, events = encoder.tracker(), list[Event]()
    for batch in batches(sorted(encoder.edges, key=lambda edge: edge[0]), cuts):
        events += tracker.feed(batch)
    return events + tracker.tick(encoder.now + 2 * REST_NS)


def rests(events: Iterable[Event]) -> list[WheelRested]:
    return [event for event in events if isinstance(event, WheelRested)]


# -- revolutions ---------------------------------------------------------------------------------------------------


def travel_of(counts: int, moves: list[int]) -> WheelRested:
    encoder = Encoder(counts, round(counts / 216))
    for move in moves:
        encoder.move(move)
    (rested,) = rests(track(encoder))
    return rested


@pytest.mark.clause("689a.2(b)", "619a.2(b)")
@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("sign", [1, -1])
def test_three_revolutions_are_three_times_the_counts_exactly(counts: int, sign: int) -> None:
    exact = travel_of(counts, [sign * 3 * counts])
    assert exact.travel_counts == 3 * counts
    short = travel_of(counts, [sign * (3 * counts - 1)])
    assert short.travel_counts == 3 * counts - 1
    expected = Direction.COUNTERCLOCKWISE if sign > 0 else Direction.CLOCKWISE
    assert exact.direction is short.direction is expected


@pytest.mark.clause("689a.2(b)", "619a.2(b)")
@pytest.mark.parametrize("counts", COUNTS)
def test_rocking_never_adds_up(counts: int) -> None:
    assert travel_of(counts, [2 * counts, -2 * counts] * 3).travel_counts == 2 * counts
    for back in (counts // SECTIONS + 1, counts // 2, counts * 8 // 10):
        assert travel_of(counts, [counts, -back] * 6).travel_counts == counts, back


def test_throw_and_revolutions_are_reported_at_the_edge_that_completes_them() -> None:
    """Half a turn is no throw, and one count more is."""
    encoder = Encoder()
    encoder.move(3 * 1440)
    events = track(encoder)
    thrown = [event.at_ns for event in events if isinstance(event, WheelThrown)]
    turns = [(event.number, event.at_ns) for event in events if isinstance(event, RevolutionCompleted)]
    assert thrown == [721 * 2 * MS]
    assert turns == [(n, n * 1440 * 2 * MS) for n in (1, 2, 3)]


@pytest.mark.clause("689a.2(c)", "619a.2(c)")
@pytest.mark.parametrize(("way", "step_ms"), [(1, 600), (-1, 600), (-1, 350)])
def test_a_wheel_that_creeps_is_not_at_rest_before_the_next_count_would_have_come(way: int, step_ms: int) -> None:
    encoder = Encoder()
    encoder.move(40)
    encoder.now += 700 * MS
    encoder.move(8 * way, step_ns=step_ms * MS)
    (rested,) = rests(track(encoder))
    assert rested.at_ns >= encoder.now + step_ms * MS


# -- edges that were lost, or cannot be ----------------------------------------------------------------------------


def after_a_gap(encoder: Encoder, first: EdgeBatch, second: EdgeBatch, lost: int) -> list[Event]:
    """Two batches, and so many edges between them that the kernel lost."""
    tracker = encoder.tracker()
    events = tracker.feed(first)
    events += tracker.tick(second.timestamps_ns[0] - MS)
    seqnos = range(second.seqnos[0] + lost, second.seqnos[-1] + lost + 1)
    events += tracker.feed(EdgeBatch(second.edges, second.timestamps_ns, seqnos))
    return events + tracker.tick(encoder.now + 2 * REST_NS)


def found_of(rested: WheelRested) -> object:
    return rested.fault.found if rested.fault is not None else None


@pytest.mark.parametrize("lost", [0, 4])
def test_a_gap_in_the_sequence_is_a_doubt_even_where_the_counts_look_right(lost: int) -> None:
    encoder = Encoder()
    encoder.move(3 * 1440 + 100)
    (rested,) = rests(after_a_gap(encoder, *batches(encoder.edges, [len(encoder.edges) - 60]), lost))
    assert found_of(rested) == (text("edges-lost", edges=lost) if lost else None)


def test_stamps_that_go_back_are_a_doubt() -> None:
    encoder = Encoder()
    encoder.move(3 * 1440)
    tracker = encoder.tracker()
    first, second = batches(encoder.edges, [2000])
    events = tracker.feed(first)
    events += tracker.feed(EdgeBatch(second.edges, [at - 3 * MS for at in second.timestamps_ns], second.seqnos))
    health = [event for event in events if isinstance(event, SensorHealth)]
    assert (health[0].health, health[0].found) == (Health.NOISY, text("stamps"))


def test_a_loss_that_may_hide_a_slip_is_never_settled() -> None:
    """The encoder stood still for nine sections: of those, only 18 edges of the clapper, which the kernel lost."""
    encoder = Encoder()
    encoder.move(2 * 1440 + 20)
    encoder.now += 2000 * MS
    cut = len(encoder.edges)
    encoder.move(4 * 1440)
    located, doubted = rests(after_a_gap(encoder, *batches(encoder.edges, [cut]), 18))
    assert located.located
    assert found_of(doubted) == text("edges-lost", edges=18)


def test_a_loss_of_the_encoders_edges_alone_is_settled_by_a_clean_turn() -> None:
    encoder = Encoder()
    encoder.move(6 * 1440)
    train = "".join(letter for _, letter in encoder.edges)
    lost = train.index("Cc", len(train) // 2) + 4
    events = after_a_gap(encoder, *batches(encoder.edges[:lost] + encoder.edges[lost + 4 :], [lost]), 4)
    assert [event.health for event in events if isinstance(event, SensorHealth)] == [Health.LOSSY, Health.OK]
    (rested,) = rests(events)
    assert rested.section is not None or rested.boundary is not None


def test_an_edge_of_the_index_line_off_the_mark_is_a_doubt() -> None:
    """A head that is unplugged pulls the index line high wherever the wheel is.

    Clockwise it is the falling edge of the mark that counts, so that the rising one came unnoticed.
    """
    encoder = Encoder()
    encoder.move(-(3 * 1440 + 300))
    encoder.edges.append((encoder.edges[-40][0] + 1, "Z"))
    (rested,) = rests(track(encoder))
    assert rested.fault is not None
    assert rested.fault.found.code == "astray"


@pytest.mark.parametrize("before_ns", [1, 10_000, 19_999, 20_000])
def test_an_edge_of_the_index_just_before_a_wheel_is_at_rest_comes_first_whenever_it_is_looked_at(
    before_ns: int,
) -> None:
    encoder = Encoder()
    encoder.move(3 * 1440 + 300)
    (rested,) = rests(track(encoder))
    encoder.edges.append((rested.at_ns - before_ns, "Z"))
    tracker, events = encoder.tracker(), list[Event]()
    for batch in batches(encoder.edges):
        events += tracker.feed(batch)
    while (due_ns := tracker.due_ns) is not None:
        events += tracker.tick(due_ns)
    assert events == track(encoder)
    assert rests(events)[0].fault is not None


@pytest.mark.parametrize("sign", [1, -1])
def test_the_index_gives_the_same_position_whichever_way_it_is_passed(sign: int) -> None:
    """Not before the wheel has moved: which edge of the mark an edge is depends on its direction."""
    encoder = Encoder(start=700)
    tracker = encoder.tracker()
    encoder.edges += [(1, "Z"), (2, "z")]
    encoder.move(sign * 1440)
    for batch, position in zip(batches(encoder.edges, [2]), (None, encoder.at % 1440), strict=True):
        tracker.feed(batch)
        tracker.tick(batch.timestamps_ns[-1] + MS)
        assert tracker.position == position


@given(junk=st.lists(st.tuples(st.integers(0, 50 * MS), st.sampled_from("AaBbZzCc")), max_size=300))
def test_no_sequence_of_edges_breaks_the_tracker(junk: list[tuple[int, str]]) -> None:
    """Garbage on the lines: events or none, but never an exception, and never a position that was not found."""
    encoder = Encoder(start=4)
    for wait, letter in junk:
        encoder.now += wait
        encoder.edges.append((encoder.now, letter))
    track(encoder, [7, 30, 31, 100])
