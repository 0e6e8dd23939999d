"""Failures of the controller's own code at a simulated table are counted, reported, and fail the simulation."""

import json
from collections.abc import Callable

import pytest

from config.schema import TableConfig
from controller import errors as exits
from controller.bench.simulate import simulate
from controller.commands.cli import main
from controller.events.effect import Win
from controller.games.clapper_wheel.round import WheelRound
from controller.games.dreamcatcher import game as dreamcatcher
from controller.odds.wagers import Payouts

Shipped = Callable[[str], TableConfig]
ALWAYS = ["simulate", "dreamcatcher", "--rounds", "1", "--workers", "1"]


def no_such_odds(*_: object, **__: object) -> tuple[Win, ...]:
    raise ArithmeticError("no such odds")


def test_a_scoring_that_raises_now_and_then_fails_the_simulation(
    shipped: Shipped, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table locks, the floorperson opens it, and the spin is repeated: no result is untrue."""
    due = iter([True])

    def score(section: str, payouts: Payouts) -> tuple[Win, ...]:
        return no_such_odds() if next(due, False) else right(section, payouts)

    right = dreamcatcher.score
    monkeypatch.setattr(dreamcatcher, "score", score)
    outcome = simulate(shipped("dreamcatcher"), 40, seed=1)
    assert (outcome.tally.rounds, outcome.tally.wrong, outcome.passed) == (40, [], False)
    (failure,) = outcome.tally.failures
    assert failure.startswith("seed ")
    assert failure.endswith("ArithmeticError: no such odds")


def test_a_table_stopped_by_failing_code_is_reported_as_a_code_failure(
    shipped: Shipped, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(WheelRound, "_multiplies", no_such_odds)
    assert main(ALWAYS) == exits.FAILED
    output = capsys.readouterr().out
    assert "failures of the controller's own code: " in output
    assert "ArithmeticError: no such odds" in output
    assert main([*ALWAYS, "--json"]) == exits.FAILED
    failures = json.loads(capsys.readouterr().out)["controller_failures"]
    assert "in state" in failures[-1]
