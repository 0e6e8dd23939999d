"""A keypad that sends codes takes the place of a matrix."""

from pathlib import Path

import pytest

from config.problems import ConfigError
from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path

CONTROLS = [*"0123456789", "enter", "clear", "no-more-bets", "done", "no-roll", "correct"]
CODES = "\n".join(f"      {control}: KEY_{number}" for number, control in enumerate(CONTROLS))


def with_keyboard(folder: Path, codes: str = CODES) -> TableConfig:
    text = table_path("sic-bo").read_text(encoding="utf-8")
    start, end = text.index("  # The dealer's keypad"), text.index("  # Key switches and contacts")
    keyboard = f"  keyboard:\n    backend: mock\n    codes:\n{codes}\n\n"
    file = folder / "table.yaml"
    file.write_text(text[:start] + keyboard + text[end:], encoding="utf-8")
    return load_table(file).config


def test_a_round_is_keyed_on_a_keyboard(tmp_path: Path) -> None:
    table = Rig(with_keyboard(tmp_path))
    table.floor("inspect")
    table.press("7", "4")
    assert "4-_-_" in table.waiting_for


def test_a_control_without_a_code_and_one_that_the_game_does_not_have(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as failure:
        with_keyboard(tmp_path, CODES.replace("no-roll", "war"))
    messages = [f"{problem.key} {problem.message}" for problem in failure.value.problems]
    assert any("no key for: no-roll" in words for words in messages)
    assert any("no control 'war' in this game" in words for words in messages)
