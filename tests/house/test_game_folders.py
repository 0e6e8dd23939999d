"""Everything of one game is in its folder: messages of common code cite no clause of a game.

Comments and docstrings may name the clause that a kind of equipment is for. Chapter 521 rules every game.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from project import ROOT

from controller.statechart.registry import find_game, game_names

CHAPTERS = sorted({find_game(name).chapter.rstrip("a") for name in game_names()})
CLAUSE = re.compile(rf"§ ?({'|'.join(CHAPTERS)})a?\b")
COMMON = [
    file
    for room in ("controller", "hal", "config", "tools")
    for file in sorted((ROOT / room).rglob("*.py"))
    if (ROOT / "controller" / "games") not in file.parents
]


def cited(source: str) -> Iterator[str]:
    """Texts of a program, beside its docstrings, that cite a clause of a game."""
    tree = ast.parse(source)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield from (f"line {node.lineno}: {node.value}" for _ in CLAUSE.finditer(node.value))


def test_common_code_cites_no_clause_of_a_game() -> None:
    assert len(COMMON) > 100
    found = {str(file.relative_to(ROOT)): list(cited(file.read_text(encoding="utf-8"))) for file in COMMON}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        (f'def f():\n    """As § {CHAPTERS[0]}.1 says."""\n    # § {CHAPTERS[0]}a.2\n    return "§ 521.9(b)"\n', 0),
        (f'def f():\n    return "never so (§ {CHAPTERS[0]}a.6(a))"\n', 1),
        (f'x = f"{{1}} by § {CHAPTERS[-1]}.1"\n', 1),
    ],
)
def test_a_clause_is_found_in_messages_and_not_in_docstrings_or_comments(source: str, lines: int) -> None:
    assert len(list(cited(source))) == lines


def test_the_folders_of_games_are_where_clauses_are() -> None:
    folders = list((ROOT / "controller" / "games").glob("*/game.py"))
    assert len(folders) >= len(CHAPTERS)
    assert all(CLAUSE.search(text) for text in ("".join(_texts(folder.parent)) for folder in folders))


def _texts(folder: Path) -> Iterator[str]:
    return (file.read_text(encoding="utf-8") for file in folder.glob("*.py"))
