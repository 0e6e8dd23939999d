"""Clauses of the regulation on Roulette (ch. 617a) that no other test shows, each as its text has it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from limits_table import with_limits
from roulette_table import called, opened, spin, with_rules
from screen_table import screens_of

from config.problems import ConfigError
from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path
from controller.games.roulette.game import GAME
from controller.games.roulette.layout import WheelType, five_adjacent

Shipped = Callable[[str], TableConfig]
SINGLE = (
    "0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20 14 31 9 22 18 29 7 28 12 35 3 26".split()
)
"""§ 617a.1(c)."""
DOUBLE = (
    "0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1 00 "
    "27 10 25 29 12 8 19 31 18 6 21 33 16 4 23 35 14 2".split()
)
"""§ 617a.1(d)."""
ON_LAYOUT = {
    WheelType.SINGLE_ZERO: SINGLE,
    WheelType.DOUBLE_ZERO: DOUBLE,
    WheelType.DOUBLE_ZERO_AS_SINGLE: [pocket for pocket in DOUBLE if pocket != "00"],
}


# -- the table's file ----------------------------------------------------------------------------------------------


def problems(tmp_path: Path, *changes: tuple[str, str]) -> str:
    """What is wrong with the shipped file after these replacements; empty if nothing is."""
    text = table_path("roulette").read_text(encoding="utf-8")
    for pattern, new in changes:
        text, found = re.subn(pattern, new, text, count=1)
        assert found, pattern
    file = tmp_path / "table.yaml"
    file.write_text(text, encoding="utf-8")
    try:
        load_table(file)
    except ConfigError as error:
        return str(error)
    return ""


@pytest.mark.clause("617a.1(a)")
@pytest.mark.parametrize(
    ("ball_mm", "fits"),
    [
        *(("5", False), ("19.049", False), ("19.05", True)),
        *(("22.225", True), ("22.226", False), ("24.9", False)),
    ],
)
def test_the_ball_measures_12_to_14_sixteenths_of_an_inch(tmp_path: Path, ball_mm: str, fits: bool) -> None:
    """§ 617a.1(a); an inch is 25.4 mm."""
    found = problems(tmp_path, ("# ball_mm: 20", f"ball_mm: {ball_mm}"))
    assert (found == "") == fits
    assert fits or "rotor.ball_mm" in found


@pytest.mark.clause("617a.1(e)(1)")
def test_00_of_a_converted_wheel_takes_no_wager(tmp_path: Path) -> None:
    """§ 617a.1(e)(1): no straight wager, and none with other numbers; it has neither lamp nor odds."""
    converted = ("wheel: double-zero", "wheel: double-zero-as-single")
    assert "no area 'straight-00' in this game" in problems(tmp_path, converted)
    covered = (converted, ("\n      straight-00: .*", ""))
    assert problems(tmp_path, *covered) == ""
    odds = ("\nrules:", "\nlayout:\n  odds: {straight-00: 36 to 1}\nrules:")
    assert "no wager 'straight-00' in this game" in problems(tmp_path, *covered, odds)
    assert GAME.layout is not None
    areas = [wager.area for wager in GAME.layout({"wheel": "double-zero-as-single"})]
    assert "straight-0" in areas
    assert not [area for area in areas if "00" in area.split("-") or area == "first-five"]


@pytest.mark.clause("617a.1(f)(3)")
def test_the_least_and_the_highest_wager_are_on_the_players_board(shipped: Shipped) -> None:
    """§ 617a.1(f)(3); a file without limits says that another sign has them, and the board shows none."""
    limits = screens_of(Rig(with_limits(shipped("roulette"), minimum=10, maximum=2_000))).checked_board()["limits"]
    assert (limits["minimum"], limits["maximum"], limits["currency"]) == ("10", "2000", "$")
    assert shipped("roulette").limits.posted == "elsewhere"
    assert screens_of(Rig(shipped("roulette"))).checked_board()["limits"] is None


# -- the Five Adjacent Number Wager --------------------------------------------------------------------------------


@pytest.mark.clause("617a.3(e)(1)")
@pytest.mark.parametrize("wheel", WheelType, ids=lambda wheel: wheel.value)
def test_five_adjacent_numbers_are_neighbours_on_the_wheel(wheel: WheelType) -> None:
    """§ 617a.3(e)(1)(i) to (iii): each pocket wins for the centres at most two pockets from it."""
    order = ON_LAYOUT[wheel]
    for place, pocket in enumerate(order):
        near = {order[(place + apart) % len(order)] for apart in range(-2, 3)}
        assert set(five_adjacent(wheel, pocket)) == near


@pytest.mark.clause("617a.3(e)(1)")
def test_five_adjacent_numbers_are_wagered_on_only_where_they_are_offered(shipped: Shipped) -> None:
    for offered in ("true", "false"):
        rules = {"wheel": "double-zero", "result": "keypad", "five_adjacent": offered}
        wagers = {item.wager for item in GAME.returns(GAME.payouts(shipped("roulette")), rules)}
        assert ("five-adjacent" in wagers) == (offered == "true")


# -- the settlement ------------------------------------------------------------------------------------------------


@pytest.mark.clause("617a.5(c)", "617a.5(d)")
def test_the_number_is_announced_and_marked_then_fifths_are_moved_then_losers_collected(shipped: Shipped) -> None:
    """§ 617a.5(c) to (e): in this order; 00 lies between 13 1 and 27 10."""
    table = opened(with_rules(shipped("roulette"), result="keypad", five_adjacent="true"))
    called(table, "00")
    table.press("0", "0", "enter")
    steps = (
        "announce it",
        "place the point marker",
        "move a fifth of each five number wager on 13, 1, 00, 27, 10 to 00",
        "collect all losing wagers",
    )
    places = [table.waiting_for.find(words) for words in steps]
    assert -1 not in places
    assert places == sorted(places)


@pytest.mark.clause("617a.5(e)")
def test_winners_are_paid_only_after_losers_were_collected(keypad: Rig) -> None:
    """§ 617a.5(e): no key leads past it, and the lamps burn until both are done."""
    called(keypad, "17")
    keypad.press("1", "7", "enter")
    lit = keypad.lit()
    assert {"straight-17", "black"} <= lit
    assert "collect all losing wagers" in keypad.waiting_for
    assert "pay" not in keypad.waiting_for
    for control in ("clear", "enter", "no-more-bets"):
        keypad.press(control)
        assert keypad.last("refused").control == control
        assert keypad.state.value == "result"
    keypad.press("done")
    assert "pay the lit areas" in keypad.waiting_for
    assert "collect" not in keypad.waiting_for
    assert keypad.lit() == lit
    keypad.press("done")
    assert keypad.lit() == lit
    keypad.press("clear")
    assert keypad.lit() == set()


# -- the inspection ------------------------------------------------------------------------------------------------


@pytest.mark.clause("617a.2(a)(3)")
def test_a_wheel_that_stands_does_not_pass_the_trial_spin(shipped: Shipped) -> None:
    """§ 617a.2(a)(3): it rotates freely; a ball that runs is not enough."""
    table = Rig(shipped("roulette"))
    table.press("floor-key", "1", "floor-key", "floor-key", "floor-key")
    table.turn_rotor(0.0)
    table.throw_ball(9)
    table.press("floor-key")
    assert "step 3 of 4" in table.waiting_for
    spin(table)
    table.press("floor-key")
    assert "step 4 of 4" in table.waiting_for


@pytest.mark.clause("617a.2(f)")
def test_a_closed_table_asks_for_the_locked_cover(keypad: Rig) -> None:
    assert "lock the cover" not in keypad.waiting_for
    keypad.press("floor-key", "5")
    assert keypad.state.value == "closed"
    assert "cover the wheel and lock the cover" in keypad.waiting_for


# -- no more bets, and no spin -------------------------------------------------------------------------------------


@pytest.mark.clause("617a.5(b)")
def test_no_number_counts_before_no_more_bets_was_called(shipped: Shipped) -> None:
    """§ 617a.5(b): though the reader names it."""
    table = opened(with_rules(shipped("roulette"), result="reader"))
    spin(table, into="31")
    table.wait(20)
    assert table.state.value == "late-call"
    assert "call no more bets at once" in table.waiting_for
    assert table.lit() == set()
    table.press("no-more-bets")
    assert "straight-31" in table.lit()


@pytest.mark.clause("617a.6(b)", "617a.6(c)")
@pytest.mark.parametrize("why", ["too few", "gone", "keyed"])
def test_a_ball_that_may_be_damaged_is_looked_at(keypad: Rig, why: str) -> None:
    """§ 617a.6(b), (c): after too few revolutions, and after it left the wheel."""
    if why == "too few":
        spin(keypad, turns=3.4)
    elif why == "gone":
        spin(keypad, turns=14, leaves_after=6)
    else:
        spin(keypad, rest=False)
        keypad.wait(3)
        keypad.press("no-spin", "1")
    assert keypad.state.value == "respin"
    assert keypad.waiting_for.startswith("no spin")
    assert "Take the ball out and look whether it is damaged" in keypad.waiting_for


@pytest.mark.clause("617a.6(a)", "617a.6(d)")
@pytest.mark.parametrize("why", ["with the wheel", "foreign object"])
def test_the_ball_is_taken_out_before_it_drops(keypad: Rig, why: str) -> None:
    """§ 617a.6(a), (d): the prompt asks for it at once, while the ball still runs."""
    spin(keypad, turns=12, with_rotor=why == "with the wheel", rest=False)
    keypad.wait(3)
    if why == "foreign object":
        keypad.press("no-spin", "2")
    assert keypad.world.rotor.at_rest_ns > keypad.clock.now_ns()
    assert keypad.waiting_for.startswith("no spin")
    assert "Take the ball out; wagers stay" in keypad.waiting_for
