"""Roulette as dealer, players and floorperson see it (ch. 617a, and the rulings)."""

import re
from collections.abc import Callable

import pytest
from roulette_table import called, no_spin, opened, plays_on, settle, spin, with_rules
from screen_table import screens_of

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.event import BallLeftTrack, Direction, Fault, Health
from controller.games.roulette.layout import is_outside
from controller.games.roulette.play import void_reason
from controller.games.roulette.results import area_name

GAME = "roulette"
Shipped = Callable[[str], TableConfig]
# Written by hand for a few pockets of a double zero wheel: what is lit beside the number (§ 617a.3(e)(7) to (14)).
OUTSIDE = {
    "0": set(),
    "00": set(),
    "1": {"column-1", "dozen-1", "red", "odd", "1-18"},
    "17": {"column-2", "dozen-2", "black", "odd", "1-18"},
    "18": {"column-3", "dozen-2", "red", "even", "1-18"},
    "19": {"column-1", "dozen-2", "red", "odd", "19-36"},
    "36": {"column-3", "dozen-3", "red", "even", "19-36"},
}


def with_one_beam(config: TableConfig) -> TableConfig:
    assert config.devices.rotor is not None
    pins = config.devices.rotor.pins.model_copy(update={"ball_2": None})
    rotor = config.devices.rotor.model_copy(update={"pins": pins})
    return config.model_copy(update={"devices": config.devices.model_copy(update={"rotor": rotor})})


# -- a round -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("617a.5(c)", "617a.5(e)")
@pytest.mark.parametrize("pocket", OUTSIDE)
def test_a_whole_round(keypad: Rig, pocket: str) -> None:
    """§ 617a.5: no more bets while the ball runs, the number, the losers, the winners."""
    table = keypad
    assert "throw the ball against it" in table.waiting_for
    spin(table, into=pocket, rest=False)
    table.wait(4)
    assert table.state.value == "ball-running"
    table.press("no-more-bets")
    assert table.state.value == "no-more-bets"
    table.ball_rest()
    assert table.state.value == "entry"
    table.press(*pocket, "enter")
    assert table.lit() == {f"straight-{pocket}", *OUTSIDE[pocket]}
    assert "place the point marker" in table.waiting_for
    table.press("done")
    assert f"among the numbers {pocket} (35 to 1)" in table.waiting_for
    table.press("done", "clear")
    assert table.state.value == "bets-open"
    assert table.lit() == set()
    assert table.machine.round == 2


@pytest.mark.clause("617a.3(e)", "617a.3(e)(1)")
def test_the_dealers_list_names_the_winning_inside_wagers_with_their_odds(keypad: Rig) -> None:
    called(keypad, "17")
    keypad.press("1", "7", "enter")
    paying = settle(keypad)
    wins = keypad.last("result").wins
    inside = [f"{area_name(win.area)} ({win.pays})" for win in wins if not is_outside(win.area)]
    assert len(inside) == 12
    assert ", ".join(inside) in paying
    assert "column" not in paying


@pytest.mark.clause("617a.1(e)(2)", "617a.3(e)", "617a.4(b)", "617a.4(c)(3)")
def test_every_pocket_of_every_wheel_is_lit_as_it_wins(shipped: Shipped) -> None:
    """The panel against the numbers, by arithmetic of its own."""
    for wheel, zeros in (("single-zero", ["0"]), ("double-zero", ["0", "00"]), ("double-zero-as-single", ["0"])):
        table = opened(with_rules(shipped(GAME), wheel=wheel, result="keypad"))
        for pocket in [*zeros, *map(str, range(1, 37))]:
            called(table, pocket)
            table.press(*pocket, "enter")
            expected = {f"straight-{pocket}"}
            if pocket not in zeros:
                number = int(pocket)
                expected |= {f"column-{(number - 1) % 3 + 1}", f"dozen-{(number - 1) // 12 + 1}"}
                expected |= {"odd" if number % 2 else "even", "1-18" if number <= 18 else "19-36"}
                # Red on every wheel: odd numbers of the first and third ten, even ones of the second and fourth.
                red = number % 2 == (1 if number <= 10 or 19 <= number <= 28 else 0)
                expected |= {"red" if red else "black"}
            assert table.lit() == expected
            settle(table)


@pytest.mark.clause("617a.3(e)(1)", "617a.5(d)")
def test_the_five_adjacent_wager_is_moved_by_wheel_order(shipped: Shipped) -> None:
    """§ 617a.3(e)(1), § 617a.5(d): 17 lies between 32 20 and 5 22 on a double zero wheel."""
    table = opened(with_rules(shipped(GAME), result="keypad", five_adjacent="true"))
    called(table, "17")
    table.press("1", "7", "enter")
    assert "move a fifth of each five number wager on 20, 32, 17, 5, 22 to 17" in table.waiting_for


@pytest.mark.clause("617a.3(e)(1)")
def test_a_table_without_the_five_number_wager_does_not_mention_it(keypad: Rig) -> None:
    called(keypad, "17")
    keypad.press("1", "7", "enter")
    assert "five number" not in keypad.waiting_for


# -- no more bets --------------------------------------------------------------------------------------------------


@pytest.mark.clause("617a.5(b)")
def test_no_more_bets_is_refused_before_the_ball_runs(keypad: Rig) -> None:
    keypad.press("no-more-bets")
    assert keypad.last("refused").control == "no-more-bets"
    assert keypad.state.value == "bets-open"


@pytest.mark.clause("617a.5(b)")
def test_a_late_call_is_recorded_and_not_void(keypad: Rig) -> None:
    """§ 617a.5(b), by the ruling."""
    spin(keypad, into="5")
    assert keypad.state.value == "late-call"
    keypad.press("5")
    assert keypad.last("refused").control == "5"
    keypad.press("no-more-bets")
    assert keypad.state.value == "entry"
    assert re.search(r"no more bets was called late: \d+\.\d{3} s", keypad.last("alert").text)
    keypad.press("5", "enter")
    assert "straight-5" in keypad.lit()


@pytest.mark.parametrize(("later_ms", "words"), [(40_000, "40.000 s"), (42_345, "42.345 s"), (40_999, "40.999 s")])
def test_the_record_says_how_late_a_call_was(keypad: Rig, later_ms: int, words: str) -> None:
    """From the ball's last pass on, however long the table has run."""
    keypad.wait(3600)
    spin(keypad, into="5")
    left = keypad.machine.data.left_ns
    keypad.wait((left + later_ms * 1_000_000 - keypad.clock.now_ns()) / 1e9)
    keypad.press("no-more-bets")
    assert f"was called late: {words} after the ball last passed a beam" in keypad.last("alert").text


# -- no spin -------------------------------------------------------------------------------------------------------


def test_players_read_why_there_is_no_spin_but_nothing_of_sensors(keypad: Rig) -> None:
    """§ 617a.6(b): a reason of the game is given in words, a fault of the table's is not."""
    screens = screens_of(keypad)
    spin(keypad, turns=3.4)
    board = screens.checked_board()
    assert (board["state"], board["detail"]) == ("respin", "the ball made fewer than four revolutions; wagers stay")
    spin(keypad, turns=9, rest=False)
    keypad.wait(3)
    keypad.world.fault("noise", "ball_1", 50)
    keypad.wait(5)
    keypad.world.repair()
    keypad.ball_rest()
    board = screens.checked_board()
    assert keypad.last("void").reason == "sensor-fault"
    assert not any(word in board["headline"] + board["detail"] for word in ("sensor", "beam", "noise"))


@pytest.mark.clause("617a.6(b)")
@pytest.mark.parametrize("closed", [False, True])
def test_fewer_than_four_revolutions_are_no_spin(keypad: Rig, closed: bool) -> None:
    spin(keypad, turns=3.4, rest=False)
    keypad.wait(3.5)
    if closed:
        keypad.press("no-more-bets")
    keypad.ball_rest()
    no_spin(keypad, "fewer-than-four-revolutions")
    assert keypad.last("void").detail in ("2 of 4 revolutions", "3 of 4 revolutions")
    assert "damaged" in keypad.waiting_for
    plays_on(keypad, closed)


@pytest.mark.clause("617a.6(b)", "617a.6(c)")
def test_a_new_ball_is_recorded_by_the_floorperson(keypad: Rig) -> None:
    spin(keypad, turns=3.4)
    keypad.press("floor-key")
    assert keypad.state.value == "floor-menu", "turning the key alone records nothing"
    keypad.press("clear", "floor-key", "3")
    notes = [effect.text for record in keypad.records() for effect in record.effects if effect.kind == "note"]
    assert notes.count("the floorperson gave a new ball (§ 617a.6)") == 1
    assert keypad.state.value == "respin"


@pytest.mark.clause("617a.6(a)")
def test_a_ball_in_the_direction_of_the_wheel_is_no_spin_before_it_drops(keypad: Rig) -> None:
    beeps = keypad.world.sounder.beeps
    spin(keypad, with_rotor=True, rest=False)
    keypad.wait(3)
    no_spin(keypad, "same-direction")
    assert keypad.world.sounder.beeps == beeps + 1, "it is sounded before the ball drops"
    keypad.ball_rest()
    no_spin(keypad, "same-direction")
    plays_on(keypad, called_before=False)


@pytest.mark.parametrize("direction", list(Direction))
def test_the_wheel_may_turn_either_way(keypad: Rig, direction: Direction) -> None:
    keypad.turn_rotor(direction=direction)
    keypad.throw_ball(8)
    assert keypad.state.value == "late-call"


@pytest.mark.clause("617a.5(a)", "617a.6(b)")
@pytest.mark.parametrize("revolutions", range(7))
@pytest.mark.parametrize("rotor", [None, *Direction])
@pytest.mark.parametrize("ball", [None, *Direction])
@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("fault", [None, Fault("ball_1", Health.NOISY, "x")])
def test_a_run_is_a_spin_only_without_any_reason_for_no_spin(
    revolutions: int, rotor: Direction | None, ball: Direction | None, early: bool, fault: Fault | None
) -> None:
    """§ 617a.5(a), § 617a.6(a) to (c): every combination, read by hand."""
    left = BallLeftTrack(2, 1, revolutions, ball, rotor, fault, early)
    opposite = {ball, rotor} == set(Direction)
    assert (void_reason(left, True) == "") == (not fault and not early and opposite and revolutions >= 4)
    assert (void_reason(left, False) == "") == (not fault and not early and revolutions >= 4)


@pytest.mark.clause("617a.5(a)")
def test_a_wheel_at_rest_makes_no_spin(keypad: Rig) -> None:
    keypad.turn_rotor(0.0)
    keypad.throw_ball(9)
    no_spin(keypad, "rotor-not-turning")
    plays_on(keypad, called_before=False)


@pytest.mark.clause("617a.6(c)")
def test_a_ball_that_leaves_the_wheel_while_it_is_fast(keypad: Rig) -> None:
    """§ 617a.6(c), seen by the sensors."""
    spin(keypad, turns=14, leaves_after=6)
    no_spin(keypad, "ball-lost")
    plays_on(keypad, called_before=False)


REASONS = {
    "1": "ball-left-wheel",
    "2": "foreign-object",
    "3": "same-direction",
    "4": "fewer-than-four-revolutions",
    "7": "called-off",
}


@pytest.mark.clause("617a.6(a)", "617a.6(b)", "617a.6(c)", "617a.6(d)")
@pytest.mark.parametrize("key", REASONS)
@pytest.mark.parametrize("moment", ["running", "closed", "late", "entry"])
def test_no_spin_by_key(keypad: Rig, key: str, moment: str) -> None:
    """§ 617a.6: the dealer calls off a ball in the track; what is down, or seen otherwise, needs the key."""
    spin(keypad, rest=False)
    keypad.wait(6)
    if moment in ("closed", "entry"):
        keypad.press("no-more-bets")
    if moment in ("late", "entry"):
        keypad.ball_rest()
    keypad.press("no-spin")
    assert keypad.waiting_for == "why is there no spin? Choose, or clear to take it back"
    keypad.press("8")
    assert keypad.last("refused").control == "8"
    keypad.press(key)
    if moment in ("late", "entry") or key in "347":
        assert keypad.state.value == "no-spin", "the dealer alone may not"
        assert "the floorperson's key calls no spin" in keypad.waiting_for
        keypad.press("floor-key")
        assert "called by the floorperson" in keypad.last("void").detail
    no_spin(keypad, REASONS[key])
    keypad.world.rotor.take_ball()
    keypad.wait(5)
    plays_on(keypad, called_before=moment in ("closed", "entry"))


def test_a_ball_that_the_table_does_not_see_locks_it(keypad: Rig) -> None:
    keypad.world.fault("stuck-low", "ball_1")
    keypad.world.fault("stuck-low", "ball_2")
    spin(keypad)
    assert keypad.state.value == "bets-open"
    assert "no spin if the table does not see it" in keypad.waiting_for
    keypad.press("no-spin", "5")
    assert keypad.state.value == "locked"
    keypad.world.repair()
    keypad.press("floor-key")
    no_spin(keypad, "ball-not-seen")
    plays_on(keypad, called_before=False)


@pytest.mark.clause("617a.1(e)(1)", "617a.1(e)(2)", "617a.4(c)(2)")
def test_a_ball_in_00_of_a_converted_wheel_is_no_spin(shipped: Shipped) -> None:
    for source in ("keypad", "reader", "both"):
        table = opened(with_rules(shipped(GAME), wheel="double-zero-as-single", result=source))
        assert "straight-00" not in table.lamps
        called(table, "00")
        if source != "reader":
            table.press("0", "0", "enter")
        table.wait(10)
        no_spin(table, "double-zero")
        called(table, "0")
        if source != "reader":
            table.press("0", "enter")
        table.wait(10)
        assert table.lit() == {"straight-0"}


def test_a_ball_that_is_thrown_before_the_round_is_closed_counts_for_nothing(keypad: Rig) -> None:
    called(keypad, "7")
    keypad.press("7", "enter", "done")
    lit = keypad.lit()
    spin(keypad, into="8")
    assert keypad.lit() == lit
    keypad.press("done", "clear")
    assert keypad.state.value == "bets-open"


@pytest.mark.clause("617a.5(a)")
def test_with_one_beam_the_direction_is_not_checked_and_the_screen_says_so(shipped: Shipped) -> None:
    """The ruling."""
    table = opened(with_one_beam(with_rules(shipped(GAME), result="keypad")))
    assert "nobody but the dealer sees whether it runs against the wheel" in table.waiting_for
    spin(table, with_rotor=True)
    assert table.state.value == "late-call"
    table.press("no-more-bets", "7", "enter", "done", "done", "clear")
    spin(table, turns=3.4)
    no_spin(table, "fewer-than-four-revolutions")
