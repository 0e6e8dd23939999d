"""What a fixture keeps for several tests is nothing that one can change: each finds what it would find alone.

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
