"""Exact returns, against a brute force over outcomes written here from the regulation's own tables."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from sic_bo_regulation import paid_by_hand

from controller.commands.cli import main
from controller.configuration.shipped import load_table, table_path
from controller.machine.registry import find_game
from controller.odds.wagers import Payouts

DREAMCATCHER = {"1": 23, "2": 15, "5": 7, "10": 4, "20": 2, "40": 1}
BIG_SIX = {"1": (23, 1), "2": (15, 2), "5": (8, 5), "10": (4, 10), "20": (2, 20), "joker": (1, 45), "logo": (1, 45)}


def returns(game: str) -> dict[str, Fraction]:
    found = find_game(game)
    rules = load_table(table_path(game)).config.rules
    return {item.wager: item.return_to_player for item in found.returns(found.least_payouts(rules), rules)}


def by_chains(number: str, odds: Fraction, depth: int = 40) -> tuple[Fraction, Fraction]:
    """What a wager of 1 at these odds returns, at least and at most: each chain of up to so many bonus spins."""
    spin, returned = Fraction(DREAMCATCHER[number], 54), Fraction(0)
    chains = {1: Fraction(1)}
    """The chance that a chain of bonus spins is under way, by its multiplier."""
    for _ in range(depth):
        returned += sum(chance * spin * (1 + odds * multiplier) for multiplier, chance in chains.items())
        grown: dict[int, Fraction] = {}
        for multiplier, chance in chains.items():
            for factor in (2, 7):
                grown[multiplier * factor] = grown.get(multiplier * factor, Fraction(0)) + chance / 54
        chains = grown
    # Of what is left, the chance shrinks and the mean multiplier grows with every spin: by 9 in 54 at most.
    rest = sum(chance * (1 + odds * multiplier) for multiplier, chance in chains.items()) * Fraction(6, 5)
    return returned, returned + rest


@pytest.mark.clause("689a.1(a)", "689a.3(a)", "521.4(1)(ii)")
@pytest.mark.parametrize("number", list(DREAMCATCHER))
def test_dreamcatcher_equals_the_sum_over_bonus_chains_and_its_true_odds_return_what_was_wagered(
    number: str,
) -> None:
    """§ 521.4(1)(ii): under its own rules, so with every chain of multipliers."""
    least, most = by_chains(number, Fraction(number))
    assert least < returns("dreamcatcher")[number] < most
    game = find_game("dreamcatcher")
    fair = next(one.true_odds for one in game.returns(game.least_payouts({}), {}) if one.wager == number)
    least, most = by_chains(number, fair)
    assert least < 1 < most
    assert most - least < Fraction(1, 10**25)
    tenth = Fraction(1, 10)
    assert by_chains(number, fair - tenth)[1] < 1 < by_chains(number, fair + tenth)[0]
    if number == "10":
        assert fair == Fraction(135, 13)


@pytest.mark.clause("521.4(1)(ii)")
@pytest.mark.parametrize("name", ["big-six", "sic-bo", "three-dice-football", "roulette"])
def test_where_nothing_multiplies_true_odds_follow_from_the_chance_alone(name: str) -> None:
    game, rules = find_game(name), load_table(table_path(name)).config.rules
    for one in game.returns(game.least_payouts(rules), rules):
        assert one.probability * (1 + one.true_odds) == 1


@pytest.mark.clause("619a.1(a)", "619a.3")
def test_big_six_equals_a_count_of_sections() -> None:
    assert returns("big-six") == {name: Fraction(count * (1 + odds), 54) for name, (count, odds) in BIG_SIX.items()}


@pytest.mark.clause("539.6(b)")
def test_sic_bo_equals_a_count_of_all_rolls() -> None:
    back: dict[str, Fraction] = {}
    for roll in product(range(1, 7), repeat=3):
        for wager, pays in paid_by_hand(*roll).items():
            back[wager] = back.get(wager, Fraction(0)) + Fraction(1 + int(pays.split()[0]), 216)
    found = returns("sic-bo")
    assert len(found) == 50
    assert found == back
    assert found["small"] == Fraction(35, 36)


@pytest.mark.clause("539.1(c)(3)")
def test_configured_odds_replace_the_minimum_but_not_odds_that_are_fixed() -> None:
    game = find_game("sic-bo")
    payouts = Payouts(game.wagers, {"one-of-a-kind-3": Fraction(2), "small": Fraction(2)})
    assert payouts.all_odds("small") == (2,)
    assert payouts.all_odds("one-of-a-kind-3") == (1, 2, 3)


@pytest.mark.clause("689a.1(g)(3)", "619a.1(g)(3)", "539.1(c)(3)", "689a.3(c)")
def test_odds_of_a_tables_own_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """10 is the best wager, with the return that the rulemaking states: 96.58% (50 Pa.B. 6778)."""
    file = tmp_path / "table.yaml"
    file.write_text(
        table_path("dreamcatcher").read_text("utf-8") + "\nlayout:\n  odds:\n    40: 45 to 1\n", "utf-8"
    )
    assert main(["odds", str(file), "--json"]) == 0
    *others, ten, _twenty, forty = json.loads(capsys.readouterr().out)["wagers"]
    assert all(Fraction(one["return_to_player"]) < Fraction(113, 117) for one in others)
    assert (ten["probability"], ten["pays"], ten["return_to_player"]) == ("1/13", "10 to 1", "113/117")
    assert (forty["wager"], forty["pays"]) == ("40", "45 to 1")
    assert main(["odds", str(file)]) == 0
    assert "96.58%" in capsys.readouterr().out
