"""Spins whose lines break in the last second, once taken for results by a campaign: their recorded edges.

``found_spins.jsonl.gz`` has a wheel on each line: the calls of its tracker since it was switched on, and spins. A
call is ``feed`` with letters, steps and the first sequence number, ``tick`` with a time, or ``look`` with levels
and a time. Steps are in microseconds and as in ``tests/reference/edges.py``.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from campaigns.fleet_wheel import outcome
from campaigns.wheel_campaign import of_wheel

from config.schema import WheelSection
from controller.events.event import Event
from controller.runtime.trackers import geometry
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import EdgeBatch

DATA = Path(__file__).with_name("found_spins.jsonl.gz")
WHEELS = [json.loads(line) for line in gzip.decompress(DATA.read_bytes()).splitlines()]


def stamps(letters: str, steps: list[int]) -> Iterator[int]:
    intervals, before, last = [0] * 4, 0, 0
    for letter, step in zip(letters, steps, strict=True):
        if letter in "ABab":
            intervals.append(step + intervals[-4])
            last = before = before + intervals[-1]
        else:
            last += step
        yield last * 1000


def events_of(tracker: WheelTracker, calls: list[list[Any]]) -> list[Event]:
    events: list[Event] = []
    for name, *given in calls:
        if name == "feed":
            letters, steps, first = given
            given = [EdgeBatch(letters.encode(), [*stamps(letters, steps)], range(first, first + len(letters)))]
        events += getattr(tracker, name)(*given)
    return events


@pytest.mark.parametrize(("number", "case"), [(n, c) for n, wheel in enumerate(WHEELS) for c in wheel["cases"]])
def test_a_spin_whose_lines_break_at_the_end_is_no_result(number: int, case: dict[str, Any]) -> None:
    """Crossed lines at the turning; a dead encoder line; a contact that is shorted before the wheel is on a peg."""
    wheel = WHEELS[number]
    section = WheelSection.model_validate(wheel["built"])
    tracker = WheelTracker(geometry(section, wheel["sections"]), wheel["levels"])
    events_of(tracker, wheel["calls"][: case["after"]])
    assert tracker.position is not None
    spin = outcome(events_of(tracker, case["calls"]), case["section"], case["bent"])
    assert spin.said == "fault", case["faults"]


@pytest.mark.parametrize(
    ("seed", "faults"),
    [
        pytest.param(60016, 11, id="the shaft comes loose between a strike and the slip"),
        pytest.param(61055, 15, id="the encoder slips"),
        pytest.param(61006, 25, id="A and B are crossed while a peg bends the leather", marks=pytest.mark.campaign),
    ],
)
def test_a_fault_within_the_bend_of_the_leather_makes_no_result(seed: int, faults: int) -> None:
    assert of_wheel(seed, spins=1, faults=faults).wrong == []
