"""What one test changes, no other finds: neither in what a fixture keeps for several, nor in a module's own names.

Tests run in any order and in several processes. A wheel that one test has thrown goes on with other random numbers
in the next one, which then fails on one machine in some.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from project import ROOT

KEPT = {
    *("None", "Any", "Path", "str", "int", "Fraction", "dict", "tuple", "list", "Callable"),
    *("TableConfig", "Problems", "Golden", "RecordedSpins"),
}
"""Values and recordings that tests only read; a wheel, a table or a round is made anew for each test."""
FOLDERS = (ROOT / "tests/unit", ROOT / "tests/games", ROOT / "tests/house", ROOT / "tests/conftest.py")
"""Servers, browsers and machines of ``tests/system`` are started once."""

CHANGED = {
    "tests/arm/run.py": "a program of its own",
    "tests/campaigns/test_kill_campaign.py": "in the table's process, which is killed",
    "tests/golden/reading.py": "put back",
    "tests/house/test_open_connections.py": "put back",
    "tests/mutation/run.py": "a program of its own",
    "tests/support/broken_tables.py": "in the table's process, which is killed",
    "tests/support/drawing.py": "for the whole run",
    "tests/support/image_programs.py": "modules under names that nobody else has",
    "tests/support/open_connections.py": "for the whole run",
    "tests/system/kernel/guest/appends.py": "a program of its own",
    "tests/unit/commands/test_local_time.py": "put back",
    "benchmarks/derivation.py": "a program of its own",
    "benchmarks/floor_pieces.py": "a program of its own",
    "benchmarks/latency.py": "a program of its own",
    "benchmarks/table_hostile.py": "put back",
}
"""Files that set names of modules and classes of others, and why no test finds it. All others: ``monkeypatch``."""


def kept_for_several(source: str) -> Iterator[tuple[str, str]]:
    """The fixtures that outlive a test, each with the type of what it gives."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef):
            continue
        for call in (made for made in node.decorator_list if isinstance(made, ast.Call)):
            if ast.unparse(call.func) == "pytest.fixture" and any(word.arg == "scope" for word in call.keywords):
                yield node.name, ast.unparse(node.returns) if node.returns else "?"


def files() -> list[Path]:
    return sorted(file for place in FOLDERS for file in ([place] if place.is_file() else place.rglob("*.py")))


def test_what_several_tests_share_is_only_read() -> None:
    for file in files():
        for name, given in kept_for_several(file.read_text(encoding="utf-8")):
            changing = set(re.findall(r"\w+|\?", given)) - KEPT
            assert not changing, f"{file}: {name} gives {given} to several tests: make it anew for each"


def test_a_wheel_that_tests_share_is_seen() -> None:
    source = """
@pytest.fixture(scope="module")
def wheel() -> "MeasuredWheel": ...

@pytest.fixture
def other() -> MeasuredWheel: ...
"""
    assert list(kept_for_several(source)) == [("wheel", "'MeasuredWheel'")]


def set_for_all(source: str) -> Iterator[str]:
    """Names of imported modules and classes that a file sets, as ``settling.PATIENCE_S``."""
    tree = ast.parse(source)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    imported = {(alias.asname or alias.name).partition(".")[0] for node in imports for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.Delete):
            targets = node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target]
        else:
            continue
        for target in targets:
            whose = target
            while isinstance(whose, ast.Attribute | ast.Subscript):
                whose = whose.value
            if whose is not target and isinstance(whose, ast.Name) and whose.id in imported:
                yield ast.unparse(target)


def test_no_file_sets_what_tests_after_it_would_find() -> None:
    """What one test makes small is small for all that follow in its process, in whatever order they come."""
    found = {
        str(file.relative_to(ROOT)): sorted(names)
        for folder in ("tests", "benchmarks")
        for file in sorted((ROOT / folder).rglob("*.py"))
        if (names := set(set_for_all(file.read_text(encoding="utf-8"))))
    }
    new = {file: names for file, names in found.items() if file not in CHANGED}
    assert not new, "use monkeypatch, or mock.patch.object in what is no test"
    assert set(CHANGED) <= set(found), "these set nothing any more; take them out of CHANGED"


def test_a_constant_that_is_set_for_all_is_seen() -> None:
    source = """
from controller.floor.pages import settling
import os
settling.PATIENCE_S = 0.0
os.environ["TZ"] = "UTC"
del settling.OTHER
settling.COUNT += 1
here = settling.PATIENCE_S
mine.PATIENCE_S = 0.0
"""
    names = ["settling.PATIENCE_S", "os.environ['TZ']", "settling.OTHER", "settling.COUNT"]
    assert list(set_for_all(source)) == names
