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


@pytest.mark.clause("689a.2(a)", "689a.2(e)")
def test_a_whole_round(dreamcatcher: Rig) -> None:
    """§ 689a.2(a), (c), (e): no more bets, spin, losers collected, then winners paid."""
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(revolutions=4.2, stop_on="40")
    assert table.state.value == "result"
    assert table.lit() == {"40"}
    assert table.last("result").wins == (Win("40", "40 to 1"),)
    table.press("done")
    assert table.state.value == "losers-collected"
    assert table.lit() == {"40"}
    table.press("done")
    assert table.state.value == "winners-paid"
    table.press("clear")
    assert table.state.value == "bets-open"
    assert table.lit() == set()
    assert table.machine.round == 2


@pytest.mark.clause("689a.2(b)")
@pytest.mark.parametrize("direction", [CW, CCW])
def test_fewer_than_three_revolutions_void_the_spin(dreamcatcher: Rig, direction: Direction) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(revolutions=1.5, direction=direction, stop_on=20)
    assert table.state.value == "respin"
    assert table.last("void").reason == "fewer-than-three-revolutions"
    assert table.lit() == set()


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


@pytest.mark.clause("689a.2(d)")
@pytest.mark.parametrize("direction", [CW, CCW])
def test_clapper_between_sections_voids_the_spin(dreamcatcher: Rig, direction: Direction) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(revolutions=4.2, direction=direction, stop_between=("10", "1"))
    assert table.state.value == "respin"
    void = table.last("void")
    assert void.reason == "between-sections"
    assert sorted(void.parameters.values()) == ["1", "10"]
    assert table.lit() == set()
    table.spin(revolutions=4.2, stop_on="10")
    assert table.lit() == {"10"}


@pytest.mark.clause("689a.2(a)", "619a.2(a)")
def test_a_wheel_thrown_while_wagers_are_open_is_void(dreamcatcher: Rig) -> None:
    """§ 689a.2(a): no more bets comes before the spin."""
    table = dreamcatcher
    table.spin(revolutions=4, rest=False)
    table.wait(3)
    assert table.state.value == "void-spin"
    table.press("no-more-bets")
    assert table.state.value == "void-spin"
    assert table.last("refused").waiting_for == "wheel-void-spin"
    table.rest()
    assert table.last("void").reason == "wagers-open"
    assert table.state.value == "bets-open"
    assert table.lit() == set()


def test_no_more_bets_that_was_pressed_too_early_is_taken_back_until_the_throw(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.press("no-more-bets", "clear")
    assert table.state.value == "bets-open"
    assert table.last("note").text == "wagers-reopened"
    table.press("no-more-bets")
    table.spin(stop_on="40")
    assert table.lit() == {"40"}


@pytest.mark.parametrize("before", ["", "done"])
def test_a_spin_that_starts_before_the_round_is_cleared_is_void_and_announced(
    dreamcatcher: Rig, before: str
) -> None:
    """Wherever it ends: before the round is cleared, or after it."""
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(stop_on="5")
    table.press(*("done" for _ in before[:1]))
    table.spin(revolutions=5, stop_on="40", rest=False)
    table.wait(2)
    assert table.last("void").reason == table.last("alert").text == "thrown-before-clear"
    table.press(*("done",) * (1 if before else 2), "clear")
    table.rest()
    assert table.state.value == "bets-open"
    assert [one.reason for record in table.records() for one in record.effects if one.kind == "void"] == [
        "thrown-before-clear"
    ]
    assert table.lit() == set()


def test_a_wheel_that_runs_when_the_next_round_opens_is_not_its_spin(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(stop_on="10")
    table.press("done")
    table.press("done")
    table.spin(revolutions=4, rest=False)
    table.wait(2)
    table.press("clear")
    table.press("no-more-bets")
    assert table.state.value == "bets-open"
    table.rest()
    assert table.state.value == "bets-open"
    assert table.lit() == set()


def push(table: Rig, seconds: float, change_deg_s: float) -> None:
    """A spin on 40 whole sections and more, and a hand that pushes the running wheel."""
    table.press("no-more-bets")
    table.spin(revolutions=4.5, rest=False)
    table.wait(seconds)
    table.world.hands.push(change_deg_s, 0.3)
    table.rest()


@pytest.mark.parametrize("seconds", [3, 5, 8])
def test_a_wheel_pushed_again_is_void_as_touched_and_nothing_is_locked(dreamcatcher: Rig, seconds: int) -> None:
    """§ 689a.2(b), (c): a hand does not make the result. The floor is told."""
    push(dreamcatcher, seconds, 60)
    assert dreamcatcher.state.value == "respin"
    assert dreamcatcher.last("void").reason == "touched"
    assert dreamcatcher.last("void").parameters["hand"] in ("pushed-again", "uneven")
    assert dreamcatcher.last("alert").text == "spin-touched"
    assert dreamcatcher.lit() == set()


def test_a_hand_on_the_wheel_is_only_noted(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.turn(0.4, seconds=2)
    assert table.state.value == "bets-open"
    table.press("no-more-bets")
    table.turn(-0.3, seconds=2)
    assert table.state.value == "no-more-bets"
    with pytest.raises(LookupError):
        table.last("void")


def test_a_wind_up_before_the_throw_is_not_deducted(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    table.turn(-0.4, seconds=1, rest=False)
    table.wait(1)
    table.spin(revolutions=3.05)
    assert table.state.value in ("result", "bonus") or table.last("void").reason == "between-sections"


@pytest.mark.clause("689a.2(b)", "619a.2(b)")
def test_rocking_the_wheel_never_adds_up(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    for turn in (1.2, -1.2) * 4:
        table.turn(turn, seconds=3, rest=False)
        table.wait(3)
    table.rest()
    assert table.state.value == "respin"
    assert table.last("void").reason == "fewer-than-three-revolutions"


@pytest.mark.clause("689a.1(d)", "689a.2(f)", "689a.3(c)")
def test_bonus_spins_multiply_without_limit(dreamcatcher: Rig) -> None:
    """§ 689a.3(c): 2x, then 7x, then 10 pays 140 to 1."""
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(stop_on="2x")
    assert table.state.value == "bonus"
    assert table.lit() == set()
    table.press("no-more-bets")
    assert table.state.value == "bonus"
    table.spin(stop_on="7x", direction=CW)
    assert table.state.value == "bonus"
    assert table.last("bonus").multiplier == 14
    table.spin(stop_on="10")
    assert table.last("result").wins == (Win("10", "140 to 1"),)
    assert table.lit() == {"10"}
    table.press("done", "done", "clear", "no-more-bets")
    table.spin(stop_on="10")
    assert table.last("result").wins == (Win("10", "10 to 1"),)


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


def test_a_lit_result_is_lit_again_after_a_power_cut(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(stop_on="5")
    table.press("done")
    table.power_cut()
    assert table.state.value == "losers-collected"
    assert table.lit() == {"5"}
    table.press("done", "clear")
    assert table.state.value == "locating"
    table.turn(1.2)
    assert table.state.value == "bets-open"


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


@pytest.mark.clause("619a.3")
def test_big_six_pays_the_joker_45_to_1(big_six: Rig) -> None:
    table = big_six
    table.press("no-more-bets")
    table.spin(stop_on="joker")
    assert table.lit() == {"joker"}
    assert table.last("result").wins == (Win("joker", "45 to 1"),)


@pytest.mark.clause("619a.1(c)", "619a.1(g)(2)(i)")
def test_big_six_shows_approved_symbols(shipped: Callable[[str], TableConfig]) -> None:
    config = shipped("big-six")
    layout = config.layout.model_copy(update={"symbols": {"joker": "Pineapple"}})
    table = Rig(config.model_copy(update={"layout": layout}))
    table.turn(1.2)
    table.press("no-more-bets")
    table.spin(stop_on="joker")
    assert table.last("result").label == "Pineapple"
    assert table.lit() == {"joker"}
