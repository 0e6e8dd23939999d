"""Edges to events, edge by edge: revolutions, turning points, rest. The edges are made here, not simulated."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.events.event import (
    Direction,
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

    def levels(self) -> dict[str, bool]:
        a, b = LEVELS[self.at % 4]
        return {"A": bool(a), "B": bool(b), "Z": False, "C": False}


def batches(edges: list[tuple[int, str]], cuts: list[int]) -> list[EdgeBatch]:
    result, start = [], 0
    for end in sorted({min(cut, len(edges)) for cut in cuts} | {len(edges)}):
        if end > start:
            part = edges[start:end]
            letters = "".join(letter for _, letter in part).encode()
            result.append(EdgeBatch(letters, array("q", [at for at, _ in part]), range(start + 1, end + 1)))
        start = end
    return result


def track(encoder: Encoder, levels: dict[str, bool], cuts: list[int] | None = None) -> list[object]:
    offset = encoder.offset
    tracker = WheelTracker(WheelGeometry(encoder.counts, offset, SECTIONS, debounce_ns=1), levels)
    events: list[object] = []
    for batch in batches(sorted(encoder.edges, key=lambda edge: edge[0]), cuts or []):
        events += tracker.feed(batch)
    return events + tracker.tick(encoder.now + 2 * REST_NS)


def travel_of(counts: int, moves: list[int]) -> WheelRested:
    encoder = Encoder(counts, round(counts / 216))
    levels = encoder.levels()
    for move in moves:
        encoder.move(move)
    rested = [event for event in track(encoder, levels) if isinstance(event, WheelRested)]
    assert len(rested) == 1
    return rested[0]


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


@pytest.mark.parametrize("counts", COUNTS)
def test_travel_counts_from_the_turning_point(counts: int) -> None:
    """A wind-up is not deducted: the revolutions count from where the wheel turned."""
    assert travel_of(counts, [-counts // 3, 3 * counts]).travel_counts == 3 * counts


@pytest.mark.parametrize("counts", COUNTS)
def test_what_was_made_stays_made_however_far_the_wheel_rocks_back(counts: int) -> None:
    section = counts // SECTIONS
    for back in (section, section + 2, 4 * section, counts):
        rested = travel_of(counts, [3 * counts, -back])
        assert (rested.travel_counts, rested.direction) == (3 * counts, Direction.COUNTERCLOCKWISE)


@pytest.mark.clause("689a.2(b)", "619a.2(b)")
@pytest.mark.parametrize("counts", COUNTS)
def test_rocking_never_adds_up(counts: int) -> None:
    assert travel_of(counts, [2 * counts, -2 * counts] * 3).travel_counts == 2 * counts
    for back in (counts // SECTIONS + 1, counts // 2, counts * 8 // 10):
        assert travel_of(counts, [counts, -back] * 6).travel_counts == counts, back


def test_revolutions_are_reported_at_the_edge_that_completes_them() -> None:
    encoder = Encoder(1440, 7)
    levels = encoder.levels()
    encoder.move(3 * 1440)
    events = track(encoder, levels)
    thrown = [event for event in events if isinstance(event, WheelThrown)]
    turns = [event for event in events if isinstance(event, RevolutionCompleted)]
    assert [event.at_ns for event in thrown] == [721 * 2 * MS]
    assert [(event.number, event.at_ns) for event in turns] == [(n, n * 1440 * 2 * MS) for n in (1, 2, 3)]


def test_half_a_turn_is_no_throw_and_one_count_more_is() -> None:
    for counts, thrown in ((720, 0), (721, 1)):
        encoder = Encoder(1440, 7)
        levels = encoder.levels()
        encoder.move(counts)
        assert sum(isinstance(event, WheelThrown) for event in track(encoder, levels)) == thrown


def test_two_counts_of_movement_are_rest_and_three_are_not() -> None:
    for creep, rests in ((2, 1), (3, 2)):
        encoder = Encoder(1440, 7)
        levels = encoder.levels()
        encoder.move(40)
        encoder.stand(1400)
        encoder.move(creep, step_ns=10 * MS)
        encoder.stand(1400)
        encoder.move(-1, step_ns=10 * MS)
        events = [event for event in track(encoder, levels) if isinstance(event, WheelRested)]
        assert len(events) == 1
        # Two counts: since it came to count 40. Three: since it left it. As it trembles, twice as long.
        moved_ns = 40 * 2 * MS if rests == 1 else (40 * 2 + 1400 + 10) * MS
        assert events[0].at_ns == moved_ns + 2 * REST_NS


@pytest.mark.clause("689a.2(c)", "619a.2(c)")
@pytest.mark.parametrize(("way", "step_ms"), [(1, 600), (-1, 600), (-1, 350)])
def test_a_wheel_that_creeps_is_not_at_rest_before_the_next_count_would_have_come(way: int, step_ms: int) -> None:
    encoder = Encoder(1440, 7)
    levels = encoder.levels()
    encoder.move(40)
    encoder.stand(700)
    encoder.move(8 * way, step_ns=step_ms * MS)
    came_ns = encoder.now
    (rested,) = [event for event in track(encoder, levels) if isinstance(event, WheelRested)]
    assert rested.at_ns >= came_ns + step_ms * MS


def test_a_line_that_trembles_is_at_rest_after_twice_as_long() -> None:
    encoder = Encoder(1440, 7)
    levels = encoder.levels()
    encoder.move(40)
    for _ in range(12):
        encoder.stand(300)
        encoder.move(-1)
        encoder.stand(300)
        encoder.move(1)
    (rested,) = [event for event in track(encoder, levels) if isinstance(event, WheelRested)]
    assert rested.at_ns == (40 - 2) * 2 * MS + 2 * REST_NS


def test_a_gap_in_the_sequence_is_a_doubt_even_where_the_counts_look_right() -> None:
    encoder = Encoder(1440, 7)
    levels = encoder.levels()
    encoder.move(3 * 1440 + 100)
    cut = len(encoder.edges) - 60
    first, second = batches(encoder.edges, [cut])
    for missing, faulty in ((0, False), (4, True)):
        tracker = WheelTracker(WheelGeometry(1440, 7, SECTIONS, debounce_ns=1), levels)
        tracker.feed(first)
        seqnos = range(second.seqnos[0] + missing, second.seqnos[-1] + missing + 1)
        tracker.feed(EdgeBatch(second.edges, second.timestamps_ns, seqnos))
        (rested,) = (event for event in tracker.tick(encoder.now + 2 * REST_NS) if isinstance(event, WheelRested))
        assert (rested.fault is not None) is faulty
        assert not faulty or rested.fault.found == text("edges-lost", edges=4)


def test_a_loss_that_may_hide_a_slip_is_never_settled() -> None:
    """The encoder stood still for nine sections: of those, only 18 edges of the clapper, which the kernel lost."""
    encoder = Encoder(1440, 7)
    tracker = WheelTracker(WheelGeometry(1440, 7, SECTIONS, debounce_ns=1), encoder.levels())
    encoder.move(2 * 1440 + 20)
    encoder.stand(2000)
    cut = len(encoder.edges)
    encoder.move(4 * 1440)
    first, second = batches(encoder.edges, [cut])
    tracker.feed(first)
    tracker.tick(encoder.now - 4 * 1440 * 2 * MS)
    assert tracker.position is not None
    seqnos = range(second.seqnos[0] + 18, second.seqnos[-1] + 18 + 1)
    tracker.feed(EdgeBatch(second.edges, second.timestamps_ns, seqnos))
    (rested,) = (event for event in tracker.tick(encoder.now + 2 * REST_NS) if isinstance(event, WheelRested))
    assert rested.fault.found == text("edges-lost", edges=18)


def test_an_edge_of_the_index_line_off_the_mark_is_a_doubt() -> None:
    """A head that is unplugged pulls the index line high wherever the wheel is.

    Clockwise it is the falling edge of the mark that counts, so that the rising one came unnoticed.
    """
    encoder = Encoder(1440, 7)
    levels = encoder.levels()
    encoder.move(-(3 * 1440 + 300))
    encoder.edges.append((encoder.edges[-40][0] + 1, "Z"))
    (rested,) = (event for event in track(encoder, levels) if isinstance(event, WheelRested))
    assert rested.fault.found.code == "astray"


def test_a_loss_of_the_encoders_edges_alone_is_settled_by_a_clean_turn() -> None:
    encoder = Encoder(1440, 7)
    tracker = WheelTracker(WheelGeometry(1440, 7, SECTIONS, debounce_ns=1), encoder.levels())
    encoder.move(6 * 1440)
    train = "".join(letter for _, letter in encoder.edges)
    lost = train.index("Cc", len(train) // 2) + 4
    first, second = batches(encoder.edges[:lost] + encoder.edges[lost + 4 :], [lost])
    events = tracker.feed(first)
    seqnos = range(second.seqnos[0] + 4, second.seqnos[-1] + 4 + 1)
    events += tracker.feed(EdgeBatch(second.edges, second.timestamps_ns, seqnos))
    assert [event.health for event in events if isinstance(event, SensorHealth)] == [Health.LOSSY, Health.OK]
    (rested,) = (event for event in tracker.tick(encoder.now + 2 * REST_NS) if isinstance(event, WheelRested))
    assert rested.section is not None or rested.boundary is not None


def test_a_turn_the_encoder_slept_through_is_no_clean_turn() -> None:
    """Of a whole turn only the clapper's and the index's edges were made, and the kernel lost them: 54 * 2 + 2."""
    encoder = Encoder(1440, 7)
    tracker = WheelTracker(WheelGeometry(1440, 7, SECTIONS, debounce_ns=1), encoder.levels())
    encoder.move(3 * 1440 + 400)
    asleep = len(encoder.edges)
    encoder.move(1440, MS // 2)
    awake = len(encoder.edges)
    encoder.move(2 * 1440)
    first, second = batches(encoder.edges[:asleep] + encoder.edges[awake:], [asleep])
    tracker.feed(first)
    assert tracker.position is not None
    seqnos = range(second.seqnos[0] + 110, second.seqnos[-1] + 110 + 1)
    tracker.feed(EdgeBatch(second.edges, second.timestamps_ns, seqnos))
    (rested,) = (event for event in tracker.tick(encoder.now + 2 * REST_NS) if isinstance(event, WheelRested))
    assert rested.fault.found == text("edges-lost", edges=110)


def test_a_wheel_that_rested_on_an_edge_may_cross_it_again() -> None:
    """Over an edge of B, back, and over it again with the next throw, the clapper struck before: nothing sticks."""
    tracker = WheelTracker(WheelGeometry(1440, 7, SECTIONS), {"A": False, "B": False, "Z": False, "C": False})
    train = [(at * MS, letter) for at, letter in enumerate("ABabABabABb", 1)]
    train += [(at * MS, letter) for at, letter in enumerate("CBabABab", 3000)]
    first, second = batches(train, [11])
    events = tracker.feed(first) + tracker.tick(2900 * MS) + tracker.feed(second)
    assert not [event for event in events if isinstance(event, SensorHealth)]


@pytest.mark.parametrize("sign", [1, -1])
def test_the_index_gives_the_same_position_whichever_way_it_is_passed(sign: int) -> None:
    encoder = Encoder(1440, 7, start=700)
    tracker = WheelTracker(WheelGeometry(1440, 7, SECTIONS, debounce_ns=1), encoder.levels())
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


@given(
    moves=MOVES, pauses=st.lists(st.integers(0, 1400), min_size=6, max_size=6), cuts=st.lists(st.integers(1, 4000))
)
def test_the_events_do_not_depend_on_how_edges_are_cut_into_batches(
    moves: list[tuple[int, int]], pauses: list[int], cuts: list[int]
) -> None:
    encoder = Encoder(1440, 7)
    levels = encoder.levels()
    for (counts, step_ns), pause in zip(moves, pauses, strict=False):
        encoder.move(counts, step_ns)
        encoder.stand(pause)
    whole = track(encoder, levels)
    assert track(encoder, levels, cuts) == whole
    assert track(encoder, levels, list(range(0, 6000, 16))) == whole


def test_a_line_that_stands_still_shows_wherever_its_third_edge_comes() -> None:
    """B stands still while A changes thrice, the third time at the start of a clean run."""
    tracker = WheelTracker(WheelGeometry(1440, 7, SECTIONS), {"A": False, "B": False, "Z": False, "C": False})
    events: list[object] = []
    for batch in batches([(at * MS, letter) for at, letter in enumerate("ABabABabAaABab", 1)], [10]):
        events += tracker.feed(batch)
    assert [(event.sensor, event.health) for event in events if isinstance(event, SensorHealth)] == [
        ("encoder_b", Health.STUCK)
    ]


@given(moves=MOVES)
def test_travel_is_that_of_a_decoder_written_separately(moves: list[tuple[int, int]]) -> None:
    encoder = Encoder(1440, 7)
    levels = encoder.levels()
    for counts, _ in moves:
        encoder.move(counts)
    rested = [event for event in track(encoder, levels) if isinstance(event, WheelRested)]
    if rested:
        assert rested[-1].travel_counts == reference(sorted(encoder.edges), levels)[1]


@given(junk=st.lists(st.tuples(st.integers(0, 50 * MS), st.sampled_from("AaBbZzCc")), max_size=300))
def test_no_sequence_of_edges_breaks_the_tracker(junk: list[tuple[int, str]]) -> None:
    """Garbage on the lines: events or none, but never an exception, and never a position that was not found."""
    encoder = Encoder(1440, 7)
    for wait, letter in junk:
        encoder.now += wait
        encoder.edges.append((encoder.now, letter))
    track(encoder, {"A": False, "B": False, "Z": False, "C": False}, [7, 30, 31, 100])
