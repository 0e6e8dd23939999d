"""A roulette wheel's health at the table and on the floor: each run measured and on record, an alert by itself."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from roulette_table import called, opened, settle

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import Alert
from controller.events.event import BallLeftTrack, RotorMeasured, WheelDegraded
from controller.journal.journal import Journal
from controller.runtime import rotor_watch
from controller.runtime.rotor_watch import name_on_record, wheel_name
from controller.tracking.roulette.rotor import RotorGeometry
from controller.viewmodel.history import TableHistory

Shipped = Callable[[str], TableConfig]
TILTED = 40
"""Rounds within which a wheel that always drops its ball on one side is named."""


def events(rig: Rig, kind: type[Any]) -> list[Any]:
    return [record.event for record in rig.records() if isinstance(record.event, kind)]


def play(rig: Rig, rounds: int, turns: Callable[[int], float]) -> None:
    """Rounds, in which the ball makes so many turns: it is thrown from the same place each time."""
    for number in range(rounds):
        called(rig, "17", turns(number))
        rig.press("1", "7", "enter")
        rig.wait(8)
        settle(rig)
        assert rig.state.value == "bets-open", rig.waiting_for


def anywhere(number: int) -> float:
    return 7 + 0.381966 * number % 1


def always_there(number: int) -> float:
    """Thrown counterclockwise from 40 degrees past ball_1, it comes down in the quarter between the beams."""
    return 6.764


def test_every_run_of_the_ball_is_measured_and_on_record(shipped: Shipped) -> None:
    rig = opened(shipped("roulette"))
    play(rig, 3, anywhere)
    runs = events(rig, RotorMeasured)
    assert len(runs) == len(events(rig, BallLeftTrack)) == 4, "the trial spin is one"
    assert {one.calibration for one in runs} == {"rotor 90000 000000000"}
    assert all(one.rotor_slows_rev_s2 == pytest.approx(0.003, rel=0.2) for one in runs)
    noted = [record for record in rig.records() if isinstance(record.event, RotorMeasured)]
    assert {(record.outcome, record.effects) for record in noted} == {("noted", ())}


def test_a_wheel_that_is_not_level_is_an_alert_with_what_to_do_and_holds_nothing_up(shipped: Shipped) -> None:
    rig = opened(shipped("roulette"))
    screen = TableHistory(rig.config, rig.clock)
    rig.table.listeners.append(screen)
    play(rig, 2 * TILTED, always_there)
    (found,) = events(rig, WheelDegraded)
    assert (found.sign, found.round <= TILTED) == ("drops", True)
    (alert,) = [one for record in rig.records() for one in record.effects if isinstance(one, Alert)]
    assert "on a level wheel 25% do" in alert.text
    assert alert.remedy.startswith("Level the wheel")
    assert [line["text"] for line in screen.alerts()] == [alert.text]
    assert {"device": "wheel", "state": "degraded", "detail": alert.text} in screen.devices.listed()


@pytest.mark.campaign
def test_the_watches_go_on_over_restarts(shipped: Shipped, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rotor_watch, "STATE_EVERY", 7)
    found = []
    for every in (1000, 5):
        rig = opened(shipped("roulette"), tmp_path / f"{every}.journal")
        for number in range(TILTED):
            play(rig, 1, always_there)
            if number % every == every - 1:
                rig.power_cut()
        found.append([(one.sign, one.round) for one in events(rig, WheelDegraded)])
        rig.journal.close()
    assert found[0]
    assert found[0] == found[1]


def test_logged_work_on_the_wheel_begins_anew_and_a_new_ball_does_not(shipped: Shipped) -> None:
    geometry = RotorGeometry(400)
    journal = Journal(None)
    logged = {"kind": "inspection-logged", "utc_ns": 0, "table": "1", "inspected": False, "credential": "2"}

    def entry(kind: str, round_: int, event: dict[str, object], *works: str) -> None:
        effects = [{**logged, "work": [work]} for work in works]
        body = {
            "fact": {"kind": kind, "at_ns": 0, **event},
            "outcome": "moved",
            "state": "closed",
            "effects": effects,
        }
        journal.append(round_, 0, 0, kind, json.dumps(body), None)

    press = {"control": "floor-key"}
    assert name_on_record(journal, geometry) == wheel_name(geometry, 0)
    entry("press", 4, press, "replacement of the ball")
    assert name_on_record(journal, geometry) == wheel_name(geometry, 0)
    entry("press", 5, press, "adjustment of the level of the wheel")
    assert name_on_record(journal, geometry) == wheel_name(geometry, 5)
    run = {"round": 6, "calibration": wheel_name(geometry, 5), "drops_from_mdeg": 0, "drops_within_mdeg": 90000}
    entry("rotor-measured", 6, run)
    assert name_on_record(journal, geometry) == wheel_name(geometry, 5)
    assert name_on_record(journal, RotorGeometry(400, beam_angle_mdeg=60_000)) == "rotor 60000 000000006"
    entry("press", 8, press, "replacement of the bearing")
    assert name_on_record(journal, geometry) == wheel_name(geometry, 8)
