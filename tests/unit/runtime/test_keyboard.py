"""A keypad that sends codes takes the place of a matrix."""

from pathlib import Path

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
