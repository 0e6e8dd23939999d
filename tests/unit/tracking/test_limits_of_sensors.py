"""Where a sensor's word ends: how many edges, counts or strikes make a fault, and which ones do not yet."""

from array import array

import pytest

from controller.events.event import Fault, Health, SensorHealth
from controller.events.words import Text
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.trust import HastyStrikes
from controller.tracking.motion import Travel
from controller.tracking.quadrature import LONGEST, STUCK_EDGES, Quadrature
from controller.tracking.tracker import EdgeNumbers, ReportedHealth
from hal.events import EdgeBatch

TURN, SECTIONS = 1080, 54
SECTION = TURN // SECTIONS
ENCODER = Fault("encoder", Health.LOSSY, Text("edges-lost"))
CLAPPER = Fault("clapper", Health.SILENT, Text("no-strike"))


def batch(first: int, *stamps_ns: int) -> EdgeBatch:
    return EdgeBatch(b"ABab"[: len(stamps_ns)], array("q", stamps_ns), range(first, first + len(stamps_ns)))


# -- edges ---------------------------------------------------------------------------------------------------------


def test_stamps_that_run_backwards_are_no_lost_edges() -> None:
    """Else the next turn would be said to lack as many."""
    numbers = EdgeNumbers()
    assert not numbers.check(batch(1, 10, 20))
    (((_, fault), lost),) = numbers.check(batch(3, 15, 30))
    assert (fault.found.code, lost) == ("stamps", 0)
    (((_, fault), lost),) = numbers.check(batch(5, 50, 40))
    assert (fault.found.code, lost) == ("stamps", 0)


def test_lost_edges_and_a_clock_set_back_are_both_named() -> None:
    numbers = EdgeNumbers()
    numbers.check(batch(1, 10, 20))
    found = numbers.check(batch(6, 15, 30))
    assert [(fault.health, lost) for (_, fault), lost in found] == [(Health.LOSSY, 3), (Health.NOISY, 0)]


@pytest.mark.parametrize("before", [(False, False), (True, False), (True, True), (False, True)])
@pytest.mark.parametrize("after", [(False, False), (True, False), (True, True), (False, True)])
def test_the_lines_count_on_from_the_levels_that_were_read(
    before: tuple[bool, bool], after: tuple[bool, bool]
) -> None:
    """Whatever they were taken to be: the next edge from there is a count, and not a lost one."""
    lines = Quadrature(*before)
    lines.realign(*after)
    assert lines.levels == after
    a, b = after
    forward = {(False, False): "A", (True, False): "B", (True, True): "a", (False, True): "b"}[a, b]
    assert lines.edge(ord(forward)) == 1


@pytest.mark.parametrize(("moves", "stands"), [("A", "encoder_b"), ("B", "encoder_a")])
def test_a_line_stands_still_once_the_other_has_changed_three_times(moves: str, stands: str) -> None:
    lines = Quadrature(False, False)
    other = "B" if moves == "A" else "A"
    lines.edge(ord(other))
    for number in range(1, STUCK_EDGES):
        lines.edge(ord(moves if number % 2 else moves.lower()))
        assert lines.stuck is None, number
    lines.edge(ord(moves if STUCK_EDGES % 2 else moves.lower()))
    assert lines.stuck == stands


@pytest.mark.parametrize("levels", [(False, False), (True, False), (True, True), (False, True)])
@pytest.mark.parametrize("many", [2, 3, 7, LONGEST])
def test_only_what_follows_from_the_levels_is_a_clean_run(levels: tuple[bool, bool], many: int) -> None:
    """A run that would need an edge in between is none: that edge was lost."""
    clean = {}
    for way in (1, -1):
        one_by_one, train = Quadrature(*levels), b""
        for _ in range(many):
            letter = next(one for one in b"ABab" if _copy(one_by_one).edge(one) == way)
            one_by_one.edge(letter)
            train += bytes([letter])
        clean[train] = way
    trains = [(one * (many // 4 + 2))[at : at + many] for one in (b"ABab", b"BAba") for at in range(4)]
    assert {train: Quadrature(*levels).heading(train) for train in trains} == {
        train: clean.get(train, 0) for train in trains
    }


def _copy(lines: Quadrature) -> Quadrature:
    return Quadrature(*lines.levels)


@pytest.mark.parametrize("run", ["ABab", "BAba"])
def test_a_line_that_stands_still_after_a_clean_run_shows_with_its_third_edge(run: str) -> None:
    """The last edge of the run is the first of the three."""
    lines, train = Quadrature(False, False), run.encode()
    direction = lines.heading(train)
    assert direction
    lines.follow(train, direction)
    last = run[-1]
    lines.edge(ord(last.upper()))
    assert lines.stuck is None
    lines.edge(ord(last.lower()))
    assert lines.stuck == {"b": "encoder_a", "a": "encoder_b"}[last.lower()]


# -- runs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize(("back", "made"), [(SECTION, 3000), (SECTION + 1, 2000)])
def test_a_wheel_that_rocks_back_by_a_section_is_still_in_its_run_and_further_it_turned(
    way: int, back: int, made: int
) -> None:
    """§ 689a.2(b), § 619a.2(b): three revolutions in one run."""
    travel = Travel(0, TURN, SECTIONS)
    for count, direction in ((2000, 1), (2000 - back, -1), (3000, 1)):
        travel.advance(way * count, way * direction)
    assert travel.counts == made
    assert travel.direction == way


def test_what_a_run_has_made_is_said_though_the_wheel_rolled_back_since() -> None:
    """The record of a spin that was too short gives its longest run."""
    travel = Travel(0, TURN, SECTIONS)
    for count, direction in ((3 * TURN - 1, 1), (2 * TURN, -1)):
        travel.advance(count, direction)
    assert (travel.counts, travel.direction) == (3 * TURN - 1, 1)


# -- strikes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("counts", [2, 5])
def test_strikes_in_turn_are_none_of_three_that_come_too_soon(counts: int) -> None:
    """A contact that chatters twice after pegs that came in turn is no fault; the third time it is."""
    strikes = HastyStrikes(WheelGeometry(TURN, 7, SECTIONS))
    assert strikes.strike(1000) is None
    assert strikes.strike(1000 + counts) is None
    assert strikes.strike(1000 + 2 * counts) is None
    found = strikes.strike(1000 + 3 * counts)
    assert found is not None
    # As far as an encoder may seem to move whose line is dead, it is the encoder; if it counts on, the clapper.
    assert found.fault.sensor == ("encoder" if counts == 2 else "clapper")


# -- what is reported ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("before", "after"), [(ENCODER, CLAPPER), (CLAPPER, ENCODER)])
def test_a_doubt_that_passes_to_another_sensor_is_over_for_the_first(before: Fault, after: Fault) -> None:
    reported = ReportedHealth()
    reported.change(before, 1)
    assert reported.change(after, 2) == [
        SensorHealth(2, before.sensor, Health.OK),
        SensorHealth(2, after.sensor, after.health, after.found),
    ]
    assert reported.change(None, 3) == [SensorHealth(3, after.sensor, Health.OK)]
