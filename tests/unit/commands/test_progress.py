"""Progress of long commands: a line on a terminal, gone at the end; nothing for a pipe."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.bench.rig import Rig
from controller.commands import progress
from controller.commands.cli import main
from controller.commands.progress import ProgressLine, shown_progress


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


def line(total: int) -> tuple[ProgressLine, list[str], list[float]]:
    drawn: list[str] = []
    now_s = [100.0]
    return ProgressLine("rounds", total, drawn.append, lambda: now_s[0]), drawn, now_s


def test_short_work_shows_nothing_and_long_work_how_much_is_left() -> None:
    shown, drawn, now_s = line(4000)
    now_s[0] = 100.9
    shown.advance(500)
    assert drawn == []
    now_s[0] = 110.0
    shown.advance(500)
    assert drawn == ["[#####...............]  25%  1,000 of 4,000 rounds, 30 s left"]
    shown.advance(1)
    assert len(drawn) == 1, "ten times a second at the most"
    now_s[0] = 500.0
    shown.advance(1)
    assert drawn[-1].endswith("20 min left")


def test_the_line_is_erased_at_the_end_also_of_work_that_fails(on_terminal: Callable[[], Terminal]) -> None:
    terminal = on_terminal()

    def work() -> None:
        with shown_progress("entries", 2) as advance:
            advance(1)
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        work()
    assert "1 of 2 entries" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\033[K")


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
