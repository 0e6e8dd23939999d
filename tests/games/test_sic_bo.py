"""Sic Bo as the dealer, the floorperson and the players see it (ch. 539, and the rulings)."""

from collections.abc import Callable
from itertools import product

import pytest
from retirement import reach_age

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import Alert, Win
from controller.events.event import PowerRestored, Press, TableStarted
from controller.statechart.registry import find_game

HOUR_S = 3600


def lit_by_hand(a: int, b: int, c: int) -> set[str]:
    """The winning areas of a roll, straight from  539.3; written for this test, with nothing of the program's."""
    dice, lit = sorted((a, b, c)), set()
    for n in range(1, 7):
        if a == n and b == n and c == n:
            lit |= {f"three-of-a-kind-{n}", "any-three-of-a-kind"}
        if (a == n and b == n) or (b == n and c == n) or (a == n and c == n):
            lit.add(f"two-of-a-kind-{n}")
        if a == n or b == n or c == n:
            lit.add(f"one-of-a-kind-{n}")
    if a + b + c not in (3, 18):
        lit.add(f"total-{a + b + c}")
    for low, high in ((dice[0], dice[1]), (dice[1], dice[2]), (dice[0], dice[2])):
        if low != high:
            lit.add(f"two-dice-{low}-{high}")
    if not a == b == c:
        lit.add("small" if a + b + c <= 10 else "big")
    return lit


def roll(table: Rig, dice: str) -> None:
    table.press("no-more-bets", *dice, "enter")


def settle(table: Rig) -> None:
    table.press("done", "done", "clear")


def test_all_216_rolls_light_what_the_regulation_says(sic_bo: Rig) -> None:
    table = sic_bo
    for a, b, c in product(range(1, 7), repeat=3):
        roll(table, f"{a}{b}{c}")
        assert table.lit() == lit_by_hand(a, b, c), (a, b, c)
        settle(table)
        assert table.lit() == set()
    assert table.journal.verify().problem == ""


def test_one_of_a_kind_pays_by_the_dice_that_show_it(sic_bo: Rig) -> None:
    """§ 539.6(c)."""
    table = sic_bo
    for dice, pays in (("412", "1 to 1"), ("442", "2 to 1"), ("444", "3 to 1")):
        roll(table, dice)
        assert Win("one-of-a-kind-4", pays) in table.last("result").wins
        settle(table)


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
    table.press("4", "6", "2")
    assert "3-4-6" in table.waiting_for
    assert table.last("refused").control == "2"
    table.press("clear")
    assert "_-_-_" in table.waiting_for
    table.press("1", "1", "5", "enter")
    assert table.lit() == lit_by_hand(1, 1, 5)


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
    table.press("no-roll")
    assert table.state.value == "entry"
    table.press("3", "4", "5", "enter")
    assert table.lit() == lit_by_hand(3, 4, 5)
    results = [effect.label for record in table.records() for effect in record.effects if effect.kind == "result"]
    assert results == ["3-4-6", "3-4-5"]
    assert table.last("note").text == "3-4-6 was corrected to 3-4-5"


def test_no_roll_voids_the_round_and_returns_the_wagers(sic_bo: Rig) -> None:
    """§ 539.7(a)."""
    table = sic_bo
    table.press("no-more-bets", "3", "4", "no-roll")
    assert table.last("wagers-returned").reason == "no-roll"
    assert table.state.value == "bets-open"
    assert table.machine.round == 2
    assert table.lit() == set()


def test_the_table_does_not_open_without_the_inspection(shipped: Callable[[str], TableConfig]) -> None:
    """§ 539.5(a)(1): three values, each confirmed by the floorperson; the record holds who."""
    table = Rig(shipped("sic-bo"))
    table.press("no-more-bets")
    assert table.state.value == "closed"
    table.press("floor-key", "2", "floor-key", "1", "enter")
    assert table.state.value == "inspector"
    table.press("4", "7", "1", "1", "enter")
    for done in range(3):
        assert f"value {done + 1} of 3" in table.waiting_for
        table.press("2", "2", "5", "enter")
        assert table.lit() == lit_by_hand(2, 2, 5)
        table.press("floor-key")
        assert table.lit() == set()
    assert table.state.value == "bets-open"
    notes = [effect.text for record in table.records() for effect in record.effects if effect.kind == "note"]
    assert any("passed before floorperson 4711" in note for note in notes)


def test_an_automated_shaker_is_inspected_too(shipped: Callable[[str], TableConfig]) -> None:
    """§ 539.5(a)(2): three cycles."""
    table = automated(shipped)
    table.press("floor-key", "2", "floor-key", "1", "9", "enter")
    for _ in range(3):
        table.press("1", "2", "3", "enter", "floor-key")
    assert table.state.value == "inspection-shaker"
    for _ in range(3):
        table.press("floor-key")
        assert table.state.value == "inspection-shaker"
        table.press("shaker-done", "floor-key")
    assert table.state.value == "bets-open"


def test_a_dead_lamp_fails_the_inspection(shipped: Callable[[str], TableConfig]) -> None:
    table = Rig(shipped("sic-bo"))
    table.world.fault("dead-lamp", "total-9")
    table.press("floor-key", "2", "floor-key", "1", "7", "enter", "2", "2", "5", "enter")
    assert table.state.value == "closed"
    assert "total-9" in table.waiting_for
    assert table.lit() == set()


def test_after_a_power_cut_the_inspection_starts_again(shipped: Callable[[str], TableConfig]) -> None:
    table = Rig(shipped("sic-bo"))
    table.press("floor-key", "2", "floor-key", "1", "7", "enter", "2", "2", "5", "enter")
    table.power_cut()
    assert table.state.value == "closed"
    assert table.lit() == set()


def test_a_malfunction_after_the_roll_is_settled_and_closes_the_table(sic_bo: Rig) -> None:
    """§ 539.7(b)."""
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
    table.world.mend()
    table.press("floor-key", "1", "7", "enter")
    for _ in range(3):
        table.press("4", "6", "6", "enter", "floor-key")
    assert table.state.value == "bets-open"


def test_a_key_that_sticks_after_the_roll_is_a_malfunction(sic_bo: Rig) -> None:
    table = sic_bo
    table.press("no-more-bets", "4")
    table.world.fault("stuck-key", "6")
    table.wait(11)
    assert table.state.value == "malfunction"
    assert "settle all wagers by the dice" in table.waiting_for


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
    roll(table, "111")
    assert table.lit() == lit_by_hand(1, 1, 1)
    settle(table)
    table.press("floor-key", "4")
    assert table.state.value == "closed"


def test_dice_are_retired_after_24_hours(sic_bo: Rig) -> None:
    """§ 539.2(b): a warning at 23 hours, no new round after 24 until new dice are recorded."""
    table = sic_bo
    table.wait(22.9 * HOUR_S)
    with pytest.raises(LookupError):
        table.last("alert")
    table.wait(0.2 * HOUR_S)
    assert "changed soon" in table.last("alert").text
    roll(table, "346")
    table.wait(1 * HOUR_S)
    assert table.state.value == "result"
    settle(table)
    assert table.state.value == "dice-due"
    table.press("no-more-bets")
    assert table.state.value == "dice-due"
    table.press("floor-key", "2")
    assert table.state.value == "bets-open"


def test_dice_age_while_the_power_is_off(sic_bo: Rig) -> None:
    table = sic_bo
    table.power_cut(seconds=25 * HOUR_S)
    table.wait(1)
    assert table.state.value == "dice-due"
    assert table.last("wagers-returned").reason == "dice-retired"


@pytest.mark.parametrize("leaves", ["clear", "power cut"])
def test_dice_that_are_retired_while_the_menu_is_open_open_no_round(sic_bo: Rig, leaves: str) -> None:
    table = sic_bo
    reach_age(table, leaves)
    assert table.state.value == "dice-due"
    assert table.last("wagers-returned").reason == "dice-retired"


def test_a_clock_that_was_set_back_retires_the_dice(shipped: Callable[[str], TableConfig]) -> None:
    """Their age is no longer known."""
    machine = find_game("sic-bo").machine(shipped("sic-bo"))
    machine.handle(TableStarted(0, 10**18, "", ""))
    for control in ("floor-key", "2"):
        machine.handle(Press(0, control, 10**18))
    decision = machine.handle(PowerRestored(0, 10**18 - 1, "", ""))
    assert machine.data.retired
    assert any("clock" in effect.text for effect in decision.effects if isinstance(effect, Alert))


def test_a_malfunction_before_the_toss_returns_the_wagers(sic_bo: Rig) -> None:
    """§ 539.7(b) has wagers settled only once the dice lie open; before that, nothing is decided."""
    table = sic_bo
    table.press("no-more-bets")
    table.world.fault("stuck-key", "5")
    table.wait(11)
    assert table.state.value == "malfunction"
    assert "press no roll" in table.waiting_for
    table.press("no-roll")
    assert table.state.value == "closed"
    assert table.last("void").reason == "no-roll"
    assert table.last("wagers-returned").reason == "no-roll"


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
    table.press("no-roll")
    assert table.state.value == "malfunction"
    assert "no roll" not in table.waiting_for


def automated(shipped: Callable[[str], TableConfig]) -> Rig:
    config = shipped("sic-bo")
    assert config.dice is not None
    return Rig(config.model_copy(update={"dice": config.dice.model_copy(update={"shaker": "automated"})}))


def open_automated(shipped: Callable[[str], TableConfig]) -> Rig:
    table = automated(shipped)
    table.press("floor-key", "2", "floor-key", "1", "9", "enter")
    for _ in range(3):
        table.press("1", "2", "3", "enter", "floor-key")
    for _ in range(3):
        table.press("shaker-done", "floor-key")
    assert table.state.value == "bets-open"
    return table
