"""``wheel-health`` of a roulette table: where its balls come down and what its rotor loses, from kept edges."""

import json
import re
from pathlib import Path

import pytest
import yaml
from replay_table import opened
from roulette_table import called, settle

from controller.commands.cli import main
from controller.configuration.shipped import load_table, shipped_tables
from controller.runtime import exit_codes as exits

SPINS = 5


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a roulette table that has played some rounds."""
    monkeypatch.chdir(tmp_path)
    document = yaml.safe_load(shipped_tables()["roulette"].read_text(encoding="utf-8"))
    document["journal"] = {"file": "table.journal"}
    file = tmp_path / "table.yaml"
    file.write_text(yaml.safe_dump(document), encoding="utf-8")
    rig = opened(load_table(file).config, tmp_path / "table.journal")
    for _ in range(SPINS):
        called(rig, "17")
        rig.press("1", "7", "enter")
        rig.wait(8)  # Until the wheel reader has spoken, too.
        settle(rig)
        assert rig.state.value == "bets-open", rig.waiting_for
    rig.finish()
    return file


def test_the_spins_of_a_roulette_wheel_are_shown_to_people_and_programs(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["wheel-health", str(table)]) == exits.OK
    output = capsys.readouterr().out
    assert f"{SPINS + 1} spins measured" in output  # The trial spin of the inspection is one.
    assert re.search(rf"2026-01-01 +{SPINS + 1} +\d+% +0\.003\d", output)
    assert "25% on" in output
    assert output.endswith("\nnothing found\n")
    assert main(["wheel-health", "table.journal", "--file", str(table), "--spins", "2"]) == exits.OK
    assert capsys.readouterr().out.count("2026-01-01 0") == 3
    assert main(["wheel-health", str(table), "--json"]) == exits.OK
    data = json.loads(capsys.readouterr().out)
    assert (data["beam_angle_deg"], data["findings"], data["usual_loss_rev_s2"]) == (90.0, [], None)
    assert len(data["spins"]) == SPINS + 1
    for one in data["spins"]:
        assert one["drops_within_deg"] == (90 if one["between_beams"] else 270)
        assert one["rotor_loss_rev_s2"] == pytest.approx(0.003, rel=0.2)
