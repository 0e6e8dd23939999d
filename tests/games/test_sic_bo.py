"""Sic Bo as the dealer, the floorperson and the players see it (ch. 539, and the rulings)."""

from collections.abc import Callable
from itertools import product

import pytest
from dice_inspection import inspect_dice, open_automated
from sic_bo_regulation import lit_by_hand

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import Win

HOUR_S = 3600


def roll(table: Rig, dice: str) -> None:
    table.press("no-more-bets", *dice, "enter")


def settle(table: Rig) -> None:
    table.press("done", "done", "clear")


@pytest.mark.clause(
    "539.1(b)",
    "539.3(1)",
    "539.3(2)",
    "539.3(3)",
    "539.3(4)",
    "539.3(5)",
    "539.3(6)",
    "539.3(7)",
    "539.3(8)",
    "539.4(c)",
    "539.5(d)",
    "539.5(f)",
)
def test_all_216_rolls_light_what_the_regulation_says(sic_bo: Rig) -> None:
    table = sic_bo
    for a, b, c in product(range(1, 7), repeat=3):
        roll(table, f"{a}{b}{c}")
        assert table.lit() == lit_by_hand(a, b, c), (a, b, c)
        settle(table)
        assert table.lit() == set()
    assert table.journal.verify().problem == ""


@pytest.mark.clause("539.6(a)", "539.6(c)")
def test_one_of_a_kind_pays_by_the_dice_that_show_it(sic_bo: Rig) -> None:
    table = sic_bo
    for dice, pays in (("412", "1 to 1"), ("442", "2 to 1"), ("444", "3 to 1")):
        roll(table, dice)
        assert Win("one-of-a-kind-4", pays) in table.last("result").wins
        settle(table)


@pytest.mark.clause("539.1(b)", "539.2(a)")
def test_entry_clear_and_refusals(sic_bo: Rig) -> None:
    table = sic_bo
    table.press("no-more-bets", "3")
    assert "3-_-_" in table.waiting_for
    beeps = table.world.sounder.beeps
    table.press("7", "0", "9")
    assert table.world.sounder.beeps == beeps + 3
    assert "3-_-_" in table.waiting_for
    table.press("enter")
    assert table.state.value == "entry"
    table.press("4", "enter")
    assert table.state.value == "entry", "two dice are no roll"
    assert table.last("refused").control == "enter"
    table.press("6", "2")
    assert "3-4-6" in table.waiting_for
    assert table.last("refused").control == "2"
    table.press("clear")
    assert "_-_-_" in table.waiting_for
    table.press("1", "1", "5", "enter")
    assert table.lit() == lit_by_hand(1, 1, 5)


@pytest.mark.clause("539.5(d)")
def test_an_unfinished_entry_waits_and_survives_a_power_cut(sic_bo: Rig) -> None:
    table = sic_bo
    table.press("no-more-bets", "3", "4")
    table.wait(4 * HOUR_S)
    table.power_cut(seconds=600)
    assert "3-4-_" in table.waiting_for
    table.press("6", "enter")
    assert table.lit() == lit_by_hand(3, 4, 6)
    table.power_cut()
    assert table.lit() == lit_by_hand(3, 4, 6)


@pytest.mark.clause("539.4(c)")
def test_a_correction_needs_the_floor_key_and_keeps_both_entries(sic_bo: Rig) -> None:
    table = sic_bo
    roll(table, "346")
    table.press("correct")
    assert table.state.value == "correcting"
    table.press("clear")
    assert table.state.value == "result"
    assert table.lit() == lit_by_hand(3, 4, 6)
    table.press("correct", "3")
    assert table.state.value == "correcting"
    table.press("floor-key")
    assert table.lit() == set()
    table.press("no-roll", "1")
    assert table.state.value == "voiding"
    table.press("clear")
    assert table.state.value == "entry"
    table.press("3", "4", "5", "enter")
    assert table.lit() == lit_by_hand(3, 4, 5)
    results = [effect.label for record in table.records() for effect in record.effects if effect.kind == "result"]
    assert results == ["3-4-6", "3-4-5"]
    assert table.last("note").text == "3-4-6 was corrected to 3-4-5"


@pytest.mark.clause("539.7(a)")
def test_no_roll_voids_the_round_and_returns_the_wagers(sic_bo: Rig) -> None:
    table = sic_bo
    table.press("no-more-bets", "3", "4", "no-roll", "1")
    assert table.last("wagers-returned").reason == "no-roll"
    assert table.state.value == "bets-open"
    assert table.machine.round == 2
    assert table.lit() == set()


@pytest.mark.clause("539.7(b)")
def test_a_malfunction_after_the_roll_is_settled_and_closes_the_table(sic_bo: Rig) -> None:
    table = sic_bo
    table.world.fault("dead-lamp", "big")
    roll(table, "466")
    assert table.state.value == "malfunction"
    assert "big (1 to 1)" in table.waiting_for
    table.press("done")
    assert table.state.value == "malfunction"
    table.press("floor-key")
    assert table.state.value == "closed"
    assert table.lit() == set()
    table.press("no-more-bets")
    assert table.state.value == "closed"
    table.press("floor-key", "1", *"566", "enter")
    assert table.state.value == "closed", "the lamp is still dead"
    assert "no light at big" in table.waiting_for
    table.world.repair()
    inspect_dice(table)
    assert table.state.value == "bets-open"


@pytest.mark.clause("539.7(b)")
def test_a_malfunction_while_winners_are_paid_closes_the_table_after_them(sic_bo: Rig) -> None:
    """§ 539.7(b): all gaming ceases once the wagers are settled."""
    table = sic_bo
    roll(table, "466")
    table.press("done", "done")
    table.world.fault("stuck-key", "5")
    table.wait(11)
    assert table.state.value == "winners-paid"
    table.press("clear")
    assert table.state.value == "closed"
    assert "5 is stuck" in table.waiting_for


@pytest.mark.clause("539.7(b)")
def test_a_key_that_sticks_after_the_roll_is_a_malfunction(sic_bo: Rig) -> None:
    table = sic_bo
    table.press("no-more-bets", "4")
    table.world.fault("stuck-key", "6")
    table.wait(11)
    assert table.state.value == "malfunction"
    assert "settle all wagers by the dice" in table.waiting_for


@pytest.mark.clause("539.1(d)(2)", "539.5(c)(2)", "539.7(c)", "539.7(d)")
def test_a_failed_automated_shaker_voids_the_round(opened: object, shipped: Callable[[str], TableConfig]) -> None:
    """§ 539.7(c), (d): a manual shaker only after the automated one is recorded as removed."""
    table = open_automated(shipped)
    table.press("no-more-bets", "shaker-fault")
    assert table.last("wagers-returned").reason == "shaker-failed"
    assert table.state.value == "bets-open"
    table.press("no-more-bets", "3")
    assert table.state.value == "shaking"
    table.press("shaker-done", "3", "4", "6", "enter")
    assert table.lit() == lit_by_hand(3, 4, 6)
    settle(table)
    table.press("floor-key", "3")
    assert "removed" in table.last("note").text
    table.press("floor-key", "2")
    roll(table, "111")
    assert table.lit() == lit_by_hand(1, 1, 1)
    settle(table)
    table.press("floor-key", "4")
    assert table.state.value == "closed"


@pytest.mark.clause("539.5(c)")
def test_dice_that_are_shaken_by_hand_are_no_matter_of_another_shaker(sic_bo: Rig) -> None:
    """§ 539.5(c)(1): its contacts count for nothing while it does not stand on the table."""
    table = sic_bo
    table.press("no-more-bets", "shaker-done")
    assert table.state.value == "shaking"
    assert "shake at least three times" in table.waiting_for
    table.press("shaker-fault", "3", "shaker-done")
    assert table.state.value == "entry"
    table.press("4", "6", "enter", "shaker-done")
    assert table.state.value == "result"


@pytest.mark.clause("539.7(a)", "539.7(c)")
def test_a_malfunction_before_the_toss_returns_the_wagers(sic_bo: Rig) -> None:
    """§ 539.7(b) has wagers settled only once the dice lie open; before that, nothing is decided."""
    table = sic_bo
    table.press("no-more-bets")
    table.world.fault("stuck-key", "5")
    table.wait(11)
    assert table.state.value == "malfunction"
    assert "press no roll" in table.waiting_for
    table.press("no-roll", "3")
    assert table.state.value == "closed"
    assert table.last("void").reason == "not-tossed"
    assert table.last("wagers-returned").reason == "not-tossed"


@pytest.mark.clause("539.7(a)", "539.7(c)")
def test_a_shaker_that_fails_in_a_malfunction_voids_the_round_too(shipped: Callable[[str], TableConfig]) -> None:
    table = open_automated(shipped)
    table.press("no-more-bets")
    table.world.fault("stuck-key", "5")
    table.wait(11)
    assert table.state.value == "malfunction"
    table.press("shaker-fault")
    assert table.state.value == "closed"
    assert table.last("wagers-returned").reason == "shaker-failed"


def test_a_malfunction_with_a_result_is_settled_by_it(sic_bo: Rig) -> None:
    table = sic_bo
    roll(table, "346")
    table.world.fault("stuck-key", "5")
    table.wait(11)
    assert table.state.value == "malfunction"
    table.press("no-roll", "1", "done", "clear")
    assert table.state.value == "malfunction"
    assert table.lit() == lit_by_hand(3, 4, 6)


# -- what people do by mistake, and what fails meanwhile -----------------------------------------------------------


@pytest.mark.clause("539.7(b)")
def test_wrong_dice_are_corrected_in_a_malfunction_too(sic_bo: Rig) -> None:
    """A dead lamp closes the table after the round, and not before the true dice are on record."""
    table = sic_bo
    table.world.fault("dead-lamp", "big")
    roll(table, "466")
    table.press("correct", "floor-key")
    assert table.state.value == "malfunction"
    assert "correction of 4-6-6" in table.waiting_for
    table.press("4", "6", "5", "enter")
    assert table.last("result").label == "4-6-5"
    assert table.last("note").text == "4-6-6 was corrected to 4-6-5"
    assert "total 15" in table.waiting_for
    table.press("floor-key")
    assert table.state.value == "closed"


def test_a_round_whose_correction_was_not_keyed_says_so(sic_bo: Rig) -> None:
    table = sic_bo
    table.world.fault("dead-lamp", "big")
    roll(table, "466")
    table.press("correct", "floor-key")
    table.wait(1)
    table.press("floor-key")
    assert table.last("note").text.startswith("4-6-6 was wrong, and the dice were not keyed")


@pytest.mark.clause("539.7(b)")
def test_dice_can_be_keyed_after_a_panel_has_failed(sic_bo: Rig) -> None:
    """§ 539.7(b): the winning areas are on record and on the screen."""
    table = sic_bo
    table.press("no-more-bets", "3")
    table.world.fault("burning-lamp", "big")
    table.wait(2)
    assert table.state.value == "malfunction"
    table.press("4", "5", "enter")
    assert table.last("result").label == "3-4-5"
    assert "total 12 (6 to 1)" in table.waiting_for


def test_a_correction_is_possible_until_the_round_is_cleared(sic_bo: Rig) -> None:
    table = sic_bo
    roll(table, "346")
    table.press("done", "done", "correct", "floor-key", "3", "4", "5", "enter")
    assert table.state.value == "result"
    assert table.lit() == lit_by_hand(3, 4, 5)


def test_a_result_is_made_void_by_the_floorperson_alone(sic_bo: Rig) -> None:
    table = sic_bo
    roll(table, "346")
    table.press("no-roll", "1")
    assert "floorperson" in table.waiting_for
    assert table.lit() == lit_by_hand(3, 4, 6)
    table.press("floor-key")
    assert table.last("void").reason == "no-roll"
    assert table.state.value == "bets-open"


def test_no_roll_and_no_more_bets_by_mistake_have_a_way_back(sic_bo: Rig) -> None:
    table = sic_bo
    table.press("no-more-bets", "correct")
    assert table.state.value == "bets-open"
    assert "wagers are open again" in table.last("alert").text
    table.press("no-more-bets", "3", "no-roll", "clear", "4", "5", "enter")
    assert table.last("result").label == "3-4-5"


@pytest.mark.clause("539.7(b)")
def test_a_keypad_that_is_unplugged_with_dice_open_is_a_malfunction(sic_bo: Rig) -> None:
    """§ 539.7(b): replugged, it does not play on without a floorperson."""
    table = sic_bo
    table.press("no-more-bets", "3")
    table.world.fault("keys-unplugged")
    assert table.state.value == "malfunction"
    assert "keypad gone" in table.waiting_for
    table.world.repair()
    assert table.state.value == "malfunction"
    table.press("4", "5", "enter", "floor-key")
    assert table.last("result").label == "3-4-5"
    assert table.state.value == "closed"


@pytest.mark.clause("539.5(e)", "539.7(c)")
@pytest.mark.parametrize(("again", "words"), [("shaker-done", "a second time"), ("shaker-fault", "after its toss")])
def test_there_is_one_toss_a_round(shipped: Callable[[str], TableConfig], again: str, words: str) -> None:
    """§§ 539.5(e), 539.7(c): whoever tosses again could choose."""
    table = open_automated(shipped)
    table.press("no-more-bets", "shaker-done", "3", again)
    assert words in table.last("alert").text
    table.press("4", "enter")
    assert table.state.value == "toss-in-doubt"
    table.press("floor-key", "3", "4", "5", "enter")
    assert table.last("result").label == "3-4-5"
    table.press(again, "done")
    assert "count" in table.last("alert").remedy
    assert table.state.value == "losers-collected"


@pytest.mark.clause("539.5(e)", "539.7(c)")
def test_a_second_toss_that_hides_the_first_makes_the_round_void_by_the_key(
    shipped: Callable[[str], TableConfig],
) -> None:
    table = open_automated(shipped)
    table.press("no-more-bets", "shaker-done", "shaker-done", "no-roll", "4")
    assert table.state.value == "voiding"
    table.press("floor-key")
    assert table.last("void").reason == "second-toss"


@pytest.mark.clause("539.5(e)", "539.7(c)")
def test_a_power_cut_while_the_shaker_runs_orders_no_other_toss(shipped: Callable[[str], TableConfig]) -> None:
    table = open_automated(shipped)
    table.press("no-more-bets")
    table.power_cut()
    assert table.state.value == "toss-in-doubt"
    assert "start" not in table.waiting_for
    table.press("floor-key", "3", "4", "5", "enter")
    assert table.last("result").label == "3-4-5"


def test_a_power_cut_while_the_dice_are_shaken_by_hand_orders_no_other_shake(sic_bo: Rig) -> None:
    table = sic_bo
    table.press("no-more-bets")
    table.power_cut()
    assert "do not shake again" in table.waiting_for


@pytest.mark.clause("539.7(c)")
def test_a_dead_shaker_is_reported_and_the_void_says_so(shipped: Callable[[str], TableConfig]) -> None:
    """§ 539.7(c): it is not "the dice do not all lie flat"."""
    table = open_automated(shipped)
    table.press("no-more-bets")
    table.wait(61)
    assert "has not tossed" in table.last("alert").text
    table.press("no-roll", "1")
    assert table.state.value == "no-roll"
    table.press("2")
    assert table.last("void").reason == "shaker-failed"
    assert "§ 539.7(c)" in table.last("void").detail


def test_dice_keyed_in_a_malfunction_may_not_lie_flat_though_no_sensor_saw_the_toss(
    shipped: Callable[[str], TableConfig],
) -> None:
    """A key sticks before the toss, and the shaker's contact is dead: the shaker did not fail."""
    table = open_automated(shipped)
    table.press("no-more-bets")
    table.world.fault("stuck-key", "5")
    table.wait(11)
    assert table.state.value == "malfunction"
    table.press("no-roll", "1")
    assert table.last("refused").control == "1"
    table.press("clear", *"246", "no-roll", "1")
    assert table.last("void").reason == "no-roll"
    assert table.state.value == "closed"
