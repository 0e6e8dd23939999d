"""The commands as a technician meets them: help, wrong arguments, exit codes, no traceback."""

import csv
import io
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from controller.bench.rig import Rig
from controller.commands.cli import main
from controller.commands.output import coloured


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
        (["odds", "sic-bo"], 0, ""),
        (["odds", "poker"], 2, "unknown game 'poker'; the games are"),
        (["check", "/nowhere.yaml"], 78, "there is no such file"),
        (["journal", "verify", "/nowhere.journal"], 1, "there is no journal here"),
    ],
)
def test_a_wrong_argument_gets_one_sentence_and_a_command_needs_no_streams(
    words: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(words) == code
    printed = capsys.readouterr()
    assert message in printed.err + printed.out
    assert "Traceback" not in printed.err
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert main(words) == code
    for stream in (sys.stdout, sys.stderr):
        stream.close()


def test_output_that_cannot_be_written_is_a_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open("/dev/full", "w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main(["odds", "sic-bo"]) == 1
    assert capsys.readouterr().err == "table-controller odds: no space left on device\n"


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


def test_journal_export_and_verify(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "export", str(journal)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert main(["journal", "export", str(journal), "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["hash"] for row in rows] == [line["hash"] for line in lines]
    assert main(["journal", "verify", str(journal), "--json"]) == 0
    verdict = json.loads(capsys.readouterr().out)
    assert (verdict["problem"], verdict["head"]) == ("", lines[-1]["hash"])


# -- colours -------------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("variables", "terminal", "pipe"),
    [
        ({"TERM": "xterm"}, True, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({}, False, False),
        ({"TERM": "xterm", "CLICOLOR": "0"}, False, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"CLICOLOR_FORCE": "1"}, True, True),
        ({"TERM": "xterm", "CLICOLOR_FORCE": "0"}, True, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
    ],
)
def test_the_variables_of_the_environment_decide(variables: Mapping[str, str], terminal: bool, pipe: bool) -> None:
    assert coloured(Terminal(), variables) is terminal
    assert coloured(io.StringIO(), variables) is pipe


def test_json_has_no_colours_even_where_they_are_forced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    for words in (["check", "sic-bo", "--json"], ["odds", "sic-bo", "--json"], ["check", "--schema"]):
        shown = Terminal()
        monkeypatch.setattr(sys, "stdout", shown)
        assert main(words) == 0
        assert "\033" not in shown.getvalue()
