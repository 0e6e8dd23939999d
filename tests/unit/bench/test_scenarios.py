"""Scenarios: those of the folder run to the end, wrong ones are refused by line, failures say what differs."""

import json
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from unittest.mock import ANY

import pytest
from open_tables import Shipped

from controller.bench.scenario import run_script
from controller.journal.chain import Entry
from controller.journal.errors import JournalUnwritableError
from controller.journal.journal import Journal

SCENARIOS = sorted((Path(__file__).parent / "scenarios").glob("*.yaml"))
Run = Callable[..., tuple[int, list[dict[str, object]], str]]


def game_of(path: Path) -> str:
    found = re.search(r"^game: (\S+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None, f"{path}: no game"
    return found[1]


@pytest.fixture
def run(shipped: Shipped, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a scenario's text: its exit code, the lines it printed, and standard error without the folder."""

    def play(text: str, game: str = "dreamcatcher", **options: object) -> tuple[int, list[dict[str, object]], str]:
        path, out = tmp_path / "s.yaml", StringIO()
        path.write_text(text, encoding="utf-8")
        code = run_script(path, shipped(game), out, **options)  # type: ignore[arg-type]
        lines = [json.loads(line) for line in out.getvalue().splitlines()]
        return code, lines, capsys.readouterr().err.replace(f"{tmp_path}/", "")

    return play


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario(path: Path, shipped: Shipped, capsys: pytest.CaptureFixture[str]) -> None:
    code = run_script(path, shipped(game_of(path)), StringIO())
    assert (code, capsys.readouterr().err) == (0, "")


def test_a_journal_is_kept_and_played_on(run: Run, tmp_path: Path) -> None:
    journal = tmp_path / "t.journal"
    first = "steps:\n  - until: bets-open\n  - press: no-more-bets\n  - spin: {stop_on: 7x}\n"
    assert run(first, journal=journal)[0] == 0
    then = "steps:\n  - expect: {state: locating}\n  - turn: {revolutions: 1.2}\n  - expect: {state: bonus}\n"
    assert run(then, journal=journal)[::2] == (0, "")


OPEN = (
    "steps:\n  - press: done\n  - turn: {revolutions: 1.2}\n  - press: no-more-bets\n  - spin: {revolutions: 2.5}\n"
)
VOID = {"kind": "void", "reason": "fewer-than-three-revolutions"}


@pytest.mark.parametrize(
    ("expect", "expected", "found", "words"),
    [
        ("state: result", "result", "respin", "expected state result, found respin (Spin the wheel again."),
        ("round: 2", 2, 1, "expected round 2, found 1"),
        ("lit: [10, 1]", ["10", "1"], [], "expected lit [10, 1], found []"),
        ("instruction: wheel-bonus", "wheel-bonus", "wheel-respin", "expected instruction wheel-bonus"),
        ("prompt: floor-menu", "floor-menu", "none", "expected prompt floor-menu, found none"),
        ("menu: [close]", ["close"], ["end-round", "close"], "expected menu [close], found [end-round, close]"),
        ("refused: none", "none", "wheel-locating", "expected refused none, found wheel-locating"),
        ("alerts: [touched]", ["touched"], [], "expected alerts [touched], found []"),
        ("not_recorded: {kind: void}", [{"kind": "void"}], [{**VOID, "parameters": ANY}], "expected "),
        (
            "recorded: {kind: void, reason: touched}",
            [{"kind": "void", "reason": "touched"}],
            [VOID],
            "expected recorded [{kind: void, reason: touched}], found [{kind: void, reason: fewer-than-three-rev",
        ),
        ("beeps_at_least: 9", 9, 2, "expected beeps_at_least 9, found 2"),
    ],
)
def test_a_failing_expectation(run: Run, expect: str, expected: object, found: object, words: str) -> None:
    code, lines, errors = run(f"{OPEN}  - expect: {{{expect}}}\n")
    key = expect.partition(":")[0]
    assert code == 1
    assert lines[-1] == {"kind": "failed", "line": 6, "expected": {key: expected}, "found": {key: found}}
    assert errors.startswith(f"s.yaml:6: {words}")


def test_what_was_expected_once_is_not_expected_again(run: Run) -> None:
    """Alerts and records are those since the last expectation."""
    once = f"{OPEN}  - expect: {{refused: wheel-locating, recorded: {{kind: void}}}}\n"
    assert run(f"{once}  - expect: {{refused: none, not_recorded: {{kind: void}}}}\n")[::2] == (0, "")


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ("floor: {act: open}", "open: the floor menu does not have it"),
        ("floor: {act: void, argument: late-wagers}", "void late-wagers: the floor menu does not have it"),
        ("floor: {act: close, by: 815}", "floorperson 815 is not identified; the key is that of 4711"),
        ("floor: {argument: x}", "argument goes with act"),
        ("press: dnoe", "no control 'dnoe'; there are: no-more-bets"),
        ("fault: {name: stuck}", "no fault 'stuck'; there are: stuck-high"),
        ("fault: {name: open, target: clap}", "no line 'clap'; there are: encoder_a"),
        ("fault: {name: noise, target: index, amount: 2000}", "the amount of 'noise' is at most 1000"),
        ("power_cut: {opened: [lid]}", "no contact 'lid'; there are: door, cabinet"),
        ("spin: {stop_on: 3}", "no section '3' on this wheel; use one of: "),
        ("spin: {stop_on: section 99}", "the wheel has no section 99; write 'section 1' to 'section 54'"),
        ("spin: {stop_between: [40, 10]}", "40 and 10 are not neighbours on this wheel; name two that are"),
        ("spin: {stop_on: 40, stop_between: [1, 2]}", "stop_on and stop_between exclude each other"),
        ("hand: {seconds: 2}", "a hand does one thing"),
        ("ball: {}", "this table has no roulette wheel"),
        ("until: rseult", "no state 'rseult'; there are: "),
        ("until: locked", "the table does not come to locked; it waits: "),
    ],
)
def test_a_step_that_the_table_cannot_do_ends_the_run_at_its_line(run: Run, step: str, why: str) -> None:
    people = "people: {4711: {pin: 1234}, 815: {pin: 5678}}\n"
    code, lines, errors = run(f"{people}{OPEN}  - floor: {{act: end-round}}\n  - {step}\n")
    assert (code, lines[-1]["kind"], lines[-1]["line"]) == (78, "error", 8)
    assert str(lines[-1]["message"]).startswith(why)
    assert errors.startswith("s.yaml:8:")


def test_an_act_that_is_not_possible_now_ends_the_run(run: Run) -> None:
    """The floorperson confirms a trial spin that nobody made."""
    steps = "steps:\n  - floor: {act: inspect}\n  - repeat: {times: 9, steps: [floor: {act: confirm}]}\n"
    code, lines, _ = run(steps, game="roulette")
    assert (code, lines[-1]["kind"]) == (78, "error")
    assert str(lines[-1]["message"]).startswith("confirm: not possible now (")


@pytest.mark.parametrize(("entries", "line"), [(1, 2), (40, 2), (83, 3), (84, 4)])
def test_a_table_that_halts_ends_the_run(
    run: Run, monkeypatch: pytest.MonkeyPatch, entries: int, line: int
) -> None:
    """The disk is full at the start, while the lamps are tried, at a press, and at a fault as the last step."""
    store = Journal.store

    def stores(journal: Journal, *new: Entry) -> None:
        if len(journal) >= entries:
            raise JournalUnwritableError("the disk is full")
        store(journal, *new)

    monkeypatch.setattr(Journal, "store", stores)
    text = "steps:\n  - until: bets-open\n  - press: no-more-bets 1 1\n  - fault: {name: stuck-key, target: 1}\n"
    code, lines, errors = run(text, game="sic-bo")
    assert (code, lines[-1]["kind"], lines[-1]["line"]) == (1, "error", line)
    assert errors.startswith(f"s.yaml:{line}:")
    assert errors.endswith("the table halted: the disk is full\n")


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("steps: [{repair: True}]\n", ["1:18: steps.0.repair: 'True' is neither true nor false; use true"]),
        ("steps: []\n", ["1:8: steps: nothing here"]),
        ("steps: [{pres: done}]\n", ["1:10: steps.0.pres: unknown key; did you mean press?"]),
        ("steps: [{}]\n", ["1:9: steps.0: the step has no action; write one of: press, spin, turn"]),
        ("steps: [{press: a, wait_s: 1}]\n", ["1:9: steps.0: 2 actions in one step (press, wait_s); begin each"]),
        ("people: {12: {}}\nsteps: [{log_on: 12}]\n", ["1:14: people.12: a floorperson needs a PIN"]),
        ("steps: [{log_on: twelve}]\n", ["1:18: steps.0.log_on: "]),
        ("steps: [{expect: {}}]\n", ["1:18: steps.0.expect: nothing is expected; write at least one of: state"]),
        ("steps: [{expect: {recorded: {kind: viod}}}]\n", ["no event or effect 'viod'; did you mean void?"]),
        (
            "steps: [{expect: {not_recorded: {kind: void, raeson: touched}}}]\n",
            ["no field 'raeson'; did you mean reason?"],
        ),
        (
            "steps:\n  - repeat:\n      times: a\n      steps: [{press: [done, X]}, {wait_s: a}]\n",
            [
                "3:14: steps.0.repeat.times: 'a' is not a whole number",
                "4:30: steps.0.repeat.steps.0.press.1: 'X' is not a name",
                "4:44: steps.0.repeat.steps.1.wait_s: 'a' is not a number",
            ],
        ),
        (
            "game: big-six\nsteps: [{repair: true}]\n",
            ["1:7: game: the scenario is for big-six, but the table plays dr"],
        ),
    ],
)
def test_a_wrong_scenario_is_refused_before_anything_runs(run: Run, text: str, problems: list[str]) -> None:
    code, lines, errors = run(text)
    assert (code, lines) == (78, [])
    found = errors.splitlines()
    assert len(found) == len(problems), errors
    for line, problem in zip(found, problems, strict=True):
        assert line.startswith("s.yaml:")
        assert problem in line
