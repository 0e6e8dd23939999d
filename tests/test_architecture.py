"""The house rules that a machine can check: which way the arrows point, and what the core may not touch."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("controller", "hal", "config")
MODULES = sorted(path.relative_to(ROOT) for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
CORE = ("controller/tracking", "controller/games", "controller/odds")
# What reads a clock, a file, a device or chance.
OUTSIDE = {"time", "datetime", "os", "io", "pathlib", "socket", "random", "sqlite3", "asyncio", "threading"}
BENCH = ("hal/mock", "controller/bench", "controller/commands/bench.py", "controller/commands/simulate.py")


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


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_files_are_short_enough_to_read(module: Path) -> None:
    lines = (ROOT / module).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 420, "split it"
    assert not lines or lines[0].startswith('"""'), "say what the file is for"
