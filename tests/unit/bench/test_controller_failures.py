"""Failures of the controller's own code at a simulated table are counted, reported, and fail the simulation."""

import json
import logging
from collections.abc import Callable

import pytest

from config.schema import TableConfig
from controller.bench.dealer import Dealer
from controller.bench.failures import exceptions_in_log, with_logged
from controller.bench.simulate import play_share, shares, simulate
from controller.commands.cli import main
from controller.games.clapper_wheel.rules import Scored
from controller.games.clapper_wheel.steps import WheelSteps
from controller.games.dreamcatcher import game as dreamcatcher
from controller.runtime import exit_codes as exits
from controller.tracking.clapper_wheel.trust import Trust

Shipped = Callable[[str], TableConfig]
ALWAYS = ["simulate", "dreamcatcher", "--rounds", "1", "--workers", "1"]


def no_such_odds(*_: object, **__: object) -> Scored:
    raise ArithmeticError("no such odds")


def test_a_scoring_that_raises_now_and_then_fails_the_simulation(
    shipped: Shipped, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table locks, the floorperson opens it, and the spin is repeated: no result is untrue."""
    scored = iter(range(10**6))
    right = dreamcatcher.score
    monkeypatch.setattr(
        dreamcatcher, "score", lambda *args, **pays: (no_such_odds if next(scored) == 7 else right)(*args, **pays)
    )
    outcome = simulate(shipped("dreamcatcher"), 40, seed=1)
    assert (outcome.tally.rounds, outcome.tally.wrong, outcome.passed) == (40, [], False)
    (failure,) = outcome.tally.failures
    assert failure.startswith("seed ")
    assert failure.endswith("ArithmeticError: no such odds")


def test_a_tracker_that_raises_is_a_failure(shipped: Shipped, monkeypatch: pytest.MonkeyPatch) -> None:
    rested, right = iter(range(10**6)), Trust.rested

    def broken(trust: Trust, count: int) -> None:
        if next(rested) == 3:
            raise IndexError("no such edge")
        right(trust, count)

    monkeypatch.setattr(Trust, "rested", broken)
    (failure,) = simulate(shipped("big-six"), 8, seed=1).tally.failures
    assert failure.endswith("tracking: IndexError: no such edge")


def test_a_table_stopped_by_failing_code_is_reported_as_a_code_failure(
    shipped: Shipped, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(WheelSteps, "multiplies", no_such_odds)
    assert main(ALWAYS) == exits.FAILED
    output = capsys.readouterr().out
    assert "failures of the controller's own code: " in output
    assert "ArithmeticError: no such odds" in output
    assert main([*ALWAYS, "--json"]) == exits.FAILED
    failures = json.loads(capsys.readouterr().out)["controller_failures"]
    assert "in state" in failures[-1]


def test_an_uncaught_exception_is_a_failure(shipped: Shipped, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no such lamp")

    monkeypatch.setattr(Dealer, "play", broken)
    tally = play_share(next(iter(shares(shipped("sic-bo"), 1, 1, faults=False))))
    assert tally.failures[0].endswith("playing failed: RuntimeError: no such lamp")


def test_a_logged_error_is_a_failure_and_a_recorded_one_is_not_counted_twice() -> None:
    logger = logging.getLogger("controller.anywhere")
    with exceptions_in_log() as logged:
        try:
            no_such_odds()
        except ArithmeticError:
            logger.exception("a screen failed")
        logger.error("no exception")
    recorded = "round 1 at 2.000 s: ArithmeticError: no such odds"
    assert with_logged([], logged) == ["a screen failed: ArithmeticError: no such odds"]
    assert with_logged([recorded], logged) == [recorded]
    assert with_logged([recorded], [*logged, *logged]) == [
        recorded,
        "a screen failed: ArithmeticError: no such odds",
    ]
