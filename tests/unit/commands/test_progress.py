"""Progress of long commands: a line on a terminal, gone at the end; nothing for a pipe."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.bench.rig import Rig
from controller.commands import progress
from controller.commands.cli import main


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def on_terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Terminal]:
    """Puts standard error on a terminal of 80 columns; every step of work is shown there."""
    monkeypatch.setattr(progress, "_AFTER_S", -1.0)
    monkeypatch.setattr(progress, "_EVERY_S", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")

    def put() -> Terminal:
        stream = Terminal()
        monkeypatch.setattr(sys, "stderr", stream)
        return stream

    return put


@pytest.fixture
def journal(opened: Callable[..., Rig], tmp_path: Path) -> Path:
    file = tmp_path / "table.journal"
    table = opened("sic-bo", file)
    table.press("no-more-bets")
    table.journal.close()
    return file


@pytest.mark.parametrize("action", ["verify", "export", "inspections"])
def test_a_long_command_shows_how_far_it_is_and_prints_the_same(
    action: str,
    journal: Path,
    on_terminal: Callable[[], Terminal],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = on_terminal()
    outputs = []
    for stream in (terminal, io.StringIO()):
        out = io.StringIO()
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", stream)
        assert main(["journal", action, str(journal)]) == 0
        outputs.append(out.getvalue())
    assert "entries" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\033[K")
    assert outputs[0] == outputs[1] != ""
