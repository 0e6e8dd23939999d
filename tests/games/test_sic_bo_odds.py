"""What Sic Bo offers and pays, by the regulation's own lists (§§ 539.3, 539.6), at the table and on its screens."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from dice_inspection import open_dice
from sic_bo_regulation import LEAST_ODDS, ONE_OF_A_KIND, paid_by_hand

from config.schema import LayoutSection, TableConfig
from controller.bench.rig import Rig
from controller.machine.registry import find_game
from controller.viewmodel.presenter import describe

Shipped = Callable[[str], TableConfig]


def with_odds(config: TableConfig, **odds: int) -> TableConfig:
    own = {area.replace("_", "-"): Fraction(pays) for area, pays in odds.items()}
    return config.model_copy(update={"layout": LayoutSection(odds=own)})


@pytest.mark.clause("539.1(c)(2)", "539.3")
def test_the_areas_are_the_wagers_of_the_regulation_and_no_others() -> None:
    assert len(LEAST_ODDS) + len(ONE_OF_A_KIND) == 50
    assert sorted(find_game("sic-bo").areas) == sorted([*LEAST_ODDS, *ONE_OF_A_KIND])


@pytest.mark.clause("539.1(b)", "539.3(1)", "539.3(2)", "539.3(3)", "539.3(4)", "539.3(5)", "539.3(6)")
@pytest.mark.clause("539.3(7)", "539.3(8)", "539.4(c)", "539.5(d)", "539.5(e)", "539.5(f)")
@pytest.mark.clause("539.6(a)", "539.6(b)", "539.6(c)")
def test_all_216_rolls_light_and_pay_what_the_regulation_says(sic_bo: Rig) -> None:
    table = sic_bo
    for dice in product("123456", repeat=3):
        table.press("no-more-bets", *dice, "enter")
        paid = paid_by_hand(*map(int, dice))
        assert table.lit() == paid.keys(), dice
        assert {win.area: win.pays for win in table.last("result").wins} == paid, dice
        table.press("done", "done", "clear")
        assert table.lit() == set()
    assert table.journal.verify().problem == ""


@pytest.mark.clause("539.1(c)(3)", "539.5(e)", "539.6(b)")
def test_a_table_pays_the_odds_of_its_own_layout_and_shows_them(shipped: Shipped) -> None:
    """§§ 539.1(c)(3), 539.5(e): the odds on offer, where they are better than the least ones."""
    table = open_dice(Rig(with_odds(shipped("sic-bo"), total_4=60, two_of_a_kind_1=10)))
    shown = {area["area"]: area["pays"] for area in describe(table.config, table.table)["areas"]}
    assert shown["total-4"] == "60 to 1"
    assert shown["two-of-a-kind-1"] == "10 to 1"
    assert shown["total-5"] == "18 to 1"
    assert shown["one-of-a-kind-1"] == "1 to 1, 2 to 1 or 3 to 1"
    table.press("no-more-bets", "1", "2", "1", "enter")
    paid = {win.area: win.pays for win in table.last("result").wins}
    assert paid == paid_by_hand(1, 2, 1) | {"total-4": "60 to 1", "two-of-a-kind-1": "10 to 1"}
