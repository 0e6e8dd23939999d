"""A game on a wheel of another number of sections is played, seen and reckoned, and nothing else is told of it."""

import random
from fractions import Fraction

import pytest
from any_game import shipped_table
from screen_table import screens_of

from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.bench.simulate import deviations, simulate
from controller.games.dreamcatcher import game as dreamcatcher
from controller.viewmodel import presenter

NAME = dreamcatcher.GAME.name
SIZES = {
    24: "7x 1 2 1 5 1 2 10 1 2 1 20 2x 1 2 1 40 1 2 5 1 10 2 1",
    37: "7x 1 2 1 5 1 2 10 1 2 1 20 1 2 1 5 1 2 2x 1 2 1 40 1 2 5 1 10 2 1 5 1 2 1 2 1 2",
    60: "7x 1 2 1 5 1 2 10 1 2 1 20 1 2 1 5 1 2 1 2 1 5 1 2 1 10 2 1 5 1 "
    "2x 1 2 1 40 1 2 5 1 10 2 1 5 1 2 1 2 1 20 2 1 5 1 2 1 10 1 2 1 5",
}


@pytest.fixture(params=SIZES)
def sections(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The number of sections of a wheel on which Dreamcatcher is played."""
    order = tuple(SIZES[request.param].split())
    monkeypatch.setattr(dreamcatcher, "ORDER", order)
    monkeypatch.setattr(dreamcatcher, "GAME", dreamcatcher.GAME._replace(wheel=order))
    return len(order)


@pytest.mark.campaign
def test_rounds_end_with_true_results_at_the_expected_frequency(sections: int) -> None:
    config = shipped_table(NAME)
    outcome = simulate(config, 120, seed=3)
    assert outcome.passed, outcome.tally
    assert outcome.tally.rounds == 120
    assert max(abs(found.standard_errors) for found in deviations(config, outcome.tally)) < 4.5


def test_after_a_section_that_repeats_the_spin_the_wagers_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wheel on which 2x stands for one more spin at the same odds."""
    monkeypatch.setattr(dreamcatcher, "MULTIPLIERS", {"2x": 1, "7x": 7})
    rig = Rig(shipped_table(NAME))
    rig.turn(1.2)
    rig.press("no-more-bets")
    rig.spin(revolutions=3.1, stop_on="2x")
    assert (rig.state.value, rig.waiting_for) == ("bonus", "wagers stay, spin the wheel again")
    rig.spin(revolutions=3.1, stop_on="7x")
    assert "bonus: pays 7 times" in rig.waiting_for


def test_every_section_is_read_as_it_stands(sections: int) -> None:
    rig = Rig(shipped_table(NAME))
    rig.turn(1.2)
    for section in range(sections):
        rig.press("no-more-bets")
        rig.spin(revolutions=3.1, stop_on=section)
        assert rig.last("wheel-rested").section == section
        rig.press("done", "done", "clear")
        if rig.state.value == "bonus":
            rig.spin(revolutions=3.1, stop_on="1")
            rig.press("done", "done", "clear")


def test_the_screens_show_the_whole_wheel(sections: int) -> None:
    witness = Oracle()
    rig = Rig(shipped_table(NAME), listeners=(witness,))
    screens = screens_of(rig)
    Dealer(rig, random.Random(1), witness).play(5)
    wheel = presenter.describe(rig.config, rig.table)["wheel"]
    assert wheel is not None
    assert [section["name"] for section in wheel] == SIZES[sections].split()
    turn = screens.checked_board()["turn"]
    assert turn is not None
    assert int(turn["angle"] * sections) == rig.world.wheel.true_stand()[0]


def test_the_odds_are_those_of_its_sections(sections: int) -> None:
    game, config = dreamcatcher.GAME, shipped_table(NAME)
    returns = {item.wager: item.probability for item in game.returns(game.payouts(config), config.rules)}
    ones = SIZES[sections].split().count("1")
    assert len(SIZES[sections].split()) == sections
    assert returns["1"] == Fraction(ones, sections - 2)
