"""Prompts at a wheel: what is on record and on the screens, through spins, faults and power cuts."""

from collections.abc import Callable

import pytest
from screen_table import screens_of
from staff import DEALER, FLOOR, SECURITY, identify, staff

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.journal.record import record_line
from controller.machine.game import words_of

Shipped = Callable[[str], TableConfig]
PIN, WRONG = 2 * FLOOR, "10011002"


@pytest.fixture
def table(shipped: Shipped) -> Rig:
    """Dreamcatcher, open for wagers, with floorpersons and a dealer."""
    rig = Rig(shipped("dreamcatcher"), staff=staff())
    rig.turn(1.2)
    assert rig.state.value == "bets-open"
    return rig


def failures(rig: Rig) -> list[int]:
    return [record.event.failures for record in rig.records() if record.event.kind == "identity-refused"]


# -- on record -----------------------------------------------------------------------------------------------------


def test_turns_attempts_and_acts_are_on_record_and_no_digit_of_a_pin(table: Rig) -> None:
    before, beeps = len(table.records()), table.world.sounder.beeps
    table.press("floor-key", *FLOOR, "enter", *WRONG, "enter")
    alert = table.last("alert")
    assert (alert.text, alert.parameters) == ("identity-refused", {"number": FLOOR, "wait_s": 2})
    assert table.world.sounder.beeps > beeps
    table.press("floor-key", *FLOOR, "enter", *PIN, "enter")
    table.floor("close")
    words = words_of(table.game)
    lines = [record_line(record, words).rpartition("  [")[0] for record in table.records()[before:]]
    assert [line.partition(" →")[0] for line in lines] == [
        "the floorperson's key turned",
        "number and PIN asked for: floorperson",
        f"number and PIN refused: {FLOOR}, 1 in a row",
        "the floorperson's key turned",
        "number and PIN no longer asked for, answered",
        f"floorperson {FLOOR} identified",
        f"the floorperson's key turned by {FLOOR}",
        f"floorperson {FLOOR}: close",
    ]


@pytest.mark.parametrize("presses", [0, 40])
def test_no_power_cut_and_no_number_of_presses_shortens_the_wait(table: Rig, presses: int) -> None:
    for wait_s in (3, 5, 9):
        table.press("floor-key", *FLOOR, "enter", *WRONG, "enter", "clear")
        table.wait(wait_s)
    table.press(*("done",) * presses)
    table.power_cut()
    table.power_cut()
    table.press("floor-key", *FLOOR, "enter", *PIN, "enter")
    assert (failures(table), table.last("identity-refused").number) == ([1, 2, 3, 3], ""), "it was not looked at"
    table.wait(8)
    table.press("floor-key", *FLOOR, "enter", *WRONG, "enter")
    assert failures(table)[-1] == 4
    table.wait(17)
    identify(table)
    table.power_cut()
    table.press("floor-key", *FLOOR, "enter", *WRONG, "enter")
    assert failures(table)[-1] == 1


def test_no_power_cut_shortens_the_wait_for_a_dealers_pin(shipped: Shipped) -> None:
    rig = Rig(shipped("dreamcatcher"), staff=staff(dealer_pin=True))
    for wait_s in (3, 5):
        rig.press("log-on", *DEALER, "enter", *WRONG, "enter", "clear")
        rig.wait(wait_s)
    rig.power_cut()
    rig.press("log-on", *DEALER, "enter", *2 * DEALER, "enter", "clear")
    assert (failures(rig)[-1], rig.table.table_state.dealer) == (2, "")
    rig.wait(4)
    rig.press("log-on", *DEALER, "enter", *2 * DEALER, "enter")
    assert rig.table.table_state.dealer == DEALER


# -- the game goes on ----------------------------------------------------------------------------------------------


@pytest.mark.clause("689a.2(a)")
@pytest.mark.parametrize(
    "keys",
    [("floor-key",), ("floor-key", *FLOOR, "enter", "1"), ("log-on",), ("floor-key", *FLOOR, "cut")],
)
def test_no_more_bets_counts_while_somebody_identifies(table: Rig, keys: tuple[str, ...]) -> None:
    """Also in the dark in which a power cut leaves an entry."""
    table.press(*(key for key in keys if key != "cut"))
    if "cut" in keys:
        table.power_cut()
        table.turn(1.2)
    table.press("no-more-bets")
    assert table.state.value == "no-more-bets"
    table.spin(4, stop_on="10")
    assert table.lit() == {"10"}


# -- on the screens ------------------------------------------------------------------------------------------------


def test_the_menu_is_a_list_and_says_what_is_not_possible(table: Rig) -> None:
    screens = screens_of(table)
    table.table.inputs.prompt_listeners.append(screens.prompted)
    table.press("no-more-bets")
    table.spin(4, stop_on="10")
    identify(table)
    assert screens.dealer()["prompt"] == f"FLOOR MENU (floorperson {FLOOR})"
    assert [(line["control"], line["unavailable"]) for line in screens.dealer()["menu"]] == [
        ("1", ""),
        ("2", "settle the result first, or make the spin void"),
        ("3", "settle the result first, or make the spin void"),
        ("enter", ""),
        ("clear", ""),
    ]


def test_a_halted_table_shows_no_prompt(table: Rig) -> None:
    screens = screens_of(table)
    table.table.inputs.prompt_listeners.append(screens.prompted)
    table.press("floor-key", "1")
    assert screens.dealer()["prompt"]
    table.table.recorder.halt("the disk is full")
    assert (screens.dealer()["prompt"], screens.dealer()["menu"]) == ("", [])


# -- the dealer ----------------------------------------------------------------------------------------------------


def test_a_log_on_is_on_record_and_lasts_until_the_next(table: Rig) -> None:
    table.press("log-on", *DEALER, "enter")
    table.power_cut()
    assert table.table.table_state.dealer == DEALER
    table.press("log-on", *SECURITY, "enter")
    assert table.last("alert").text == "log-on-refused"
    assert table.table.table_state.dealer == DEALER
    table.press("log-on", "enter")
    assert table.table.table_state.dealer == ""
