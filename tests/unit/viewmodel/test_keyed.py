"""What is keyed at dice and at a wheel with numbers, as a picture; and what a winning wager is paid at most."""

from collections.abc import Callable
from typing import Any

from campaigns.fault_matrix import configuration
from screen_table import arrive, screens_of

from config.schema import TableConfig
from controller.bench.rig import Rig


def test_dice_are_keyed_one_after_the_other_and_stay_with_the_result(sic_bo: Rig) -> None:
    screens = screens_of(sic_bo)

    def faces() -> list[int]:
        keyed: Any = screens.dealer()["keyed"]
        return [die["face"] for die in keyed["dice"]]

    sic_bo.press("no-more-bets", "3", "4")
    assert faces() == [3, 4, 0]
    sic_bo.press("6", "enter")
    assert faces() == [3, 4, 6]
    sic_bo.press("done", "done", "clear")
    assert faces() == [0, 0, 0], "the next round"


def test_football_has_two_green_dice_a_red_one_and_all_positions(shipped: Callable[[str], TableConfig]) -> None:
    rig = Rig(shipped("three-dice-football"))
    screens = screens_of(rig)
    rig.floor("open")
    rig.press("1", "2")
    keyed: Any = screens.dealer()["keyed"]
    assert [one["position"] for one in keyed["positions"]] == list(range(1, 17))
    assert [one["position"] for one in keyed["positions"] if one["holds"]] == [1]
    assert [one["position"] for one in keyed["positions"] if one["keyed"]] == [12]
    rig.press("clear", "enter", "no-more-bets", "4")
    keyed = screens.dealer()["keyed"]
    assert keyed["dice"] == [
        {"face": 4, "colour": "green"},
        {"face": 0, "colour": "green"},
        {"face": 0, "colour": "red"},
    ]


def test_a_number_has_its_colour_and_is_entered_once_it_won() -> None:
    screens = arrive(configuration("roulette"), "result")
    number, colour = screens.board()["result"].split()
    keyed: Any = screens.dealer()["keyed"]
    assert keyed == {
        "words": f"{number} {colour}",
        "number": {"number": number, "colour": colour, "entered": True},
    }
