"""The house rules that a machine can check: which way the arrows point, and what the core may not touch."""

import ast
from pathlib import Path

import pytest
from project import ROOT

PACKAGES = ("controller", "hal", "config")
MODULES = sorted(path.relative_to(ROOT) for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
CORE = ("controller/tracking", "controller/games", "controller/odds")
# What reads a clock, a file, a device or chance.
OUTSIDE = {"time", "datetime", "os", "io", "pathlib", "socket", "random", "sqlite3", "asyncio", "threading"}
BENCH = ("hal/mock", "controller/bench", "controller/commands/bench.py", "controller/commands/simulate.py")
SCREENS = "controller/screens"
# What tells of a table, and what many tables are told to: processes of their own.
FLOOR = ("controller/publishing", "controller/floor", "controller/fairness")
OF_THE_FLOOR = (*FLOOR, "controller/messages", "controller/commands/publish.py", "controller/commands/floor.py")
SHOWN = (*CORE, "controller/records", "controller/runtime/table.py", "controller/runtime/lamps.py", "hal", "config")


def imports(module: Path) -> set[str]:
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_arrows_point_from_controller_to_hal_and_config_and_never_back(module: Path) -> None:
    above = {"hal": ("controller", "config"), "config": ("controller", "hal"), "controller": ()}[module.parts[0]]
    assert not [name for name in imports(module) if name.split(".")[0] in above]


@pytest.mark.parametrize("module", [m for m in MODULES if str(m).startswith(CORE)], ids=str)
def test_the_core_reads_no_clock_file_or_pin(module: Path) -> None:
    allowed = {"pathlib"} if module.name == "game.py" else set()  # It looks for the games' own files.
    assert not [name for name in imports(module) if name.split(".")[0] in OUTSIDE - allowed]
    assert not [name for name in imports(module) if name.startswith("hal.") and name != "hal.events"]


@pytest.mark.parametrize("module", [m for m in MODULES if not str(m).startswith(BENCH)], ids=str)
def test_no_production_line_knows_the_simulator(module: Path) -> None:
    assert not [name for name in imports(module) if name.startswith(("hal.mock", "controller.bench"))]


@pytest.mark.parametrize("module", [m for m in MODULES if str(m).startswith(SCREENS)], ids=str)
def test_the_screens_need_nothing_of_the_bench_and_touch_no_device(module: Path) -> None:
    assert not [name for name in imports(module) if name.split(".")[0] in {"rich", "numpy"}]
    # A touch screen is a source of keys.
    allowed = {"hal.interfaces"} | ({"hal.events"} if module.name == "touch.py" else set())
    assert not [name for name in imports(module) if name.startswith("hal.") and name not in allowed]


@pytest.mark.parametrize("module", [m for m in MODULES if str(m).startswith(SHOWN)], ids=str)
def test_what_is_shown_does_not_know_the_screens(module: Path) -> None:
    assert not [name for name in imports(module) if name.startswith("controller.screens")]


@pytest.mark.parametrize("module", [m for m in MODULES if not str(m).startswith(OF_THE_FLOOR)], ids=str)
def test_a_table_does_not_know_who_tells_of_it(module: Path) -> None:
    """So no broker and no floor can delay it, and none of their libraries is loaded under a table."""
    of_floor = tuple(package.replace("/", ".") for package in FLOOR)
    libraries = {"aiomqtt", "paho", "sqlalchemy", "psycopg"}
    assert not [name for name in imports(module) if name.startswith(of_floor) or name.split(".")[0] in libraries]


@pytest.mark.parametrize("module", [m for m in MODULES if str(m).startswith(OF_THE_FLOOR)], ids=str)
def test_what_tells_of_tables_touches_no_device(module: Path) -> None:
    allowed = {"hal.interfaces", "hal.clock"}
    assert not [name for name in imports(module) if name.startswith("hal.") and name not in allowed]


@pytest.mark.parametrize("module", [m for m in MODULES if str(m).startswith("controller/floor")], ids=str)
def test_the_floor_knows_tables_by_their_messages_alone(module: Path) -> None:
    assert not [name for name in imports(module) if name.startswith("controller.publishing")]


@pytest.mark.parametrize("module", [m for m in MODULES if str(m).startswith("controller/screens/games/")], ids=str)
def test_only_its_own_screen_knows_a_game(module: Path) -> None:
    """Games are found by name: what all of them share is the same for a game that is added."""
    own = {"wheel": "wheel_", "dice": "dice_"}.get(module.stem, "")
    shared = ("game", "aging", "drawing", "words", "machine")
    for name in imports(module):
        of_game = name.removeprefix("controller.games.")
        if of_game != name and of_game not in shared:
            assert module.stem != "__init__"
            assert of_game.startswith(own) if own else _family(module.stem) == _family(of_game), name


def _family(name: str) -> str:
    """The game that a module belongs to: ``war_play`` and ``casino_war`` to War."""
    return next((game for game in ("roulette", "football", "war") if game in name), name)


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_files_are_short_enough_to_read(module: Path) -> None:
    lines = (ROOT / module).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 420, "split it"
    assert not lines or lines[0].startswith('"""'), "say what the file is for"
