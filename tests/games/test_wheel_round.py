"""A round on a wheel with a clapper, as the dealer and the players see it (ch. 689a, ch. 619a, and the rulings)."""

from collections.abc import Callable

import pytest

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.machines import table_machine
from controller.events.effect import Win
from controller.events.event import Direction, Press, TableStarted, WheelRested, WheelThrown
from controller.machine.registry import find_game

CW, CCW = Direction.CLOCKWISE, Direction.COUNTERCLOCKWISE


@pytest.mark.clause("689a.2(b)", "619a.2(b)")
@pytest.mark.parametrize("game", ["dreamcatcher", "big-six"])
@pytest.mark.parametrize("counts", [720, 1000, 1440, 4096])
@pytest.mark.parametrize("direction", [CW, CCW])
def test_three_revolutions_exactly_are_valid_and_one_count_less_is_void(
    shipped: Callable[[str], TableConfig], game: str, counts: int, direction: Direction
) -> None:
    for travel, state in ((3 * counts - 1, "respin"), (3 * counts, "result"), (3 * counts + 1, "result")):
        machine = table_machine(find_game(game), shipped(game))
        machine.handle(TableStarted(0, 0, "", ""))
        at_rest = WheelRested(9, direction, travel, counts, located=True, section=9)
        for event in (at_rest, Press(9, "no-more-bets"), WheelThrown(9, direction)):
            machine.handle(event)
        assert machine.handle(at_rest).state == state


def test_no_more_bets_that_was_pressed_too_early_is_taken_back_until_the_throw(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.press("no-more-bets", "clear")
    assert table.state.value == "bets-open"
    assert table.last("note").text == "wagers-reopened"
    table.press("no-more-bets")
    table.spin(stop_on="40")
    assert table.lit() == {"40"}


@pytest.mark.parametrize("settled", [0, 1, 2])
def test_a_spin_that_starts_before_the_round_is_cleared_is_void_and_announced(
    dreamcatcher: Rig, settled: int
) -> None:
    """Wherever it ends: before the round is cleared, or after it."""
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(stop_on="5")
    table.press(*("done",) * settled)
    table.spin(revolutions=5, stop_on="40", rest=False)
    table.wait(2)
    assert table.last("void").reason == table.last("alert").text == "thrown-before-clear"
    table.press(*("done",) * (2 - settled), "clear", "no-more-bets")
    assert table.state.value == "bets-open", "the call of the next round waits for the wheel"
    table.rest()
    assert table.state.value == "bets-open"
    assert [one.reason for record in table.records() for one in record.effects if one.kind == "void"] == [
        "thrown-before-clear"
    ]
    assert table.lit() == set()


def test_a_wind_up_before_the_throw_is_not_deducted(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    table.turn(-0.4, seconds=1, rest=False)
    table.wait(1)
    table.spin(revolutions=3.05)
    assert table.state.value in ("result", "bonus") or table.last("void").reason == "between-sections"


@pytest.mark.clause("689a.2(f)", "689a.3(b)")
def test_a_void_bonus_spin_keeps_the_multiplier(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(stop_on="7x")
    table.spin(revolutions=1, stop_on="1")
    assert table.state.value == "respin"
    table.spin(stop_on="5")
    assert table.last("result").wins == (Win("5", "35 to 1"),)


def test_a_power_cut_in_a_bonus_spin_voids_it_and_keeps_the_multiplier(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(stop_on="7x")
    table.spin(revolutions=4, rest=False)
    table.wait(4)
    table.power_cut(seconds=60)
    assert table.last("void").reason == "power-cut"
    assert table.state.value == "locating"
    table.turn(1.2)
    assert table.state.value == "respin"
    table.spin(stop_on="20")
    assert table.last("result").wins == (Win("20", "140 to 1"),)


def test_a_wheel_moved_after_its_result_changes_nothing(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(stop_on="5")
    table.turn(0.5)
    assert table.lit() == {"5"}
    assert table.last("note").text == "moved-after-result"
    table.press("done", "done", "clear")
    assert table.state.value == "bets-open"


def test_the_position_is_unknown_until_the_index_was_seen(shipped: Callable[[str], TableConfig]) -> None:
    table = Rig(shipped("dreamcatcher"))
    assert table.state.value == "locating"
    table.press("no-more-bets")
    assert table.state.value == "locating"
    table.turn(0.2)
    assert table.state.value == "locating"
    table.turn(1.2)
    assert table.state.value == "bets-open"
