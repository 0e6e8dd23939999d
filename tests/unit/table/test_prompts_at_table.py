"""Prompts at a wheel: what is on record and on the screens, through spins and power cuts."""

from collections.abc import Callable

import pytest
from screen_table import screens_of
from staff import DEALER, FLOOR, identify, staff

from config.schema import TableConfig
from controller.bench.rig import Rig

WRONG = "10011002"


@pytest.fixture
def table(shipped: Callable[[str], TableConfig]) -> Rig:
    """Dreamcatcher, open for wagers, with floorpersons and a dealer."""
    rig = Rig(shipped("dreamcatcher"), staff=staff(dealer_pin=True))
    rig.turn(1.2)
    return rig


def failures(rig: Rig) -> list[int]:
    return [record.event.failures for record in rig.records() if record.event.kind == "identity-refused"]


@pytest.mark.parametrize("who", [("floor-key", FLOOR), ("log-on", DEALER)])
def test_no_power_cut_and_no_number_of_presses_shortens_the_wait_after_wrong_pins(
    table: Rig, who: tuple[str, str]
) -> None:
    key, number = who
    for wait_s in (3, 5, 9):
        table.press(key, *number, "enter", *WRONG, "enter", "clear")
        table.wait(wait_s)
    assert table.last("alert").text == ("log-on-refused" if key == "log-on" else "identity-refused")
    assert (table.last("alert").parameters["wait_s"], table.world.sounder.beeps > 2) == (8, True)
    table.press(*("done",) * 40)
    table.power_cut()
    table.power_cut()
    table.press(key, *number, "enter", *2 * number, "enter", "clear")
    assert (failures(table), table.last("identity-refused").number) == ([1, 2, 3, 3], ""), "it was not looked at"
    table.wait(8)
    table.press(key, *number, "enter", *WRONG, "enter", "clear")
    table.wait(17)
    table.press(key, *number, "enter", *2 * number, "enter", "clear")
    table.power_cut()
    table.press(key, *number, "enter", *WRONG, "enter")
    assert failures(table)[4:] == [4, 1]


@pytest.mark.clause("689a.2(a)")
@pytest.mark.parametrize(
    "keys", [("floor-key",), ("floor-key", *FLOOR, "enter", "1"), ("log-on",), ("floor-key", *FLOOR, "cut")]
)
def test_no_more_bets_counts_while_somebody_identifies(table: Rig, keys: tuple[str, ...]) -> None:
    """Also in the dark in which a power cut leaves an entry."""
    table.press(*(key for key in keys if key != "cut"))
    if "cut" in keys:
        table.power_cut()
        table.turn(1.2)
    table.press("no-more-bets")
    table.spin(4, stop_on="10")
    assert table.lit() == {"10"}


def test_the_menu_says_what_is_not_possible_and_a_halted_table_shows_none(table: Rig) -> None:
    screens = screens_of(table)
    table.table.inputs.prompt_listeners.append(screens.prompted)
    table.press("no-more-bets")
    table.spin(4, stop_on="10")
    identify(table)
    assert screens.dealer()["prompt"] == f"FLOOR MENU (floorperson {FLOOR})"
    first = "settle the result first, or make the spin void"
    assert [line["unavailable"] for line in screens.dealer()["menu"]] == ["", first, first, "", ""]
    table.table.recorder.halt("the disk is full")
    assert (screens.dealer()["prompt"], screens.dealer()["menu"]) == ("", [])
