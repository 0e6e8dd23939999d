"""Where a roulette table gets its number: reader, keypad, both; and how an entry is corrected."""

from collections.abc import Callable

import pytest
from roulette_table import called, opened, settle, spin, with_rules

from config.schema import TableConfig
from controller.bench.rig import Rig

GAME = "roulette"
Shipped = Callable[[str], TableConfig]


# -- where the number comes from -----------------------------------------------------------------------------------


@pytest.mark.clause("617a.5(c)")
def test_reader_and_keypad_must_agree(both: Rig) -> None:
    called(both, "20")
    both.press("2", "0", "enter")
    assert both.lit() == set()
    both.wait(10)
    assert "straight-20" in both.lit()


def test_the_dealers_entry_may_be_cleared_until_the_reader_names_a_number(both: Rig) -> None:
    called(both, "20")
    both.press("2", "1", "enter", "clear", "2", "0", "enter")
    both.wait(10)
    assert "straight-20" in both.lit()


@pytest.mark.clause("617a.5(c)")
@pytest.mark.parametrize("decided", ["20", "21", "5"])
def test_where_they_do_not_agree_the_floorperson_decides(both: Rig, decided: str) -> None:
    called(both, "20")
    both.press("2", "1", "enter")
    both.wait(10)
    assert both.state.value == "dispute"
    assert "the dealer entered 21 red, the reader names 20 black" in both.waiting_for
    assert both.lit() == set()
    both.press("clear", "enter", "2")
    assert both.state.value == "dispute"
    both.press("floor-key", *decided, "enter")
    assert f"straight-{decided}" in both.lit()
    assert "the floorperson decided" in both.last("note").text


@pytest.mark.clause("617a.5(c)")
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("reader-silent", "the reader is silent"),
        ("reader-garbled", "cannot be understood"),
        ("reader-astray", "the reader names"),
    ],
)
def test_a_reader_in_doubt_does_not_count(both: Rig, fault: str, words: str) -> None:
    both.world.fault(fault, "", 3)
    called(both, "20")
    both.press("2", "0", "enter")
    both.wait(40)
    assert both.state.value == "dispute"
    assert words in both.waiting_for
    assert both.lit() == set()
    both.press("floor-key", "2", "0", "enter")
    assert "straight-20" in both.lit()


def test_a_reader_alone(shipped: Shipped) -> None:
    table = opened(with_rules(shipped(GAME), result="reader"))
    called(table, "31")
    table.press("3")
    assert table.last("refused").waiting_for == "the ball comes to rest: wait for the wheel reader"
    table.wait(10)
    assert "straight-31" in table.lit()
    settle(table)
    table.world.fault("reader-silent")
    called(table, "31")
    table.wait(40)
    assert table.state.value == "dispute"
    table.press("floor-key", "3", "1", "enter")
    assert "straight-31" in table.lit()


def test_a_reader_that_names_a_number_while_the_ball_runs_is_in_doubt(shipped: Shipped) -> None:
    table = opened(with_rules(shipped(GAME), result="reader"))
    spin(table, into="31", rest=False)
    table.wait(4)
    table.press("no-more-bets")
    table.world.reader.say("12")
    table.ball_rest()
    assert table.state.value == "dispute"
    assert "while the ball was in the track" in table.waiting_for


def test_a_reader_that_changes_its_number_is_in_doubt(both: Rig) -> None:
    called(both, "31")
    both.wait(10)
    both.world.reader.say("32")
    assert both.state.value == "dispute"
    assert "named 31, then 32" in both.waiting_for


def test_a_reader_that_names_no_pocket_of_this_wheel(shipped: Shipped) -> None:
    table = opened(with_rules(shipped(GAME), wheel="single-zero", result="reader"))
    called(table, "31")
    table.world.reader.say("00")
    assert table.state.value == "dispute"
    assert "00, which this wheel does not have" in table.waiting_for


def test_a_reader_that_contradicts_the_result_later_is_reported(both: Rig) -> None:
    called(both, "20")
    both.press("2", "0", "enter")
    both.wait(10)
    lit = both.lit()
    both.world.reader.say("20")
    both.world.reader.say("21")
    assert "the reader names 21, the result is 20 black" in both.last("alert").text
    assert both.lit() == lit


# -- entries -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wheel", "keys", "kept"),
    [
        ("double-zero", "37", "3"),
        ("double-zero", "3 6 1", "36"),
        ("double-zero", "0 1", "0"),
        ("double-zero", "0 0 0", "00"),
        ("single-zero", "0 0", "0"),
        ("double-zero", "9 9", "9"),
    ],
)
def test_a_pocket_that_does_not_exist_is_refused(shipped: Shipped, wheel: str, keys: str, kept: str) -> None:
    table = opened(with_rules(shipped(GAME), wheel=wheel, result="keypad"))
    called(table)
    table.press(*keys.replace(" ", ""))
    assert table.machine.data.entry == kept
    assert table.last("refused").waiting_for.endswith(f"then enter: {kept}")
    assert table.world.sounder.beeps > 0


def test_an_empty_entry_is_refused_and_clear_deletes_the_entry(keypad: Rig) -> None:
    called(keypad, "12")
    keypad.press("enter")
    assert keypad.last("refused").control == "enter"
    keypad.press("1", "clear", "2", "clear")
    assert keypad.machine.data.entry == ""
    keypad.press("clear")
    assert keypad.last("refused").control == "clear"


def test_a_number_cannot_be_keyed_while_the_ball_runs(keypad: Rig) -> None:
    spin(keypad, rest=False)
    keypad.wait(4)
    keypad.press("7", "enter")
    assert keypad.state.value == "ball-running"
    assert keypad.last("refused").control == "enter"


def test_a_correction_needs_the_floor_key_and_both_numbers_stay_on_record(keypad: Rig) -> None:
    called(keypad, "12")
    keypad.press("1", "3", "enter", "correct", "1")
    assert keypad.last("refused").control == "1"
    keypad.press("clear", "done", "correct", "floor-key")
    assert keypad.lit() == set()
    keypad.press("1", "2", "enter")
    assert "straight-12" in keypad.lit()
    assert keypad.last("note").text == "13 black was corrected to 12 red"
    labels = [e.label for r in keypad.records() for e in r.effects if e.kind == "result"]
    assert labels == ["13, black", "12, red"]
