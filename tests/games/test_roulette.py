"""A round of Roulette as dealer, players and floorperson see it (ch. 617a, and the rulings)."""

from collections.abc import Callable
from typing import Any

import pytest
from roulette_table import (
    alerts,
    called,
    effects,
    key,
    no_spin,
    notes,
    opened,
    plays_on,
    running,
    spin,
    voids,
    with_rules,
)
from screen_table import screens_of

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import Void
from controller.events.event import BallLeftTrack, Direction, Fault, Health
from controller.events.words import Text
from controller.games.roulette.layout import OUTSIDE as BESIDE
from controller.games.roulette.rules import area_name, void_reason

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


@pytest.mark.clause("617a.3(e)", "617a.4(c)(3)", "617a.5(c)", "617a.5(e)")
@pytest.mark.parametrize("pocket", OUTSIDE)
def test_a_whole_round(keypad: Rig, pocket: str) -> None:
    """§ 617a.5: no more bets while the ball runs, the number, the losers, the winners; no key leads past a step."""
    running(keypad, pocket)
    keypad.press("no-more-bets")
    assert keypad.state.value == "no-more-bets"
    keypad.ball_rest()
    key(keypad, pocket)
    lit = {f"straight-{pocket}", *OUTSIDE[pocket]}
    assert keypad.lit() == lit
    said = keypad.waiting_for
    places = [said.find(words) for words in (f"Announce {pocket} ", "point marker", "Collect")]
    assert -1 not in places
    assert places == sorted(places)
    assert "pay" not in said.lower()
    for control in ("clear", "enter", "no-more-bets"):
        keypad.press(control)
        assert keypad.last("refused").control == control
    assert keypad.state.value == "result"
    keypad.press("done")
    assert (keypad.state.value, keypad.lit()) == ("losers-collected", lit)
    assert "Pay all lit areas and the wagers listed." in keypad.waiting_for
    keypad.press("done")
    assert (keypad.state.value, keypad.lit()) == ("winners-paid", lit)
    keypad.press("clear")
    assert (keypad.state.value, keypad.lit(), keypad.machine.round) == ("bets-open", set(), 2)


@pytest.mark.clause("617a.3(e)", "617a.3(e)(1)")
def test_the_dealers_list_names_the_winning_inside_wagers_with_their_odds(keypad: Rig) -> None:
    called(keypad, "17")
    key(keypad, "17")
    keypad.press("done")
    wins = keypad.last("result").wins
    inside = [f"{area_name(win.area)} ({win.pays})" for win in wins if win.area not in BESIDE]
    assert len(inside) == 12
    assert [f"{one['label']} ({one['pays']})" for one in screens_of(keypad).board()["wins"]][:12] == inside


@pytest.mark.clause("617a.3(e)(1)", "617a.5(c)", "617a.5(d)")
@pytest.mark.parametrize(("pocket", "centres"), [("17", "20,32,17,5,22"), ("00", "13,1,00,27,10")])
def test_the_five_adjacent_wager_is_moved_by_wheel_order(shipped: Shipped, pocket: str, centres: str) -> None:
    """§ 617a.5(d): 17 is between 32 20 and 5 22 on a double zero wheel, 00 between 13 1 and 27 10."""
    table = opened(with_rules(shipped(GAME), result="keypad", five_adjacent="true"))
    called(table, pocket)
    key(table, pocket)
    assert table.machine.instruction().parameters["fifths"] == centres
    words = table.waiting_for
    assert (
        words.find("marker") < words.find(f"five-number wager on {centres.replace(',', ', ')}") < words.find("Coll")
    )


# -- no more bets --------------------------------------------------------------------------------------------------


@pytest.mark.clause("617a.5(b)")
def test_no_more_bets_is_refused_before_the_ball_runs(keypad: Rig) -> None:
    keypad.press("no-more-bets")
    assert keypad.last("refused").control == "no-more-bets"
    assert keypad.state.value == "bets-open"


@pytest.mark.clause("617a.5(b)")
def test_no_number_counts_before_no_more_bets_was_called(shipped: Shipped) -> None:
    """§ 617a.5(b): though the reader names it."""
    table = opened(with_rules(shipped(GAME), result="reader"))
    spin(table, into="31")
    table.wait(20)
    assert table.state.value == "late-call"
    assert table.lit() == set()
    table.press("no-more-bets")
    assert "straight-31" in table.lit()


@pytest.mark.clause("617a.5(b)")
@pytest.mark.parametrize("later_ms", [8_000, 12_345, 15_999])
def test_a_late_call_is_recorded_and_not_void(keypad: Rig, later_ms: int) -> None:
    """§ 617a.5(b), by the ruling: from the ball's last pass on, however long the table has run."""
    keypad.wait(3600)
    spin(keypad, into="5")
    assert keypad.state.value == "late-call"
    keypad.press("5")
    assert keypad.last("refused").control == "5"
    left = keypad.machine.data.left_ns
    keypad.wait((left + later_ms * 1_000_000 - keypad.clock.now_ns()) / 1e9)
    keypad.press("no-more-bets")
    alert = keypad.last("alert")
    assert (alert.text, alert.parameters) == ("called-late", {"late_ms": later_ms})
    key(keypad, "5")
    assert "straight-5" in keypad.lit()


@pytest.mark.clause("617a.5(b)")
@pytest.mark.parametrize("limit", [5, 20])
@pytest.mark.parametrize("turns", [9, 25])
def test_a_ball_that_runs_too_long_without_a_call_raises_an_alert(
    shipped: Shipped, limit: int, turns: float
) -> None:
    """Finding 16: the alert, in the track or after it; none after the call."""
    table = opened(with_rules(shipped(GAME), result="keypad", call_alert_s=limit))
    spin(table, turns, rest=False)
    while table.state.value == "bets-open":
        table.wait(0.1)
    table.wait(limit - 1)
    assert "call-missing" not in alerts(table)
    table.wait(2)
    assert alerts(table)[-1] == "call-missing"
    table.press("no-more-bets")
    table.ball_rest()
    table.wait(60)
    assert alerts(table).count("call-missing") == 1
    running_in_time = opened(with_rules(shipped(GAME), result="keypad", call_alert_s=limit))
    running(running_in_time, seconds=3)
    running_in_time.press("no-more-bets")
    running_in_time.wait(60)
    assert "call-missing" not in alerts(running_in_time)


@pytest.mark.clause("617a.5(b)")
@pytest.mark.parametrize("ends", ["void while it runs", "void when it is down", "thrown again", "power cut"])
def test_a_missing_call_is_recorded_with_the_round_however_it_ends(shipped: Shipped, ends: str) -> None:
    """Finding 16: the floorperson makes the spin void, or decides its number."""
    keypad = opened(with_rules(shipped(GAME), result="keypad", call_alert_s=5))
    running(keypad, turns=20, seconds=8)
    keypad.wait(0.1)
    assert keypad.machine.data.uncalled
    if ends == "power cut":
        keypad.power_cut()
    elif ends == "void while it runs":
        keypad.floor("void", "called-off")
    else:
        keypad.ball_rest()
        if ends == "thrown again":
            spin(keypad)
            keypad.floor()
            key(keypad, "17")
            assert "straight-17" in keypad.lit()
        else:
            keypad.floor("void", "called-off")
    assert notes(keypad).count("not-called") == 1
    assert keypad.machine.round == 1


# -- no spin, by the sensors ---------------------------------------------------------------------------------------


@pytest.mark.clause("617a.5(a)", "617a.6(b)")
@pytest.mark.parametrize("revolutions", range(7))
@pytest.mark.parametrize("rotor", [None, *Direction])
@pytest.mark.parametrize("ball", [None, *Direction])
@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("fault", [None, Fault("ball_1", Health.NOISY, Text("no-balls-pulses"))])
def test_a_run_is_a_spin_only_without_any_reason_for_no_spin(
    revolutions: int, rotor: Direction | None, ball: Direction | None, early: bool, fault: Fault | None
) -> None:
    """§ 617a.5(a), § 617a.6(a) to (c): every combination, read by hand."""
    left = BallLeftTrack(2, 1, revolutions, ball, rotor, fault, early)
    opposite = {ball, rotor} == set(Direction)
    assert (void_reason(left, True) == "") == (not fault and not early and opposite and revolutions >= 4)
    assert (void_reason(left, False) == "") == (not fault and not early and revolutions >= 4)


@pytest.mark.clause("617a.6(b)")
@pytest.mark.parametrize("closed", [False, True])
def test_fewer_than_four_revolutions_are_no_spin_and_the_ball_is_looked_at(keypad: Rig, closed: bool) -> None:
    spin(keypad, turns=3.4, rest=False)
    keypad.wait(3.5)
    if closed:
        keypad.press("no-more-bets")
    keypad.ball_rest()
    no_spin(keypad, "fewer-than-four-revolutions")
    assert keypad.last("void").parameters in ({"revolutions": 2, "needed": 4}, {"revolutions": 3, "needed": 4})
    assert "check it for damage" in keypad.waiting_for
    plays_on(keypad, closed)


@pytest.mark.clause("617a.6(a)")
def test_a_ball_in_the_direction_of_the_wheel_is_no_spin_before_it_drops(keypad: Rig) -> None:
    """It is sounded at once, and the screen asks for the ball while it still runs."""
    beeps = keypad.world.sounder.beeps
    spin(keypad, turns=12, with_rotor=True, rest=False)
    keypad.wait(3)
    no_spin(keypad, "same-direction")
    assert keypad.world.sounder.beeps == beeps + 1
    assert keypad.world.rotor.at_rest_ns > keypad.clock.now_ns()
    assert "Take the ball out. Wagers stay." in keypad.waiting_for
    keypad.ball_rest()
    assert voids(keypad) == ["same-direction"]
    plays_on(keypad, called_before=False)


@pytest.mark.clause("617a.5(a)")
def test_a_wheel_at_rest_makes_no_spin(keypad: Rig) -> None:
    keypad.turn_rotor(0.0)
    keypad.throw_ball(9)
    no_spin(keypad, "rotor-not-turning")
    plays_on(keypad, called_before=False)


@pytest.mark.clause("617a.6(c)")
def test_a_ball_that_leaves_the_wheel_while_it_is_fast(keypad: Rig) -> None:
    spin(keypad, turns=14, leaves_after=6)
    no_spin(keypad, "ball-lost")
    assert "check it for damage" in keypad.waiting_for
    plays_on(keypad, called_before=False)


@pytest.mark.clause("617a.6(b)", "617a.6(c)")
def test_a_new_ball_is_recorded_by_the_floorperson(keypad: Rig) -> None:
    spin(keypad, turns=3.4)
    keypad.press("floor-key", "clear")
    assert "done-new-ball" not in alerts(keypad), "turning the key alone records nothing"
    keypad.floor("new-ball")
    assert alerts(keypad)[-1] == "done-new-ball"
    assert keypad.state.value == "respin"


@pytest.mark.clause("617a.5(a)")
def test_with_one_beam_the_direction_is_not_checked_and_the_screen_says_so(shipped: Shipped) -> None:
    """The ruling."""
    table = opened(with_one_beam(with_rules(shipped(GAME), result="keypad")))
    assert "only the dealer sees whether it runs against the wheel" in table.waiting_for
    spin(table, with_rotor=True)
    assert table.state.value == "late-call"
    table.press("no-more-bets", "7", "enter", "done", "done", "clear")
    spin(table, turns=3.4)
    no_spin(table, "fewer-than-four-revolutions")


def test_players_read_why_there_is_no_spin_but_nothing_of_sensors(keypad: Rig) -> None:
    """§ 617a.6(b): a reason of the game is given in words, a fault of the table's is not."""
    screens = screens_of(keypad)
    spin(keypad, turns=3.4)
    board = screens.checked_board()
    assert (board["state"], board["detail"]) == ("respin", "The ball made fewer than four revolutions; wagers stay")
    spin(keypad, turns=9, rest=False)
    keypad.wait(3)
    keypad.world.fault("noise", "ball_1", 50)
    keypad.wait(5)
    keypad.world.repair()
    keypad.ball_rest()
    board = screens.checked_board()
    assert [void.reason for void in effects(keypad, Void)][-1] == "sensor-fault"
    assert not any(word in board["headline"] + board["detail"] for word in ("sensor", "beam", "noise"))


def test_nothing_on_the_board_names_a_pocket_before_the_result_is_on_record(keypad: Rig) -> None:
    screens, seen = screens_of(keypad), list[Any]()
    screens.checks.append(seen.append)
    keypad.throw_ball(8.0, rest=False)
    keypad.press("no-more-bets")
    keypad.wait(60.0)
    assert {(board["figure"]["pocket"], board["result"]) for board in seen} == {("", "")}
