"""What the tests of rules share: a shipped table with some of its text replaced, and what ``check`` says of it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from controller.commands.cli import main
from controller.configuration.shipped import shipped_tables

Check = Callable[..., list[str]]


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    """The problems, or else the advice, for a table with replaced text, without the file's name."""

    def lines(game: str, *changes: tuple[str, str], append: str = "") -> list[str]:
        text = shipped_tables()[game].read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new, 1)
        file = tmp_path / "table.yaml"
        file.write_text(text + append, encoding="utf-8")
        capsys.readouterr()
        code = main(["check", str(file)])
        printed = capsys.readouterr()
        found = [line.removeprefix(f"{file}:") for line in printed.err.splitlines()]
        verdict, *advice = [line.removeprefix(f"{file}: ") for line in printed.out.splitlines()]
        assert (code, verdict == "in order") == ((78, False) if found else (0, True))
        return found or advice

    return lines
