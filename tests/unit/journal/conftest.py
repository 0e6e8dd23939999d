"""A journal of three rounds of which the edges are kept."""

from collections.abc import Callable
from pathlib import Path

import pytest
from replay_table import opened, play, settle, spin

from config.schema import TableConfig


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


@pytest.fixture
def three_rounds(shipped: Callable[[str], TableConfig], file: Path) -> TableConfig:
    """Three rounds of Dreamcatcher: a 10, a 1, a spin between sections and a 5; a fourth begins."""
    config = shipped("dreamcatcher")
    rig = opened(config, file)
    play(rig, "10")
    play(rig, "1")
    spin(rig, stop_between=7)
    rig.spin(stop_on="5")
    settle(rig)
    rig.press("no-more-bets")
    rig.close()
    return config
