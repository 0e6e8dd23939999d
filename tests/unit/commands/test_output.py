"""Colours: on a terminal, unless somebody says otherwise, and never for programs."""

import io
import sys
from collections.abc import Callable, Mapping

import pytest

from controller.commands.cli import main
from controller.commands.output import coloured


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


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Terminal]:
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "JOURNAL_STREAM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")

    def replaced(name: str) -> Terminal:
        stream = Terminal()
        monkeypatch.setattr(sys, name, stream)
        return stream

    return replaced


def test_json_has_no_colours_even_where_they_are_forced(
    terminal: Callable[[str], Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    for words in (["check", "sic-bo"], ["odds", "sic-bo"], ["check", "--schema"]):
        shown = terminal("stdout")
        assert main(words if "--schema" in words else [*words, "--json"]) == 0
        assert "\033" not in shown.getvalue()


@pytest.mark.parametrize(
    ("words", "code"), [(["odds", "sic-bo"], 0), (["check", "/nowhere.yaml"], 78), (["journal", "show", "/x"], 1)]
)
def test_a_command_does_its_work_without_streams(
    words: list[str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
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
