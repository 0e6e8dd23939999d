"""Colours: on a terminal, unless somebody says otherwise, and never for programs."""

import io
import logging
import sys
from collections.abc import Callable, Mapping

import pytest

from controller.commands.cli import main
from controller.runtime.colours import Colour, coloured, paint
from controller.runtime.log_format import complain, log_handler, warn


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


def test_errors_are_red_and_warnings_yellow_on_a_terminal(terminal: Callable[[str], Terminal]) -> None:
    errors = terminal("stderr")
    complain("it is broken\nhere")
    warn("look at it")
    assert errors.getvalue().splitlines() == [
        "\033[31mit is broken\033[0m",
        "\033[31mhere\033[0m",
        "\033[33mlook at it\033[0m",
    ]


def test_the_log_has_colours_for_warnings_and_errors_alone(terminal: Callable[[str], Terminal]) -> None:
    terminal("stderr")
    handler = log_handler()
    records = [logging.LogRecord("x", level, "", 0, "text", (), None) for level in (20, 30, 40)]
    assert [handler.format(record) for record in records] == [
        "INFO text",
        "\033[33mWARNING text\033[0m",
        "\033[31mERROR text\033[0m",
    ]


def test_what_a_command_says_is_the_same_without_colours(
    terminal: Callable[[str], Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = terminal("stdout")
    assert main(["check", "sic-bo"]) == 0
    assert "\033[32min order\033[0m" in shown.getvalue()
    monkeypatch.setenv("NO_COLOR", "1")
    plain = terminal("stdout")
    assert main(["check", "sic-bo"]) == 0
    assert plain.getvalue() == shown.getvalue().replace("\033[32m", "").replace("\033[33m", "").replace(
        "\033[0m", ""
    )


def test_json_has_no_colours_even_where_they_are_forced(
    terminal: Callable[[str], Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    for words in (["check", "sic-bo"], ["odds", "sic-bo"], ["schema"]):
        shown = terminal("stdout")
        assert main(words if words == ["schema"] else [*words, "--json"]) == 0
        assert "\033" not in shown.getvalue()


def test_nothing_is_painted_where_there_is_nothing() -> None:
    assert paint("", Colour.GOOD, Terminal()) == ""
