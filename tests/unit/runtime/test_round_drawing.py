"""The drawing of a round for the page of rounds."""

from collections.abc import Callable
from pathlib import Path

from replay_table import opened, play

from config.schema import TableConfig
from controller.configuration.shipped import load_table, table_path
from controller.runtime.round_replay import drawing


def test_a_drawing_says_that_the_round_was_played_with_another_file_of_the_table(
    shipped: Callable[[str], TableConfig], tmp_path: Path
) -> None:
    """As on the bench, where another wheel was put up, and in a pit where a wheel was replaced."""
    file, loaded = tmp_path / "table.journal", load_table(table_path("dreamcatcher"))
    rig = opened(shipped("dreamcatcher"), file)
    play(rig, "10")
    rig.configuration = "1" * 64
    rig.power_cut(5)
    rig.turn(1.2)
    play(rig, "5")
    play(rig, "2")
    rig.finish()
    assert "another file of the table" in drawing(3, loaded._replace(digest="0" * 64), file)
    assert "another file of the table" not in drawing(3, loaded._replace(digest="1" * 64), file)
