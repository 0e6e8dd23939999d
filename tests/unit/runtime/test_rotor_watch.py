"""A roulette wheel's health at the table and on the floor: each run measured and on record, an alert by itself."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml
from floor_messages import arrived
from floor_pages import Floor, run
from roulette_table import called, opened, settle

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, shipped_tables
from controller.events.effect import Alert
from controller.events.event import BallLeftTrack, RotorMeasured, WheelDegraded
from controller.floor.store.store import Store
from controller.journal.journal import Journal
from controller.messages.models import AlertMessage, RoundClosed
from controller.publishing.formatter import Formatter
from controller.runtime import rotor_watch
from controller.runtime.rotor_watch import name_on_record, wheel_name
from controller.screens.wheel_page import wheel_plots, wheel_report
from controller.tracking.roulette.rotor import RotorGeometry
from controller.viewmodel.history import TableHistory
from hal.mock.clock import VirtualClock

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


def test_a_wheel_in_good_health_raises_no_alert(shipped: Shipped) -> None:
    rig = opened(shipped("roulette"))
    play(rig, 60, anywhere)
    assert events(rig, WheelDegraded) == []


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


# -- the pages -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a roulette table that is not level, and its journal."""
    folder = tmp_path_factory.mktemp("roulette")
    document = yaml.safe_load(shipped_tables()["roulette"].read_text(encoding="utf-8"))
    document["journal"] = {"file": str(folder / "table.journal")}
    file = folder / "table.yaml"
    file.write_text(yaml.safe_dump(document), encoding="utf-8")
    rig = opened(load_table(file).config, folder / "table.journal")
    for number in range(3 * TILTED):
        play(rig, 1, anywhere if number < 2 * TILTED else always_there)
        rig.wait(1800)
    rig.table.stop()
    rig.journal.close()
    return file


@pytest.mark.campaign
def test_the_tables_page_has_findings_days_and_plots(table: Path) -> None:
    journal = Journal(table.with_name("table.journal"), read_only=True)
    report = wheel_report(table, journal)
    assert report is not None
    assert report["rotor"] is not None
    assert (report["rotor"]["since_round"], report["rotor"]["level"]) == (0, 0.25)
    assert sum(day["spins"] for day in report["rotor"]["days"]) == report["spins"] == 3 * TILTED + 1
    assert [found["detail"] for found in report["findings"]] != []
    words = "".join(ElementTree.fromstring(wheel_plots(table, journal)).itertext())
    assert "percent of the balls that came down from ball_1 to ball_2; 25% on a level wheel" in words
    assert "turns a second that the rotor loses each second" in words
    journal.close()


def test_the_floor_shows_the_same_and_hears_the_alert(table: Path, tmp_path: Path) -> None:
    journal = Journal(table.with_name("table.journal"), read_only=True)
    report = wheel_report(table, journal)
    assert report is not None
    assert report["rotor"] is not None
    first = next(journal.entries())
    formatter = Formatter(load_table(table).config, VirtualClock(), first.hash, None)
    messages = [due.message for entry in journal.entries() for due in formatter.take(entry)]
    journal.close()
    alerts = [message for message in messages if isinstance(message, AlertMessage)]
    assert [one.remedy for one in alerts if "on a level wheel" in one.text] == [report["findings"][0]["remedy"]]
    store = Store(f"sqlite:///{tmp_path}/floor.db")
    store.take([arrived(message) for message in messages if isinstance(message, RoundClosed)])
    days = report["rotor"]["days"]

    async def looked_at(floor: Floor) -> None:
        document = await floor.document("/wheels/roulette/health.json")
        assert [day["since"] for day in document["rotor_days"]] == [day["since"] for day in days]
        assert document["rotor_days"][1:] == days[1:], "the last round's message comes with the next round"
        assert document["rotor_level"] == 0.25
        assert document["findings"] == report["findings"]
        drawn = await floor.get("/wheels/roulette/health.svg")
        assert "25% on a level wheel" in drawn.body.decode()

    run(store.engine, looked_at)
    store.close()
