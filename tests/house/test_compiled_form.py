"""What the compiled form cannot do is left out of its tests by name, before a test of them fails there."""

import ast
from collections.abc import Iterator
from pathlib import Path

from compiled.run import LEFT_OUT, TESTS
from parsed_modules import parsed
from project import ROOT

COPIES = ("benchmarks.broken_spins", "benchmarks.late_contacts")
"""They copy a tracker in the middle of a spin, by pickling it."""


def copying(module: ast.Module) -> Iterator[str]:
    """The tests of a module that use one of these."""
    taken = {
        alias.asname or alias.name
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if node.module in COPIES or f"{node.module}.{alias.name}" in COPIES
    }
    for function in module.body:
        if isinstance(function, ast.FunctionDef) and function.name.startswith("test_"):
            if "campaign" in {
                n.attr for d in function.decorator_list for n in ast.walk(d) if isinstance(n, ast.Attribute)
            }:
                continue
            if taken & {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}:
                yield function.name


def test_a_test_that_copies_a_tracker_is_left_out_of_the_compiled_forms() -> None:
    files = [file for place in TESTS for file in _files(ROOT / place)]
    found = {f"{file.relative_to(ROOT)}::{name}" for file in files for name in copying(parsed(file))}
    assert len(found) >= 5
    assert found - set(LEFT_OUT) == set(), "name it in tests/compiled/run.py"


def test_what_is_left_out_is_a_test() -> None:
    """One that was renamed would run there."""
    for test in LEFT_OUT:
        name, _, function = test.partition("::")
        assert any(
            isinstance(node, ast.FunctionDef) and node.name == function for node in parsed(ROOT / name).body
        ), test


def _files(place: Path) -> list[Path]:
    return [place] if place.is_file() else sorted(place.rglob("test_*.py"))
