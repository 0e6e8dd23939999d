"""``make cost``: what the emulated machine prints against the committed figures, never taken on trust."""

import json
from pathlib import Path

import pytest
from project import ROOT

from benchmarks.cost.verdict import compare, problems, read, shown

CONSOLE = """\
[    0.1] Booting Linux
cost begins check
cost loop 1001
cost ended check 0
cost begins started
cost ready-sic-bo 1200000000
cost key-to-its-lamps 1250000
cost ended started 0
""".splitlines()
EXPECTED = {"loop": 1000, "ready-sic-bo": 1_200_000_000, "key-to-its-lamps": 1_250_000}


def test_the_same_figures_pass() -> None:
    found = read(CONSOLE)
    assert problems(found, EXPECTED) == []
    assert [line.passed for line in compare(found.figures, EXPECTED)] == [True, True]


@pytest.mark.parametrize(("before", "passed"), [(1_150_000_000, True), (1_140_000_000, False)])
def test_five_percent_more_is_a_regression(before: int, passed: bool) -> None:
    (line, _) = compare(read(CONSOLE).figures, {**EXPECTED, "ready-sic-bo": before})
    assert line.passed is passed
    assert line.what == "ready-sic-bo"


def test_what_became_better_asks_to_be_committed() -> None:
    (line, _) = compare(read(CONSOLE).figures, {**EXPECTED, "ready-sic-bo": 1_400_000_000})
    assert line.passed
    assert "better" in line.target


@pytest.mark.parametrize(
    ("left_out", "instead", "sentence"),
    [
        ("cost loop", "cost loop 1180", "does not count instructions"),
        ("cost loop", "", "loop of a known length was not measured"),
        ("cost ended started", "cost ended started 1", "started failed"),
        ("cost key", "", "key-to-its-lamps was not measured"),
    ],
)
def test_a_measure_that_is_not_one_is_said_to_be_so(left_out: str, instead: str, sentence: str) -> None:
    lines = [instead if line.startswith(left_out) else line for line in CONSOLE]
    (problem,) = problems(read(lines), EXPECTED)
    assert sentence in problem


def test_a_machine_that_never_came_up_passes_for_nothing() -> None:
    assert len(problems(read([]), EXPECTED)) == len(EXPECTED)


@pytest.mark.parametrize(
    ("instructions", "text"), [(1_466_000_000, "1.466 G"), (5_980_000, "5.98 M"), (47_071, "47.1 k"), (657, "657")]
)
def test_figures_are_written_for_people(instructions: int, text: str) -> None:
    assert shown(instructions) == text


def test_every_committed_figure_is_measured_by_a_program_of_the_machine() -> None:
    figures = json.loads(Path(ROOT, "benchmarks/cost/figures.json").read_text(encoding="ascii"))
    assert {"loop", "ready-sic-bo-wired", "edge-encoder-by-1", "key-to-its-lamps"} <= figures.keys()
