"""A shipped table with some of its text replaced: its problems, and what ``check`` says of it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from config.loader import load_text
from config.problems import ConfigError, Problem
from controller.commands.cli import main
from controller.configuration.rules import RULES
from controller.configuration.shipped import shipped_tables


def changed(table: str, *pairs: tuple[str, str]) -> tuple[str, list[tuple[int, int]]]:
    """A table's text with each first occurrence replaced, without ▸; the line and column at which each ▸ stood."""
    places = []
    for old, new in pairs:
        assert old in table
        table = table.replace(old, new, 1)
    while "▸" in table:
        before, _, after = table.partition("▸")
        table = before + after
        places.append((before.count("\n") + 1, len(before) - before.rfind("\n")))
    return table, places


@pytest.fixture(scope="session")
def problems() -> Callable[[str | bytes], tuple[Problem, ...]]:
    """The problems of a file with these contents; none if it can be used."""

    def of(text: str | bytes) -> tuple[Problem, ...]:
        try:
            load_text(text if isinstance(text, bytes) else text.encode(), "table.yaml", RULES)
        except ConfigError as error:
            return error.problems
        return ()

    return of


@pytest.fixture(scope="session")
def mistakes(problems) -> Callable[..., list[str]]:
    """The problems, without their places, of a game's table with changes. A ▸ marks where one is."""

    def of(game: str, *changes: tuple[str, str], append: str = "") -> list[str]:
        text, places = changed(shipped_tables()[game].read_text(encoding="utf-8") + append, *changes)
        found = problems(text)
        assert {(problem.line, problem.column) for problem in found} >= set(places), list(map(str, found))
        return [str(problem._replace(line=0, column=0)).removeprefix("table.yaml:0:0: ") for problem in found]

    return of


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., list[str]]:
    """The problems, or else the advice, that ``check`` prints for a game's table with changes."""

    def lines(game: str, *changes: tuple[str, str], append: str = "") -> list[str]:
        text, _ = changed(shipped_tables()[game].read_text(encoding="utf-8") + append, *changes)
        file = tmp_path / "table.yaml"
        file.write_text(text, encoding="utf-8")
        capsys.readouterr()
        code = main(["check", str(file)])
        printed = capsys.readouterr()
        found = [line.removeprefix(f"{file}:") for line in printed.err.splitlines()]
        verdict, *advice = [line.removeprefix(f"{file}: ") for line in printed.out.splitlines()]
        assert (code, verdict == "in order") == ((78, False) if found else (0, True))
        return found or advice

    return lines
