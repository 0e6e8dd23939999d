"""Every name that a module of the project takes from another one exists there, in modules too that no test loads.

mypy reads the packages; what only a command of CI or a campaign runs (``tests/compiled``, ``tests/mutation``, the
parts of ``docs``) would otherwise fail where it is run, long after the name has moved.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from parsed_modules import nodes_of, parsed
from project import ROOT

FOLDERS = ("controller", "hal", "config", "benchmarks", "tools", "tests", "docs", "requirements", ".ci", "systemd")
PATHS = (ROOT, ROOT / "tests", ROOT / "tests/support")
"""What is on the path of tests; a test finds its neighbours first."""


def _files() -> list[Path]:
    return sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


@cache
def _module(name: str, beside: Path) -> Path | None:
    """The file or folder of a module of ours; None for a library's."""
    parts = name.split(".")
    for path in (beside, *PATHS):
        folder = path.joinpath(*parts)
        if (file := folder.with_suffix(".py")).is_file():
            return file
        if folder.is_dir() and any(folder.glob("*.py")):
            return folder
    return None


@cache
def _defined(module: Path) -> frozenset[str]:
    """The names of a module: what it binds anywhere outside functions and classes."""
    if module.is_dir():
        inside = {path.stem for path in module.glob("*.py")} | {
            path.name for path in module.iterdir() if path.is_dir()
        }
        init = module / "__init__.py"
        return frozenset(inside) | (_defined(init) if init.is_file() else frozenset())
    return frozenset(bound(parsed(module)))


def bound(tree: ast.AST) -> Iterator[str]:
    """Each name that statements of a module bind, also under ``if``, ``try`` and ``with``."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif not isinstance(node, ast.Lambda):
            yield from bound(node)


def missing(module: ast.Module, beside: Path) -> Iterator[str]:
    """What a module takes from one of ours that has no such name."""
    for node in nodes_of(module):
        if not isinstance(node, ast.ImportFrom) or node.module is None or node.level:
            continue
        source = _module(node.module, beside)
        if source is None:
            if _module(node.module.partition(".")[0], beside) is not None:
                yield f"line {node.lineno}: there is no {node.module}"
            continue
        names = _defined(source)
        yield from (
            f"line {node.lineno}: {node.module} has no {alias.name}"
            for alias in node.names
            if alias.name != "*" and alias.name not in names and "__getattr__" not in names
        )


def test_every_imported_name_exists() -> None:
    found = {
        str(path.relative_to(ROOT)): wrong
        for path in _files()
        if (wrong := list(missing(parsed(path), path.parent)))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("from benchmarks.roulette_hands import HONEST", []),
        ("from benchmarks import roulette_hands", []),
        ("from benchmarks.roulette_hands import _honest", ["line 1: benchmarks.roulette_hands has no _honest"]),
        ("def later():\n    from benchmarks.hands import A", ["line 2: there is no benchmarks.hands"]),
        ("from benchmarks import hands", ["line 1: benchmarks has no hands"]),
        ("from project import ROOT, PLANET", ["line 1: project has no PLANET"]),
        ("from pathlib import Nothing", []),
    ],
)
def test_a_name_that_has_moved_is_found(text: str, wrong: list[str]) -> None:
    assert list(missing(ast.parse(text), ROOT / "tests/house")) == wrong
