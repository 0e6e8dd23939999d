"""Simulations: the people at the table, the oracle that knows the truth, and the command."""

import json
import random
from argparse import ArgumentParser
from collections.abc import Callable

import pytest

from config.schema import TableConfig
from controller import errors as exits
from controller.bench import simulate as simulation
from controller.bench.dealer import Dealer, StuckTableError
from controller.bench.oracle import Oracle, OracleTally
from controller.bench.rig import Rig
from controller.bench.simulate import SimulationOutcome, deviations, play_share, shares, simulate
from controller.commands import simulate as command

Shipped = Callable[[str], TableConfig]
GAMES = ("dreamcatcher", "big-six", "sic-bo")


def table(config: TableConfig, **options: object) -> tuple[Rig, Dealer, Oracle]:
    oracle = Oracle()
    rig = Rig(config, options=options, listeners=(oracle,))
    return rig, Dealer(rig, random.Random(1), oracle), oracle


def measured(config: TableConfig, counts_per_turn: int) -> TableConfig:
    assert config.wheel is not None
    return config.model_copy(update={"wheel": config.wheel.model_copy(update={"counts_per_turn": counts_per_turn})})


# -- rounds ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.campaign
def test_rounds_end_with_true_results_at_the_expected_frequency(game: str, shipped: Shipped) -> None:
    outcome = simulate(shipped(game), 250, seed=3)
    tally = outcome.tally
    assert outcome.passed
    assert tally.rounds == 250
    assert tally.results == 250 - tally.voids["dice-not-flat"]
    assert tally.spins >= 250
    assert tally.entries > 250 * 5
    assert max(abs(found.standard_errors) for found in deviations(shipped(game), tally)) < 4.5


@pytest.mark.clause("539.1(d)(2)")
def test_an_automated_shaker_is_inspected_and_used(shipped: Shipped) -> None:
    config = shipped("sic-bo")
    assert config.dice is not None
    automated = config.model_copy(update={"dice": config.dice.model_copy(update={"shaker": "automated"})})
    assert simulate(automated, 20, seed=1).passed


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.campaign
def test_with_faults_the_floorperson_opens_the_table_again(game: str, shipped: Shipped) -> None:
    tally = simulate(shipped(game), 150, seed=2, faults=True).tally
    assert tally.rounds >= 150
    assert tally.locks > 0
    assert not tally.broken


def test_a_journal_that_does_not_verify_is_reported(shipped: Shipped, monkeypatch: pytest.MonkeyPatch) -> None:
    def falsify(dealer: Dealer, rounds: int) -> None:
        journal = dealer.rig.journal
        journal._db.execute("DROP TRIGGER no_update")
        journal._db.execute("UPDATE entries SET kind = 'press' WHERE seq = 1")

    monkeypatch.setattr(Dealer, "play", falsify)
    tally = play_share(next(iter(shares(shipped("sic-bo"), 1, 1, faults=False))))
    assert "entry 1" in tally.broken[0]
    assert not SimulationOutcome(tally, 1.0, 1).passed


def test_a_stuck_table_is_reported(shipped: Shipped) -> None:
    rig, dealer, _ = table(shipped("dreamcatcher"))
    rig.world.fault("dead-clapper")
    rig.world.repair = lambda: None  # type: ignore[method-assign]
    with pytest.raises(StuckTableError, match="in state"):
        dealer.play(1)


# -- the oracle --------------------------------------------------------------------------------------------------


def test_the_oracle_finds_a_wheel_that_is_mounted_otherwise_than_configured(shipped: Shipped) -> None:
    """The index mark is one section off: every strike falls on a peg, so only the truth can tell."""
    config = measured(shipped("dreamcatcher"), 1080)
    _, dealer, oracle = table(config, index_offset_counts=7 + 1080 // 54)
    dealer.play(3)
    tally = oracle.tally
    assert len(tally.wrong) == tally.results + tally.bonuses
    assert "but (section" in tally.wrong[0]
    assert not SimulationOutcome(tally, 1.0, 1).passed


def test_the_oracle_finds_dice_that_were_not_rolled(shipped: Shipped) -> None:
    rig, dealer, oracle = table(shipped("sic-bo"))
    while rig.state.value != "shaking":
        dealer.act()
    oracle.truth = "1-2-3"
    rig.press("1", "2", "4", "enter")
    oracle.compare(rig)
    assert oracle.tally.wrong == [
        f"round 1 at {oracle_time(rig):.3f} s: the table said 1-2-4, but 1-2-3 lies there"
    ]


def oracle_time(rig: Rig) -> float:
    return next(entry.at_ns for entry in rig.journal.entries() if '"result"' in entry.body) / 1e9


def test_the_oracle_finds_a_panel_that_shows_something_else(shipped: Shipped) -> None:
    rig, dealer, oracle = table(shipped("sic-bo"))
    while rig.state.value != "shaking":
        dealer.act()
    oracle.truth = "1-2-4"
    rig.press("1", "2", "4", "enter")
    rig.world.panel.kill_lamp("small")
    oracle.compare(rig)
    assert "but the panel lights one-of-a-kind-1" in oracle.tally.wrong[0]


# -- the command -------------------------------------------------------------------------------------------------


def run(*words: str) -> int:
    parser = ArgumentParser()
    command.configure(parser)
    return command.run(parser.parse_args(words))


def test_the_command_prints_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("dreamcatcher", "--rounds", "20", "--seed", "2", "--workers", "1", "--json") == exits.OK
    events = json.loads(capsys.readouterr().out)
    assert (events["game"], events["rounds"], events["seed"], events["wrong_results"]) == (
        "dreamcatcher",
        20,
        2,
        [],
    )
    assert events["journal"]["verified"] is True
    assert [win["area"] for win in events["wins"]] == ["1", "2", "5", "10", "20", "40"]
    assert sum(win["wins"] for win in events["wins"]) == 20
    assert sum(win["expected"] for win in events["wins"]) == pytest.approx(20, abs=0.01)


def test_a_wrong_result_fails_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = SimulationOutcome(OracleTally(rounds=1, results=1, wrong=["round 1: the table said 10"]), 1.0, 1)
    monkeypatch.setattr(simulation, "simulate", lambda *args: found)
    assert run("dreamcatcher", "--rounds", "1") == exits.FAILED
    assert "round 1: the table said 10" in capsys.readouterr().out
