"""The length of files and functions: what is longer is cut where a part of it has a name of its own."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from parsed_modules import nodes_of, parsed
from project import ROOT

LINES, TEST_LINES = 300, 400
"""Of a file; the cases of a test may take more."""
BODY_LINES = 40
"""Of a function without its docstring. Most have under 25."""
PACKAGES = ("controller", "hal", "config", "benchmarks", "tools", "tests")
LONGER = {
    "benchmarks/fault_campaign.py": (303, "one run; its cases and its watch have files of their own"),
    "controller/tracking/clapper_wheel/trust.py": (331, "the doubts of one wheel, which settle one another"),
    "controller/tracking/clapper_wheel/wheel.py": (340, "the way through the edges of a spin, and lines at rest"),
    "controller/tracking/roulette/ball.py": (305, "one ball, from its first pass to the last"),
}
"""Longer files, each with its length and why it is in one piece. A length here only shrinks."""


@cache
def _modules() -> dict[str, str]:
    """The text of every module, by its path."""
    files = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}


def _length(module: str) -> int:
    return len(_modules()[module].splitlines())


def bodies(module: ast.Module) -> Iterator[tuple[str, int]]:
    """The functions of a module, with the lines of each, from its first statement to its last."""
    for node in nodes_of(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
            yield node.name, (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_a_file_is_short_enough_to_read() -> None:
    most = {name: TEST_LINES if Path(name).parts[0] == "tests" else LINES for name in _modules()}
    most |= {name: lines for name, (lines, _) in LONGER.items()}
    assert {name: _length(name) for name in most if _length(name) > most[name]} == {}, "split them"


def test_an_exception_that_is_no_longer_needed_goes() -> None:
    assert {name for name in LONGER if _length(name) <= LINES} == set(), "take them out of LONGER"


def test_a_function_is_short_enough_to_read() -> None:
    long = {
        f"{name}: {function}": lines
        for name in _modules()
        for function, lines in bodies(parsed(ROOT / name))
        if lines > BODY_LINES
    }
    assert long == {}, "split them"


def test_every_file_says_what_it_is_for() -> None:
    assert [name for name, text in _modules().items() if text and not text.startswith('"""')] == []


def test_the_lines_of_a_function_are_counted_without_its_docstring() -> None:
    one = 'def f():\n    """Text,\n    longer."""\n    a = 1\n\n    return a\n'
    others = 'async def g(\n    a,\n): ...\n\n\ndef h():\n    """Nothing."""\n'
    assert dict(bodies(ast.parse(one + others))) == {"f": 3, "g": 1, "h": 0}
