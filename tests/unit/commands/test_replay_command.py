"""``replay`` as used to settle a dispute: text, plots, pictures, exit codes."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from open_tables import Shipped
from replay_table import entry_of, opened, play, rewrite
from tampering import change

from controller import __version__
from controller import errors as exits
from controller.commands.cli import main
from controller.configuration.shipped import load_table
from controller.journal.replay.trace import trace_file
from controller.runtime.software import digest


def played_with(journal: Path, **start: str) -> None:
    """Put the version or configuration on record that the table started with."""
    rewrite(journal, {1: lambda body: body["event"].update(start)})


@pytest.fixture
def table(shipped: Shipped, table_file: Callable[..., Path], tmp_path: Path) -> Path:
    """A Dreamcatcher table that has played a 10, a 1 and a 5; the edges of the last two rounds are kept."""
    journal = tmp_path / "table.journal"
    rig = opened(shipped("dreamcatcher"), journal, rounds=2)
    for section in ("10", "1", "5"):
        play(rig, section)
    rig.close()
    file = table_file("dreamcatcher")
    played_with(journal, configuration=load_table(file).digest, version=__version__, software=digest())
    return file


def run_replay(capsys: pytest.CaptureFixture[str], *words: str, code: int = exits.OK) -> str:
    assert main(["replay", *words]) == code
    return capsys.readouterr().out


def test_a_round_is_printed_compared_and_drawn(
    table: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    picture = tmp_path / "round.svg"
    output = run_replay(capsys, "2", str(table), "--svg", str(picture))
    assert "RESULT 1: 1 pays 1 to 1" in output
    assert "RESULT 10" not in output
    assert "10 of 10 decisions as on record" in output
    assert re.search(r"\d+ events of the sensors found again", output)
    assert "note:" not in output
    assert output.endswith("\ndecisions and sensors are as on record\n")
    assert "on 1, section 3 of 54" in picture.read_text()


def test_a_difference_is_reported_by_its_entry_and_fails(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = table.with_name("table.journal")
    seq = entry_of(journal, "wheel-rested", 2)
    rewrite(journal, {seq: lambda body: body["event"].update(section=9)})
    output = run_replay(capsys, "2", str(table), code=exits.FAILED)
    assert f"entry {seq} (wheel-rested): section: the record says 9, this software comes to " in output
    assert "RESULT 10: 10 pays 10 to 1" in output
    assert "8 of 10 decisions as on record" in output
    assert output.endswith("DIFFERENT from the record: 3 differences\n")
    last = entry_of(journal, "wheel-rested", 3)
    change(journal, f"DELETE FROM entries WHERE seq >= {last}")
    output = run_replay(capsys, "2", str(table), code=exits.FAILED)
    assert re.search(rf"note: .*entries {last} to \d+ are missing at its end", output)


def test_json_has_all_of_it(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = table.with_name("table.journal")
    seq = entry_of(journal, "wheel-rested", 2)
    rewrite(journal, {seq: lambda body: body.update(outcome="noted")})
    data = json.loads(run_replay(capsys, "2", str(table), "--json", code=exits.FAILED))
    assert (data["round"], data["table"], data["same"], data["notes"]) == (2, "dreamcatcher", False, [])
    assert data["sensors"]["same"] > 4
    assert data["differences"] == [
        {"seq": seq, "kind": "wheel-rested", "what": "outcome", "recorded": "noted", "replayed": "accepted"}
    ]


def test_what_other_software_decided_is_noted(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played_with(table.with_name("table.journal"), version="0.0.1", software="ab" * 32)
    output = run_replay(capsys, "2", str(table))
    assert re.search(r"note: version 0\.0\.1 \(software abababababab, configuration .*\) decided the round", output)


def test_a_round_whose_edges_are_gone_is_replayed_by_its_events(
    table: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    output = run_replay(capsys, "1", str(table))
    assert "no edges of round 1 are kept, only those of rounds 2 to 3: the journal's events alone were" in output
    assert output.endswith("\nthe decisions are as on record\n")
    out = tmp_path / "round.svg"
    assert main(["replay", "1", str(table), "--svg", str(out)]) == exits.FAILED
    assert "was not written: no movement of the round was kept" in capsys.readouterr().err
    assert not out.exists()
    traces = trace_file(table.with_name("table.journal"))
    traces.write_bytes(b"not a file of edges" * 100)
    said = "the journal's events alone were replayed: the kept edges cannot be read: file is not a database"
    assert said in run_replay(capsys, "2", str(table))
    traces.unlink()
    assert "no edges of round 2 are kept, and those of no other round either" in run_replay(capsys, "2", str(table))
