"""The page of a wheel's health, as its reading process makes it from the record."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from campaigns.measured_wheel import MeasuredWheel
from worn_table import bent, fleet_wheel, play_round, table_file, worn_rig

from controller.screens.rounds import Rounds, main
from controller.web.http import Request


@pytest.fixture
def wheel() -> MeasuredWheel:
    return fleet_wheel()


@pytest.fixture
def file(tmp_path: Path, wheel: MeasuredWheel) -> Path:
    return table_file(tmp_path, wheel)


def played(file: Path, wheel: MeasuredWheel, rounds: int) -> Path:
    """The journal of rounds with a wheel."""
    journal = file.with_name("table.journal")
    rig = worn_rig(file, wheel, journal)
    for number in range(rounds):
        play_round(rig, number)
    rig.table.stop()
    rig.journal.close()
    return journal


def read(capsys: pytest.CaptureFixture[str], table: Path, journal: Path, command: str = "wheel") -> Any:
    assert main([str(table), str(journal), command]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_finding_stands_there_with_what_to_do(
    file: Path, wheel: MeasuredWheel, capsys: pytest.CaptureFixture[str]
) -> None:
    report = read(capsys, file, played(file, bent(wheel), 3))
    (finding,) = report["findings"]
    assert "between sections #11 and #12 stands 0.40 degrees too far" in finding["detail"]
    assert finding["remedy"] == "Straighten it or screw it in, then calibrate the wheel anew."
    assert (finding["round"], report["spins"]) == (1, 3)
    (day,) = report["days"]
    assert (day["since"], day["spins"], day["odd_peg"]) == ("2026-01-01", 3, "#11|#12")
    assert day["odd_deg"] == pytest.approx(0.4, abs=0.03)


def test_the_server_asks_the_reading_process(file: Path, wheel: MeasuredWheel) -> None:
    rounds = Rounds(file, played(file, wheel, 1))

    def answered(path: str) -> tuple[int, str, bytes]:
        answer = asyncio.run(rounds.answer(Request("GET", path)))
        return answer.status, answer.kind, answer.body

    status, kind, body = answered("/wheel.json")
    assert (status, kind, json.loads(body)["spins"]) == (200, "application/json", 1)
    status, kind, body = answered("/wheel.svg")
    assert (status, kind) == (200, "image/svg+xml")
    assert body.startswith(b"<svg")
    assert answered("/wheel.png")[0] == 404
