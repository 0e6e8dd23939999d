"""Edges to events, edge by edge: revolutions, turning points, rest. The edges are made here, not simulated."""

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
from controller.tracking.clapper_wheel.geometry import WheelGeometry
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

    def __init__(self, counts: int, offset: int, start: int = 5) -> None:
        self.counts, self.offset = counts, offset
        self.at = start
        self.now = 0
        self.edges: list[tuple[int, str]] = []
        a, b = LEVELS[start % 4]
        self.levels = {"A": bool(a), "B": bool(b), "Z": False, "C": False}
        """Before the first edge."""

    def tracker(self) -> WheelTracker:
        return WheelTracker(WheelGeometry(self.counts, self.offset, SECTIONS, debounce_ns=1), self.levels)

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
            self._pegs(step, step_ns)
            self._index(step, step_ns)

    def _pegs(self, step: int, step_ns: int) -> None:
        if self.at * SECTIONS // self.counts != (self.at + step) * SECTIONS // self.counts:
            self.edges += [(self.now + step_ns // 2, "C"), (self.now + step_ns * 3 // 4, "c")]

    def _index(self, step: int, step_ns: int) -> None:
        if (self.at - self.offset) % self.counts == 0:
            self.edges.append((self.now + step_ns // 3, "Z" if step > 0 else "z"))
        if (self.at - self.offset) % self.counts == 1:
            self.edges.append((self.now + step_ns // 3, "z" if step > 0 else "Z"))

    def stand(self, ms: int) -> None:
        self.now += ms * MS


def batches(edges: list[tuple[int, str]], cuts: list[int]) -> list[EdgeBatch]:
    result, start = [], 0
    for end in sorted({min(cut, len(edges)) for cut in cuts} | {len(edges)}):
        if end > start:
            part = edges[start:end]
            letters = "".join(letter for _, letter in part).encode()
            result.append(EdgeBatch(letters, array("q", [at for at, _ in part]), range(start + 1, end + 1)))
        start = end
    return result


def track(encoder: Encoder, cuts: list[int] | None = None) -> list[Event]:
    tracker, events = encoder.tracker(), list[Event]()
    for batch in batches(sorted(encoder.edges, key=lambda edge: edge[0]), cuts or []):
        events += tracker.feed(batch)
    return events + tracker.tick(encoder.now + 2 * REST_NS)


def rests(events: Iterable[Event]) -> list[WheelRested]:
    return [event for event in events if isinstance(event, WheelRested)]


def after_a_gap(encoder: Encoder, first: EdgeBatch, second: EdgeBatch, lost: int) -> list[Event]:
    """Two batches, and so many edges between them that the kernel lost."""
    tracker = encoder.tracker()
    events = tracker.feed(first)
    events += tracker.tick(second.timestamps_ns[0] - MS)
    seqnos = range(second.seqnos[0] + lost, second.seqnos[-1] + lost + 1)
    events += tracker.feed(EdgeBatch(second.edges, second.timestamps_ns, seqnos))
    return events + tracker.tick(encoder.now + 2 * REST_NS)


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


def test_revolutions_are_reported_at_the_edge_that_completes_them() -> None:
    encoder = Encoder(1440, 7)
    encoder.move(3 * 1440)
    events = track(encoder)
    thrown = [event for event in events if isinstance(event, WheelThrown)]
    turns = [event for event in events if isinstance(event, RevolutionCompleted)]
    assert [event.at_ns for event in thrown] == [721 * 2 * MS]
    assert [(event.number, event.at_ns) for event in turns] == [(n, n * 1440 * 2 * MS) for n in (1, 2, 3)]


def test_half_a_turn_is_no_throw_and_one_count_more_is() -> None:
    for counts, thrown in ((720, 0), (721, 1)):
        encoder = Encoder(1440, 7)
        encoder.move(counts)
        assert sum(isinstance(event, WheelThrown) for event in track(encoder)) == thrown


@pytest.mark.clause("689a.2(c)", "619a.2(c)")
@pytest.mark.parametrize(("way", "step_ms"), [(1, 600), (-1, 600), (-1, 350)])
def test_a_wheel_that_creeps_is_not_at_rest_before_the_next_count_would_have_come(way: int, step_ms: int) -> None:
    encoder = Encoder(1440, 7)
    encoder.move(40)
    encoder.stand(700)
    encoder.move(8 * way, step_ns=step_ms * MS)
    came_ns = encoder.now
    (rested,) = rests(track(encoder))
    assert rested.at_ns >= came_ns + step_ms * MS


def test_a_gap_in_the_sequence_is_a_doubt_even_where_the_counts_look_right() -> None:
    encoder = Encoder(1440, 7)
    encoder.move(3 * 1440 + 100)
    first, second = batches(encoder.edges, [len(encoder.edges) - 60])
    (sound,) = rests(after_a_gap(encoder, first, second, 0))
    (doubted,) = rests(after_a_gap(encoder, first, second, 4))
    assert sound.fault is None
    assert doubted.fault is not None
    assert doubted.fault.found == text("edges-lost", edges=4)


def test_a_loss_that_may_hide_a_slip_is_never_settled() -> None:
    """The encoder stood still for nine sections: of those, only 18 edges of the clapper, which the kernel lost."""
    encoder = Encoder(1440, 7)
    encoder.move(2 * 1440 + 20)
    encoder.stand(2000)
    cut = len(encoder.edges)
    encoder.move(4 * 1440)
    first, second = batches(encoder.edges, [cut])
    located, doubted = rests(after_a_gap(encoder, first, second, 18))
    assert located.located
    assert doubted.fault is not None
    assert doubted.fault.found == text("edges-lost", edges=18)


def test_an_edge_of_the_index_line_off_the_mark_is_a_doubt() -> None:
    """A head that is unplugged pulls the index line high wherever the wheel is.

    Clockwise it is the falling edge of the mark that counts, so that the rising one came unnoticed.
    """
    encoder = Encoder(1440, 7)
    encoder.move(-(3 * 1440 + 300))
    encoder.edges.append((encoder.edges[-40][0] + 1, "Z"))
    (rested,) = rests(track(encoder))
    assert rested.fault.found.code == "astray"


def test_a_loss_of_the_encoders_edges_alone_is_settled_by_a_clean_turn() -> None:
    encoder = Encoder(1440, 7)
    encoder.move(6 * 1440)
    train = "".join(letter for _, letter in encoder.edges)
    lost = train.index("Cc", len(train) // 2) + 4
    first, second = batches(encoder.edges[:lost] + encoder.edges[lost + 4 :], [lost])
    events = after_a_gap(encoder, first, second, 4)
    assert [event.health for event in events if isinstance(event, SensorHealth)] == [Health.LOSSY, Health.OK]
    (rested,) = rests(events)
    assert rested.section is not None or rested.boundary is not None


@pytest.mark.parametrize("sign", [1, -1])
def test_the_index_gives_the_same_position_whichever_way_it_is_passed(sign: int) -> None:
    encoder = Encoder(1440, 7, start=700)
    tracker = encoder.tracker()
    encoder.move(sign * 1440)
    for batch in batches(encoder.edges, []):
        tracker.feed(batch)
    assert tracker.position == encoder.at % 1440


def reference(edges: list[tuple[int, str]], levels: dict[str, bool]) -> tuple[int, int]:
    """A decoder written separately: the count, and the counts of the longest run one way, edge by edge."""
    a, b = levels["A"], levels["B"]
    count = extreme = origin = direction = longest = 0
    for _, letter in edges:
        if letter in "Aa":
            step = 1 if letter.isupper() != b else -1
            a = letter.isupper()
        elif letter in "Bb":
            step = 1 if letter.isupper() == a else -1
            b = letter.isupper()
        else:
            continue
        count += step
        if direction == 0:
            direction, extreme = step, count
        elif step == direction and (count - extreme) * direction > 0:
            extreme = count
        elif (extreme - count) * direction * SECTIONS > 1440:
            longest = max(longest, abs(extreme - origin))
            origin, extreme, direction = extreme, count, -direction
    return count, max(longest, abs(extreme - origin))


MOVES = st.lists(
    st.tuples(st.integers(-900, 900).filter(bool), st.sampled_from([MS, 2 * MS, 40 * MS])), min_size=1, max_size=6
)


@given(moves=MOVES)
def test_travel_is_that_of_a_decoder_written_separately(moves: list[tuple[int, int]]) -> None:
    encoder = Encoder(1440, 7)
    for counts, _ in moves:
        encoder.move(counts)
    rested = rests(track(encoder))
    if rested:
        assert rested[-1].travel_counts == reference(sorted(encoder.edges), encoder.levels)[1]


@given(junk=st.lists(st.tuples(st.integers(0, 50 * MS), st.sampled_from("AaBbZzCc")), max_size=300))
def test_no_sequence_of_edges_breaks_the_tracker(junk: list[tuple[int, str]]) -> None:
    """Garbage on the lines: events or none, but never an exception, and never a position that was not found."""
    encoder = Encoder(1440, 7, start=4)
    for wait, letter in junk:
        encoder.now += wait
        encoder.edges.append((encoder.now, letter))
    track(encoder, [7, 30, 31, 100])
