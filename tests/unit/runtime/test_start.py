"""What a table loads until it is ready: each module and each data class is paid for at every start, on every Pi.

A new module or data class may be worth its cost: then the number here is raised in the same commit.
"""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from contracts.loop import PATIENCE_S
from project import ROOT

from controller.configuration.shipped import find_table
from controller.statechart.registry import find_game, game_names

OURS = ("config", "controller", "hal")
ROOMS = frozenset(
    "access commands configuration drawing events games journal limits odds round_summary runtime screens "
    "statechart tracking viewmodel web".split()
)
"""The rooms of a table that plays; all others are of other commands, or of what a table's file asks for."""
OF_WHEELS = frozenset({"wheel_health"})
LATER = frozenset({"controller.viewmodel.task", "difflib"})
"""Loaded when a page is asked for, or with the first mistake."""
MODULES, MODULES_WITH_WHEEL = 264, 302
CLASSES, CLASSES_WITH_WHEEL = 93, 115
"""The most data classes of this software: Python compiles methods for each."""


@cache
def loaded(game: str) -> dict[str, list[str]]:
    with TemporaryDirectory() as folder:
        words = ["run", game, "--port", "0", "--journal", str(Path(folder) / "table.journal")]
        command = [sys.executable, str(ROOT / "tests/support/start_of_table.py"), *words]
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
        found: dict[str, list[str]] = json.loads(ended.stdout)
        return found


def has_wheel(game: str) -> bool:
    return bool(find_game(game).wheel or find_game(game).pockets)


@pytest.mark.parametrize("game", game_names())
@pytest.mark.campaign
def test_no_room_is_entered_that_the_table_does_not_need(game: str) -> None:
    rooms = {name.split(".")[1] for name in loaded(game)["modules"] if name.startswith("controller.")}
    allowed = ROOMS | (OF_WHEELS if has_wheel(game) else frozenset())
    entered = {room for room in rooms if (ROOT / "controller" / room).is_dir()}
    assert entered - allowed == set()


@pytest.mark.parametrize("game", game_names())
def test_what_waits_for_its_first_use_is_not_loaded(game: str) -> None:
    modules = set(loaded(game)["modules"])
    assert modules & LATER == set()
    simulated = find_table(game).config.devices.panel.backend == "mock"
    assert ("numpy" in modules) == (simulated and has_wheel(game)), "numpy is the simulated wheels' alone"


@pytest.mark.parametrize("game", game_names())
def test_modules_and_data_classes_stay_within_their_number(game: str) -> None:
    found = loaded(game)
    ours = [name for name in found["modules"] if name.partition(".")[0] in OURS]
    wheel = has_wheel(game)
    assert len(ours) <= (MODULES_WITH_WHEEL if wheel else MODULES)
    assert len(found["classes"]) <= (CLASSES_WITH_WHEEL if wheel else CLASSES)
