"""Spins whose lines break in the last second, once taken for results by a campaign: their recorded edges.

``found_spins.jsonl.gz`` has a wheel on each line: the calls of its tracker since it was switched on, and spins. A
call is ``feed`` with letters, steps and the first sequence number, ``tick`` with a time, or ``look`` with levels
and a time. Steps are in microseconds and as in ``tests/reference/data.py``.
"""

import gzip
import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from campaigns.fleet_wheel import FleetWheel
from campaigns.wheel_campaign import of_wheel

from config.schema import WheelSection
from controller.events.event import Event, WheelRested
from controller.runtime.trackers import geometry
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import EdgeBatch
from hal.mock.settings import WheelSettings

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
    rest = next(event for event in events_of(tracker, case["calls"]) if isinstance(event, WheelRested))
    assert rest.fault is not None, case["faults"]


def test_a_slipping_encoder_makes_no_wrong_result() -> None:
    assert of_wheel(61055, faults=1, moments=3, ways=5).wrong == []


def test_an_encoder_that_stands_while_the_wheel_passes_a_peg_makes_no_wrong_result() -> None:
    """Its coupling slips by a section: the index is on the same shaft, and agrees with the counts from then on."""
    built = FleetWheel(4, WheelSettings(seed=4, sections=36, counts_per_turn=1000))
    for moment in range(24):
        wheel = deepcopy(built)
        wheel.head.throw(4.2, 1 if moment % 2 else -1)
        wheel.advance(2 + 0.013 * moment)
        wheel.world.fault("slip", amount=1)
        since = wheel.head.x
        while abs(wheel.head.x - since) < 1:
            wheel.advance(0.0005)
        wheel.head.repair(remount=False)
        assert wheel.end().said == "fault", moment
