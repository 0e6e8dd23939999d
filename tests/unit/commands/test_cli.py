"""The commands as a technician meets them: help, wrong arguments, exit codes, no traceback."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.bench.rig import Rig
from controller.commands.cli import main


@pytest.fixture
def journal(opened: Callable[..., Rig], tmp_path: Path) -> Path:
    file = tmp_path / "table.journal"
    table = opened("dreamcatcher", file)
    for stop in ("10", "2x"):
        table.press("no-more-bets")
        table.spin(stop_on=stop)
        table.press("done", "done", "clear")
    table.journal.close()
    return file


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["odds", "poker"], 2, "unknown game 'poker'; the games are"),
        (["check", "/nowhere.yaml"], 78, "there is no such file"),
        (["journal", "verify", "/nowhere.journal"], 1, "there is no journal here"),
    ],
)
def test_wrong_arguments_get_one_sentence(
    words: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == code
    printed = capsys.readouterr()
    assert message in printed.err + printed.out
    assert "Traceback" not in printed.err


def test_journal_show_reads_by_round(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "show", str(journal), "--round", "1"]) == 0
    shown = capsys.readouterr().out
    assert "round 1" in shown
    assert "round 2\n" not in shown
    assert "RESULT 10: 10 pays 10 to 1" in shown
    assert main(["journal", "show", str(journal), "--last", "1"]) == 0
    last = capsys.readouterr().out
    assert "BONUS 2x: the next result pays 2 times" in last
    assert "REFUSED done: All wagers stay. Spin the wheel again." in last, "codes are said in the game's words"
    assert main(["journal", "show", str(journal), "--round", "99"]) == 0
    assert capsys.readouterr().out == "no entries\n"


def test_journal_verify_prints_the_head(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "verify", str(journal), "--json"]) == 0
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["problem"] == ""
    assert len(verdict["head"]) == 64


def test_journal_export(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "export", str(journal)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert main(["journal", "export", str(journal), "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == len(lines)
    assert rows[-1]["hash"] == lines[-1]["hash"]
