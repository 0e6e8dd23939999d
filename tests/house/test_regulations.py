"""The trace from the regulation's clauses to code and tests: its names exist, and no chapter is missing."""

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from dice_inspection import inspect_dice
from mutants.every import CHAPTERS, MUTANTS
from mutants.mutant import Mutant, NotApplicableError
from project import ROOT
from regulation_trace import COLUMNS, TRACE, Row, rows, table_rows

from controller.bench.rig import Rig
from controller.statechart.registry import find_game, game_names

NOBODY = {"people", "furniture", "not yet"}
"""In the column of the code where no code implements a clause."""


# -- the page and what it names ----------------------------------------------------------------------------------


def problems(text: str, chapters: set[str]) -> list[str]:
    """Whatever is wrong with a trace of these chapters, with its line."""
    found = []
    for line, cells in table_rows(text):
        if len(cells) != len(COLUMNS) or not all(cells):
            found.append(f"{line}: not {len(COLUMNS)} cells: {' | '.join(cells)}")
    named = list(rows(text))
    for row in named:
        found += [f"{row.line}: {problem}" for problem in row_problems(row)]
    for line, words in enumerate(text.splitlines(), 1):
        found += [f"{line}: {problem}" for name in re.findall("`([^`]+)`", words) for problem in missing(name)]
    cited = {chapter for row in named for chapter in re.findall(r"§ (\d+a?)\.\d", row.clause)}
    return found + [f"chapter {chapter} is missing" for chapter in sorted(chapters - cited)]


def row_problems(row: Row) -> Iterator[str]:
    """What is wrong with a row, apart from names that do not exist."""
    if not re.match(r"§ \d+a?\.\d", row.clause):
        yield f"no clause: {row.clause}"
    if row.code in NOBODY:
        if row.tests != "-":
            yield f"'{row.code}' takes no test: {row.tests}"
        if row.mutants != "-":
            yield f"'{row.code}' takes no mutant: {row.mutants}"
        return
    for cell, kind, shape in (
        (row.code, "code", r"`[\w/]+\.py:[\w.]+`"),
        (row.tests, "test", r"`tests/[\w/]+\.py::test_\w+`"),
        (row.mutants, "mutant", r"`[a-z0-9-]+`"),
    ):
        yield from (f"no {kind}: {part}" for part in cell.split(", ") if not re.fullmatch(shape, part))
    yield from (f"no such mutant: {name}" for name in row.mutant_names if name not in MUTANTS)


def missing(name: str) -> Iterator[str]:
    """A test, a module or a name in a module that the page names and that does not exist."""
    path, _, inner = name.partition(":")
    if not path.endswith(".py"):
        return
    if not (ROOT / path).is_file():
        yield f"no such file: {name}"
    elif inner.startswith(":"):
        if inner[1:] not in names_in(path) or not inner.startswith(":test_"):
            yield f"no such test: {name}"
    elif inner and inner not in names_in(path):
        yield f"no such name: {name}"


@cache
def names_in(path: str) -> frozenset[str]:
    """What a module defines: functions, classes and constants, and those of its classes as ``Class.name``."""
    return frozenset(defined(ast.parse((ROOT / path).read_text(encoding="utf-8")).body))


def defined(body: list[ast.stmt], prefix: str = "") -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield prefix + node.name
        if isinstance(node, ast.ClassDef):
            yield from defined(node.body, f"{prefix}{node.name}.")
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            yield from (prefix + part.id for part in ast.walk(target) if isinstance(part, ast.Name))


def test_the_trace_names_what_exists_and_every_chapter() -> None:
    assert problems(TRACE, {find_game(name).chapter for name in game_names()}) == []


@pytest.mark.parametrize("game", game_names())
def test_a_missing_chapter_is_reported(game: str) -> None:
    chapter = find_game(game).chapter
    without = "\n".join(line for line in TRACE.splitlines() if f"§ {chapter}." not in line)
    assert f"chapter {chapter} is missing" in problems(without, {chapter})


# -- the checks themselves, on a trace of a few lines --------------------------------------------------------------

CODE = "`tests/support/regulation_trace.py:Row.clause`"
TEST = "`tests/house/test_regulations.py::test_a_small_trace_is_in_order`"
MUTANT = "`two-of-a-kind-loses-on-a-triple`"
SMALL = f"""## Chapter 539: Sic Bo, read by `tests/house/test_regulations.py:problems`

| clause | what it asks of the table | code | test | mutant |
| --- | --- | --- | --- | --- |
| § 539.1(b) | to light what wins | {CODE}, `config/schema.py:DiceSection.shaker` | {TEST} | {MUTANT} |
| § 539.1(f) | never to be left alone | people | - | - |
| § 539.2(b) | young dice | not yet | - | - |
"""


def test_a_small_trace_is_in_order() -> None:
    assert problems(SMALL, {"539"}) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "::test_a_small",
            "::test_a_large",
            ["no such test: tests/house/test_regulations.py::test_a_large_trace_is_in_order"],
        ),
        (TEST, "`tests/test_craps.py::test_a_roll`", ["no such file: tests/test_craps.py::test_a_roll"]),
        (
            TEST,
            "`tests/house/test_regulations.py::problems`",
            [
                "no test: `tests/house/test_regulations.py::problems`",
                "no such test: tests/house/test_regulations.py::problems",
            ],
        ),
        (TEST, TEST.strip("`"), [f"no test: {TEST.strip('`')}"]),
        (":Row.clause", ":Row.clauses", ["no such name: tests/support/regulation_trace.py:Row.clauses"]),
        (":Row.clause", ":clause", ["no such name: tests/support/regulation_trace.py:clause"]),
        ("config/schema.py", "config/scheme.py", ["no such file: config/scheme.py:DiceSection.shaker"]),
        (CODE, "`tests/house/test_regulations.py`", ["no code: `tests/house/test_regulations.py`"]),
        (CODE, "the dealer", ["no code: the dealer"]),
        (
            f"| {TEST} |",
            "|",
            [
                f"not 5 cells: § 539.1(b) | to light what wins | {CODE}, `config/schema.py:DiceSection.shaker`"
                f" | {MUTANT}"
            ],
        ),
        (TEST, "-", ["no test: -"]),
        (
            "| people | - | - |",
            "| people | - | |",
            [
                "not 5 cells: § 539.1(f) | never to be left alone | people | - | ",
                "'people' takes no mutant: ",
            ],
        ),
        ("| people | - | - |", "| people |", ["not 5 cells: § 539.1(f) | never to be left alone | people"]),
        ("| people | - | - |", f"| people | {TEST} | - |", [f"'people' takes no test: {TEST}"]),
        ("| people | - | - |", f"| people | - | {MUTANT} |", [f"'people' takes no mutant: {MUTANT}"]),
        (MUTANT, "-", ["no mutant: -"]),
        (MUTANT, "`a-clause-is-broken`", ["no such mutant: a-clause-is-broken"]),
        ("| not yet |", "| some day |", ["no code: some day", "no test: -", "no mutant: -"]),
        ("§ 539.2(b)", "(b)", ["no clause: (b)"]),
        (":problems", ":troubles", ["no such name: tests/house/test_regulations.py:troubles"]),
    ],
)
def test_a_broken_trace_is_reported(old: str, new: str, expected: list[str]) -> None:
    """Each problem once, at its line, and nothing else."""
    assert SMALL.count(old) == 1
    line = SMALL[: SMALL.index(old)].count("\n") + 1
    assert problems(SMALL.replace(old, new), {"539"}) == [f"{line}: {problem}" for problem in expected]


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_changes_one_place_of_the_code_and_is_named_by_a_row(name: str) -> None:
    mutant = MUTANTS[name]
    before = (ROOT / mutant.path).read_text(encoding="utf-8")
    assert mutant.of(before) != before
    assert any(name in row.mutant_names for row in rows(TRACE)), "no row of docs/regulations.md names it"
    if mutant.path.endswith(".py"):
        ast.parse(mutant.of(before))


def test_a_mutant_of_code_that_is_gone_is_reported() -> None:
    with pytest.raises(NotApplicableError, match=r"gone: 0 places in hal/x\.py"):
        Mutant("gone", "hal/x.py", "three", "two", "nothing").of("one")
    with pytest.raises(NotApplicableError, match="gone: 2 places"):
        Mutant("gone", "hal/x.py", "three", "two", "nothing").of("three three")


def test_every_file_of_mutants_is_read() -> None:
    files = {path.stem for path in (ROOT / "tests" / "mutants").glob("*.py")} - {
        "__init__",
        "every",
        "mutant",
        "run",
    }
    assert {chapter.__name__.rpartition(".")[2] for chapter in CHAPTERS} == files


def test_a_heading_alone_is_no_chapter() -> None:
    assert problems("## Chapter 577\n\nSee § 577.1(a).\n" + SMALL, {"539", "577"}) == ["chapter 577 is missing"]


def test_names_are_read_as_a_module_defines_them() -> None:
    source = "A, B = 1, 2\nC: int = 3\ndef f(): x = 1\nclass K:\n    d: int\n    def m(self): self.y = 1\n"
    assert set(defined(ast.parse(source).body)) == {"A", "B", "C", "f", "K", "K.d", "K.m"}


# -- clauses that no test of the games shows ---------------------------------------------------------------------


@pytest.mark.parametrize("game", ["dreamcatcher", "big-six", "sic-bo"])
def test_losers_are_collected_before_winners_are_paid(opened: Callable[..., Rig], game: str) -> None:
    """§ 689a.2(e), § 619a.2(e), § 539.5(e), (f): one after the other, and the lamps are lit until both are done."""
    table = opened(game)
    table.press("no-more-bets")
    if table.config.wheel is not None:
        table.spin(stop_on="20")
    else:
        table.press("3", "4", "6", "enter")
    lit = table.lit()
    assert lit
    for state in ("result", "losers-collected"):
        if game != "sic-bo" or state == "result":  # There, clear pays the winners.
            table.press("clear")
        table.press("no-more-bets")
        assert table.state.value == state
        table.press("done")
    table.press("no-more-bets", "done")
    assert table.state.value == "winners-paid"
    assert table.lit() == lit
    table.press("clear")
    assert table.state.value == "bets-open"
    assert table.lit() == set()


def test_big_six_is_held_to_the_round_of_a_wheel(big_six: Rig) -> None:
    """§ 619a.2(a), (d): a throw while wagers are open and a clapper between sections are void."""
    table = big_six
    table.spin(stop_on="20")
    assert table.last("void").reason == "wagers-open"
    assert table.state.value == "bets-open"
    table.press("no-more-bets")
    table.spin(stop_between=("joker", "1"))
    assert table.last("void").reason == "between-sections"
    assert table.state.value == "respin"
    assert table.lit() == set()
    table.spin(stop_on="joker")
    assert table.lit() == {"joker"}


def test_dice_count_only_after_no_more_bets(sic_bo: Rig) -> None:
    """§ 539.5(b), (c)(2): dice that are keyed earlier are refused, and an earlier toss is none."""
    table = sic_bo
    table.press("3", "enter")
    assert table.state.value == "bets-open"
    table.press("no-more-bets", "3")
    assert "3-_-_" in table.waiting_for
    table.press("no-roll", "1")
    automated_shaker(table)
    table.press("shaker-done", "3")
    assert table.state.value == "bets-open"
    table.press("no-more-bets", "3")
    assert table.state.value == "shaking"
    table.press("shaker-done", "3")
    assert "3-_-_" in table.waiting_for


def test_the_dealers_prompt_says_how_to_shake(sic_bo: Rig) -> None:
    """§ 539.5(c)(1), (2)."""
    table = sic_bo
    table.press("no-more-bets")
    assert "cover, shake at least three times" in table.waiting_for
    table.press("no-roll", "1")
    automated_shaker(table)
    table.press("no-more-bets")
    assert "start the shaker" in table.waiting_for


def automated_shaker(table: Rig) -> None:
    """The floorperson puts an automated shaker on the open table, and inspects it."""
    table.press("floor-key", "4", "floor-key", "2")
    inspect_dice(table)
    assert table.state.value == "bets-open"
