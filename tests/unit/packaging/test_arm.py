"""What an emulated processor comes to is compared with this one's, line by line; what is selected for it exists."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from arm import run
from project import ROOT

HERE = ["sic-bo: the head of the demonstration's journal: 4bf5", "train: clapper_wheel 100 whole 15809"]
Arm = Callable[[Sequence[str]], None]


@pytest.fixture
def arm(monkeypatch: pytest.MonkeyPatch) -> Arm:
    """Sets what the emulated processor comes to."""
    return lambda lines: monkeypatch.setattr(run, "results", lambda: iter(lines))


def test_the_same_lines_pass(arm: Arm) -> None:
    arm(HERE)
    assert run.same_results(HERE)


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        ([HERE[0], "train: clapper_wheel 100 whole 15808"], "DIFFERS: train: clapper_wheel 100 whole 15808"),
        (HERE[:1], f"MISSING: {HERE[1]}"),
        ([*HERE, "train: one more"], "DIFFERS: train: one more"),
        ([], f"MISSING: {HERE[0]}"),
    ],
)
def test_a_line_that_differs_or_is_missing_fails_and_is_named(
    arm: Arm, capsys: pytest.CaptureFixture[str], lines: list[str], named: str
) -> None:
    arm(lines)
    assert not run.same_results(HERE)
    assert named in capsys.readouterr().out


def test_nothing_to_compare_with_is_no_success(arm: Arm) -> None:
    arm([])
    assert not run.same_results([])


@pytest.mark.parametrize("failing", ["same_results", "kills", "tests"])
def test_every_part_runs_and_one_that_fails_is_the_exit_code(monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    ran: list[str] = []
    for part in ("same_results", "kills", "tests"):
        monkeypatch.setattr(run, part, lambda *given, part=part: ran.append(part) or part != failing)
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(HERE)))
    assert run.main() == 1
    assert ran == ["same_results", "kills", "tests"]


@pytest.mark.parametrize("test", [*run.TESTS, *run.LEFT_OUT])
def test_what_is_selected_or_left_out_exists(test: str) -> None:
    file, _, name = test.partition("::")
    place: Path = ROOT / file
    assert place.exists()
    assert not name or f"def {name.partition('[')[0].rpartition('::')[2]}(" in place.read_text(encoding="utf-8")
