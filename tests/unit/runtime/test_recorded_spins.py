"""Edges that are kept in stretches, put together and taken apart into movements."""

from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.journal.replay.level_readings import levels_after
from controller.journal.replay.trace import EdgeStretch, Traces
from controller.runtime.recorded_spins import movements

LOW = dict.fromkeys("ABZC", False)
REST_NS = 1000


@pytest.fixture
def traces(tmp_path: Path) -> Iterator[Traces]:
    kept = Traces(tmp_path / "t.traces", rounds=100)
    yield kept
    kept.close()


def add(traces: Traces, number: int, edges: bytes, stamps: list[int], **how: dict[int, int]) -> None:
    before = list(movements(traces, REST_NS))
    levels = levels_after(before[-1].levels, bytes(before[-1].edges)) if before else LOW
    traces.add(number, EdgeStretch(levels, edges, array("q", stamps), how.get("lost", {})))


def found(traces: Traces) -> list[tuple[int, bytes, list[int], int]]:
    return [(one.round, bytes(one.edges), list(one.stamps), one.lost) for one in movements(traces, REST_NS)]


def test_a_long_spin_that_is_kept_in_several_stretches_is_one_movement(traces: Traces) -> None:
    add(traces, 1, b"ABab", [0, 10, 20, 30])
    add(traces, 1, b"AB", [40, 50])
    add(traces, 2, b"ab", [60, 70], lost={1: 3})
    assert found(traces) == [(1, b"ABabABab", [0, 10, 20, 30, 40, 50, 60, 70], 3)]


def test_movements_are_parted_where_the_wheel_rested(traces: Traces) -> None:
    add(traces, 1, b"ABa", [0, 10, 20])
    add(traces, 1, b"bA", [20 + REST_NS, 30 + REST_NS])
    assert [one[1] for one in found(traces)] == [b"ABa", b"bA"]


def test_a_stretch_with_a_pause_is_taken_apart_with_the_levels_of_then(traces: Traces) -> None:
    add(traces, 4, b"ABCab", [0, 10, 20, 20 + REST_NS, 30 + REST_NS], lost={4: 2})
    first, second = movements(traces, REST_NS)
    assert (bytes(first.edges), first.lost) == (b"ABC", 0)
    assert (bytes(second.edges), second.lost) == (b"ab", 2)
    assert second.levels == {"A": True, "B": True, "Z": False, "C": True}


def test_time_that_begins_anew_after_a_boot_begins_another_movement(traces: Traces) -> None:
    add(traces, 1, b"AB", [5000, 5010])
    add(traces, 2, b"ab", [100, 110])
    assert [one[1] for one in found(traces)] == [b"AB", b"ab"]
