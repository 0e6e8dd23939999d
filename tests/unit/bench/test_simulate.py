"""Simulations: the people at the table, the oracle that knows the truth, the processes, and the command.

Rounds of every game by the command are in ``tests/games/test_every_game.py``.
"""

import json
import random
from dataclasses import replace

import pytest
from open_tables import Shipped

from config.schema import TableConfig
from controller import errors as exits
from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.bench.simulate import deviations, play_share, shares, simulate, spread
from controller.commands.cli import main
from controller.events.effect import Win
from controller.games.clapper_wheel.round import WheelRound
from controller.games.dreamcatcher import game as dreamcatcher
from controller.odds.wagers import Payouts


def table(config: TableConfig, **options: object) -> tuple[Rig, Dealer, Oracle]:
    oracle = Oracle()
    rig = Rig(config, options=options, listeners=(oracle,))
    return rig, Dealer(rig, random.Random(1), oracle), oracle


@pytest.mark.parametrize("game", ["dreamcatcher", "big-six", "sic-bo"])
@pytest.mark.campaign
def test_rounds_end_with_true_results_at_the_expected_frequency(game: str, shipped: Shipped) -> None:
    tally = simulate(shipped(game), 250, seed=3)
    assert tally.passed
    assert (tally.rounds, tally.results) == (250, 250 - tally.voids["dice-not-flat"])
    assert max(abs(found.standard_errors) for found in deviations(shipped(game), tally)) < 4.5


# -- what fails a simulation ---------------------------------------------------------------------------------------


def test_a_journal_that_does_not_verify_is_reported(shipped: Shipped, monkeypatch: pytest.MonkeyPatch) -> None:
    def falsify(dealer: Dealer, rounds: int) -> None:
        journal = dealer.rig.journal
        journal._db.execute("DROP TRIGGER no_update")
        journal._db.execute("UPDATE entries SET kind = 'press' WHERE seq = 1")

    monkeypatch.setattr(Dealer, "play", falsify)
    tally = play_share(shares(shipped("sic-bo"), 1, 1)[0])
    assert "entry 1" in tally.broken[0]
    assert not tally.passed


def no_such_odds(*_: object, **__: object) -> tuple[Win, ...]:
    raise ArithmeticError("no such odds")


def test_code_that_raises_once_fails_the_simulation(shipped: Shipped, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table locks, the floorperson opens it, and the spin is repeated: no result is untrue."""
    due, right = iter([True]), dreamcatcher.score

    def score(section: str, payouts: Payouts) -> tuple[Win, ...]:
        return no_such_odds() if next(due, False) else right(section, payouts)

    monkeypatch.setattr(dreamcatcher, "score", score)
    tally = simulate(shipped("dreamcatcher"), 10, seed=1)
    assert (tally.rounds, tally.wrong, tally.passed) == (10, [], False)
    assert tally.failures[0].endswith("ArithmeticError: no such odds")


def test_the_command_fails_with_a_table_that_its_own_code_stopped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(WheelRound, "_multiplies", no_such_odds)
    assert main(["simulate", "dreamcatcher", "--rounds", "1", "--workers", "1", "--json"]) == exits.FAILED
    failures = json.loads(capsys.readouterr().out)["failures"]
    assert "ArithmeticError: no such odds" in failures[0]
    assert "in state" in failures[-1]


# -- the oracle --------------------------------------------------------------------------------------------------


def test_the_oracle_finds_a_wheel_that_is_mounted_otherwise_than_configured(shipped: Shipped) -> None:
    """The index mark is one section off: every strike falls on a peg, so only the truth can tell."""
    config = shipped("dreamcatcher")
    assert config.wheel is not None
    config = config.model_copy(update={"wheel": config.wheel.model_copy(update={"counts_per_turn": 1080})})
    _, dealer, oracle = table(config, index_offset_counts=7 + 1080 // 54)
    dealer.play(3)
    tally = oracle.tally
    assert len(tally.wrong) == tally.results + tally.bonuses
    assert "but (section" in tally.wrong[0]
    assert not tally.passed


@pytest.mark.parametrize(
    ("truth", "dead", "commanded", "wrong"),
    [
        ("1-2-3", "", False, ", but 1-2-3 lies there"),
        ("1-2-4", "small", False, ", but the panel lights one-of-a-kind-1"),
        ("1-2-4", "small", True, ", but the panel lights one-of-a-kind-1"),
        ("1-2-4", "", False, ""),
    ],
)
def test_the_oracle_compares_dice_and_panel(
    shipped: Shipped, truth: str, dead: str, commanded: bool, wrong: str
) -> None:
    """A lamp is dark, or was never commanded although its area wins."""
    rig, dealer, oracle = table(shipped("sic-bo"))
    dealer.follow("shaking")
    oracle.truth = truth
    rig.press("1", "2", "4", "enter")
    if dead:
        rig.world.panel.break_lamp(dead, burns=False)
    if commanded:
        oracle._announced = [replace(one, commanded=frozenset(rig.lit())) for one in oracle._announced]
    oracle.compare(rig)
    found = [words.partition("1-2-4")[2] for words in oracle.tally.wrong]
    assert [words[: len(wrong)] for words in found] == ([wrong] if wrong else [])


# -- processes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2])
def test_every_part_is_done_and_one_that_fails_is_reported(workers: int) -> None:
    assert sorted(spread(abs, [0, -1, -2], workers)) == [(0, 0), (1, 1), (2, 2)]
    with pytest.raises(ZeroDivisionError):
        list(spread((1).__truediv__, [1, 0, 2], workers))
