"""A wheel's health at the table: measured after each spin, on record, an alert at once, and not forgotten."""

from pathlib import Path
from typing import Any

import pytest
from campaigns.measured_wheel import MeasuredWheel
from worn_table import PEG, bent, fleet_wheel, play_round, table_file, worn_rig

from controller.bench.rig import Rig
from controller.events.effect import Alert
from controller.events.event import SpinMeasured, WheelDegraded
from controller.journal.record import to_json
from controller.viewmodel.history import TableHistory


@pytest.fixture
def wheel() -> MeasuredWheel:
    return fleet_wheel()


@pytest.fixture
def file(tmp_path: Path, wheel: MeasuredWheel, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return table_file(tmp_path, wheel)


def watched(rig: Rig) -> TableHistory:
    """What the dealer's screen is made of."""
    history = TableHistory(rig.config, rig.clock)
    rig.table.listeners.append(history)
    return history


def events(rig: Rig, kind: type[Any]) -> list[Any]:
    return [record.event for record in rig.records() if isinstance(record.event, kind)]


def test_every_spin_is_measured_and_on_record(file: Path, wheel: MeasuredWheel) -> None:
    rig = worn_rig(file, wheel)
    for number in range(4):
        play_round(rig, number)
    measured = events(rig, SpinMeasured)
    rests = [entry.round for entry in rig.journal.entries() if entry.kind == "wheel-rested"]
    assert [one.round for one in measured] == rests[1:], "all but the turn by hand that located the wheel"
    assert len(measured) == 4
    assert all(one.calibration.startswith("2025-12-01 ") for one in measured)
    assert not events(rig, WheelDegraded)
    noted = [record for record in rig.records() if isinstance(record.event, SpinMeasured)]
    assert {(record.outcome, record.effects) for record in noted} == {("noted", ())}
    assert max(len(to_json(record)) for record in noted) < 1100


def test_a_bent_peg_is_an_alert_within_one_spin(file: Path, wheel: MeasuredWheel) -> None:
    rig = worn_rig(file, bent(wheel))
    screen = watched(rig)
    rig.press("no-more-bets")
    rig.spin(revolutions=4.3, stop_on="1")
    (found,) = events(rig, WheelDegraded)
    assert (found.sign, found.peg, found.round) == ("bent-peg", PEG, 1)
    (alert,) = [effect for record in rig.records() for effect in record.effects if isinstance(effect, Alert)]
    assert "The peg between sections #11 and #12 stands 0.40 degrees too far" in alert.parameters["detail"]
    assert alert.parameters["remedy"] == "Straighten it or screw it in, then calibrate the wheel anew."
    assert [line["text"] for line in screen.alerts()] == [alert.parameters["detail"]]
    assert rig.state.value == "result", "a finding holds nothing up"


# -- over restarts -------------------------------------------------------------------------------------------------
