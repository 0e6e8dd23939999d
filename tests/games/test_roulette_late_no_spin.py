"""No spin at Roulette after the number is lit: the floorperson's; what is taken back and was paid is on record."""

from collections.abc import Callable

import pytest
from roulette_table import (
    FLOOR,
    GAME,
    alerts,
    down,
    guarded,
    inspected,
    no_spin,
    plays_on,
    settle,
    spin,
    voids,
    with_rules,
)
from screen_table import screens_of

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.journal.summaries import round_summaries

Shipped = Callable[[str], TableConfig]
LEFT = "the ball left the wheel"
SETTLED = ("", "losing wagers had been collected on it, and winners were being paid", "winners had been paid on it")


@pytest.fixture
def lit(keypad: Rig) -> Rig:
    """17 is lit."""
    down(keypad, "17")
    keypad.press("1", "7", "enter")
    assert "straight-17" in keypad.lit()
    return keypad


# -- what is taken back --------------------------------------------------------------------------------------------


@pytest.mark.clause("617a.6(a)", "617a.6(b)", "617a.6(c)", "617a.6(d)")
@pytest.mark.parametrize("done", [0, 1, 2])
def test_a_ball_that_left_the_wheel_is_no_spin_though_its_number_is_lit(lit: Rig, done: int) -> None:
    """§ 617a.6(c): the number was that of a ball which had left the wheel, and it shows only now."""
    screens = screens_of(lit)
    lit.press(*["done"] * done)
    burning = lit.lit()
    lit.press("no-spin", "1")
    assert lit.lit() == burning, "the result stands until the key is turned"
    assert voids(lit) == []
    assert lit.waiting_for.startswith(f"{LEFT}: the result 17 black is on record, so the floorperson's key")
    assert screens.board()["detail"] == "the floorperson looks at the result"
    lit.press("floor-key")
    no_spin(lit, "ball-left-wheel")
    parts = [f"{LEFT} (§ 617a.6(c))", "called by the floorperson", "the result was 17 black", SETTLED[done]]
    assert lit.last("void").detail == "; ".join(filter(None, parts))
    assert alerts(lit)[-1] == f"the result 17 black was made void by the floorperson: {LEFT}"
    assert "put back what was collected, and take back what was paid" in lit.last("alert").remedy
    assert screens.board()["history"] == []
    screens.same_as_recalled()
    plays_on(lit, called_before=True)
    assert [line["label"] for line in screens.board()["history"]] == ["7"]


@pytest.mark.clause("617a.6(a)", "617a.6(b)", "617a.6(c)", "617a.6(d)")
def test_the_dealer_alone_takes_no_number_back(lit: Rig) -> None:
    burning = lit.lit()
    for key in "12345679":
        lit.press("no-spin", key, "done", "enter", "no-more-bets", "correct", "clear")
        assert lit.state.value == "result"
        assert lit.lit() == burning
    assert voids(lit) == []


@pytest.mark.parametrize("done", [0, 1, 2])
def test_a_no_spin_that_was_a_mistake_leaves_the_result_and_how_far_it_is_settled(lit: Rig, done: int) -> None:
    lit.press(*["done"] * done)
    before, burning = lit.state, lit.lit()
    lit.press("no-spin", "1", "clear")
    assert (lit.state, lit.lit()) == (before, burning)
    assert lit.last("note").text == "the no spin was taken back"
    lit.wait(1)  # A second press of clear at once would be that of a hand that saw no answer.
    lit.press(*["done"] * (2 - done), "clear")
    assert lit.state.value == "bets-open"


def test_the_record_names_whose_key_made_it_void(shipped: Shipped) -> None:
    table = guarded(with_rules(shipped(GAME), result="keypad"))
    inspected(table, FLOOR)
    down(table, "17")
    table.press("enter", "1", "7", "enter")
    assert "straight-17" in table.lit()
    table.press("no-spin", "1", "floor-key")
    assert f"called by floorperson {FLOOR}" in table.last("void").detail
    assert alerts(table)[-1] == f"the result 17 black was made void by floorperson {FLOOR}: {LEFT}"


# -- corrections ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("617a.6(a)", "617a.6(b)", "617a.6(c)", "617a.6(d)")
@pytest.mark.parametrize("done", [0, 1, 2])
def test_a_correction_names_the_pocket_that_it_takes_back_and_what_was_paid_on_it(lit: Rig, done: int) -> None:
    lit.press(*["done"] * done, "correct", "floor-key")
    words = "; ".join(filter(None, ("the floorperson allowed a correction of 17 black", SETTLED[done])))
    assert lit.last("note").text == words
    lit.press("8", "enter")
    assert lit.last("note").text == "17 black was corrected to 8 black"


@pytest.mark.clause("617a.6(a)", "617a.6(b)", "617a.6(c)", "617a.6(d)")
def test_what_is_being_corrected_may_turn_out_to_be_no_spin(lit: Rig) -> None:
    """The floorperson looks at the wheel to name the number anew: there is no ball."""
    lit.press("done", "correct", "floor-key", "no-spin", "1")
    assert voids(lit) == []
    lit.press("clear")
    assert lit.state.value == "deciding"
    lit.press("no-spin", "1", "floor-key")
    no_spin(lit, "ball-left-wheel")
    assert "17 black was being corrected" in lit.last("void").detail
    assert "the result 17 black was made void" in alerts(lit)[-1]
    plays_on(lit, called_before=True)


# -- what happens meanwhile ----------------------------------------------------------------------------------------


def test_a_power_cut_keeps_the_question_and_the_lamps(lit: Rig) -> None:
    burning = lit.lit()
    lit.press("no-spin", "1")
    lit.power_cut()
    assert lit.state.value == "no-spin"
    assert lit.lit() == burning
    lit.press("floor-key")
    no_spin(lit, "ball-left-wheel")


def test_a_ball_that_is_thrown_before_the_key_is_turned_is_no_spin(lit: Rig) -> None:
    """It may be that of the next spin, thrown too early; the sensors are not said to deny the reason."""
    lit.press("no-spin", "1")
    spin(lit, into="8", rest=False)
    lit.wait(2)
    assert voids(lit) == ["thrown-before-clear"]
    lit.press("floor-key")
    assert voids(lit) == ["thrown-before-clear", "ball-left-wheel"]
    lit.ball_rest()
    assert not any("it runs on in the track" in text for text in alerts(lit))
    assert "Take the ball out" in lit.waiting_for
    plays_on(lit, called_before=True)


def test_a_reader_that_names_another_pocket_meanwhile_is_heard(both: Rig) -> None:
    down(both, "17")
    both.press("1", "7", "enter")
    both.wait(10)
    both.press("no-spin")
    both.world.reader.say("8")
    both.wait(1)
    assert alerts(both)[-1] == "the reader names 8, the result is 17 black"
    both.press("clear")
    assert "straight-17" in both.lit()


def test_a_fault_of_this_round_locks_the_table_before_the_wheel_is_spun_again(lit: Rig) -> None:
    lit.world.fault("burning-lamp", "red")
    lit.wait(3)
    assert lit.state.value == "result"
    lit.press("no-spin", "1", "floor-key")
    assert voids(lit) == ["ball-left-wheel"]
    assert lit.state.value == "locked"
    lit.world.repair()
    lit.press("floor-key")
    no_spin(lit, "ball-left-wheel")


def test_a_failure_of_the_controller_keeps_the_result(lit: Rig) -> None:
    lit.press("no-spin", "1")
    machine = lit.machine
    handle = machine.handle

    def fails(event: object) -> object:
        machine.handle = handle
        raise RuntimeError("a defect, on purpose")

    machine.handle = fails
    lit.press("2")
    assert lit.state.value == "locked"
    lit.press("floor-key")
    assert lit.state.value == "result"
    assert "straight-17" in lit.lit()
    settle(lit)
    assert lit.state.value == "bets-open"


# -- the record by round -------------------------------------------------------------------------------------------


@pytest.mark.clause("617a.6(a)", "617a.6(b)", "617a.6(c)", "617a.6(d)")
def test_a_round_whose_result_was_made_void_has_no_result_in_the_lists(lit: Rig) -> None:
    lit.press("done", "no-spin", "1", "floor-key", "floor-key", "4")
    assert lit.state.value == "bets-open"
    line = next(line for line in round_summaries(lit.journal, None, 2, "all")["rounds"] if line["round"] == 1)
    assert (line["outcome"], line["label"], line["wins"]) == ("void", "", [])
    assert line["voids"] == ["ball-left-wheel"]
