"""Where a sensor's word ends: how many edges, counts or strikes make a fault, and which ones do not yet."""

from array import array

import pytest

from controller.events.event import Fault, Health, SensorHealth
from controller.events.words import Text
from controller.tracking.quadrature import LONGEST, STUCK_EDGES, Quadrature
from controller.tracking.tracker import EdgeNumbers, ReportedHealth
from hal.events import EdgeBatch

TURN, SECTIONS = 1080, 54
ENCODER = Fault("encoder", Health.LOSSY, Text("edges-lost"))
CLAPPER = Fault("clapper", Health.SILENT, Text("no-strike"))


def batch(first: int, *stamps_ns: int) -> EdgeBatch:
    return EdgeBatch(b"ABab"[: len(stamps_ns)], array("q", stamps_ns), range(first, first + len(stamps_ns)))


# -- edges ---------------------------------------------------------------------------------------------------------


def test_lost_edges_and_a_clock_set_back_are_both_named() -> None:
    numbers = EdgeNumbers()
    numbers.check(batch(1, 10, 20))
    found = numbers.check(batch(6, 15, 30))
    assert [(fault.health, lost) for fault, lost in found] == [(Health.LOSSY, 3), (Health.NOISY, 0)]


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
