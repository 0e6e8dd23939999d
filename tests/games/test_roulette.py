"""Roulette as dealer, players and floorperson see it (ch. 617a): rounds, the call, and the number."""

from typing import Any

import pytest
from effects import alerts, notes, voids
from open_tables import Shipped, opened, with_rules
from roulette_table import (
    called,
    down,
    key,
    no_spin,
    plays_on,
    refused_because,
    running,
    settle,
    spin,
)
from screen_table import screens_of
from steps import act

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.event import BallLeftTrack, Direction, Fault, Health
from controller.events.words import Text
from controller.games.roulette.layout import OUTSIDE as BESIDE
from controller.games.roulette.rules import area_name, void_reason

GAME = "roulette"
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


@pytest.mark.clause("617a.5(a)", "617a.6(b)", "617a.6(c)")
@pytest.mark.parametrize(
    ("turns", "how", "closed", "reason"),
    [
        (3.4, {}, False, "fewer-than-four-revolutions"),
        (3.4, {}, True, "fewer-than-four-revolutions"),
        (14, {"leaves_after": 6}, False, "ball-lost"),
        (9, {}, False, "rotor-not-turning"),
    ],
)
def test_a_run_that_makes_no_spin_keeps_the_wagers(
    keypad: Rig, turns: float, how: dict[str, Any], closed: bool, reason: str
) -> None:
    """A ball that made too few revolutions, or left the wheel, is looked at."""
    keypad.turn_rotor(*[0.0] * (reason == "rotor-not-turning"))
    keypad.throw_ball(turns, rest=False, **how)
    keypad.wait(3.5)
    if closed:
        keypad.press("no-more-bets")
    keypad.ball_rest()
    no_spin(keypad, reason)
    if reason.startswith("fewer"):
        assert keypad.last("void").parameters in ({"revolutions": 2, "needed": 4}, {"revolutions": 3, "needed": 4})
    assert ("check it for damage" in keypad.waiting_for) == (reason != "rotor-not-turning")
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
def test_with_one_beam_the_direction_is_not_checked_and_the_screen_says_so(shipped: Shipped) -> None:
    """The ruling."""
    table = opened(with_one_beam(with_rules(shipped(GAME), result="keypad")))
    assert "only the dealer sees whether it runs against the wheel" in table.waiting_for
    spin(table, with_rotor=True)
    assert table.state.value == "late-call"
    table.press("no-more-bets", "7", "enter", "done", "done", "clear")
    spin(table, turns=3.4)
    no_spin(table, "fewer-than-four-revolutions")


def doubt(table: Rig) -> str:
    """Why the number is disputed, as a code."""
    assert table.state.value == "dispute", table.waiting_for
    assert alerts(table)[-1] == "disputed"
    return str(table.machine.instruction().parameters["doubt"])


def decide(table: Rig, pocket: str) -> None:
    """The floorperson decides."""
    table.floor()
    assert table.state.value == "deciding"
    key(table, pocket)


# -- where the number comes from -----------------------------------------------------------------------------------


@pytest.mark.clause("617a.5(c)")
@pytest.mark.parametrize(
    ("rules", "steps", "code"),
    [
        ({}, "ball 1 8 enter read", "entries-differ"),
        ({}, "reader astray ball 1 7 enter read", "entries-differ"),
        # A digit that may begin another number waits for enter, though the reader errs and says 1.
        ({}, "reader silent ball repair says 1 1 7 enter", "entries-differ"),
        ({}, "reader silent ball 1 7 enter wait 40", "reader-silent"),
        ({"result": "reader"}, "reader silent ball wait 40", "reader-silent"),
        ({}, "reader garbled ball 1 7 enter wait 40", "reader-not-understood"),
        ({}, "reader silent throw no-more-bets repair says 12 rest", "read-too-early"),
        ({}, "reader silent ball repair says 31 says 32", "reader-changed"),
        ({"wheel": "single-zero"}, "reader silent ball repair says 00", "reader-of-another-wheel"),
        ({}, "ball wait 40", "dealer-late"),
        ({}, "ball read 1 wait 35", "dealer-late"),
    ],
)
def test_a_number_in_doubt_counts_once_the_floorperson_has_decided(
    shipped: Shipped, rules: dict[str, object], steps: str, code: str
) -> None:
    table = opened(with_rules(shipped(GAME), **{"result": "both", **rules}))
    screens = screens_of(table)

    def disputed() -> bool:
        return any(alert["text"].startswith("The result is disputed.") for alert in screens.dealer()["alerts"])

    act(table, steps)
    assert doubt(table) == code
    table.press("clear", "enter", "2")
    assert (table.state.value, table.lit(), disputed()) == ("dispute", set(), True)
    decide(table, "5")
    assert "straight-5" in table.lit()
    assert not disputed(), "what is decided is no alert any more"
    note = table.last("note")
    assert (note.text, note.parameters["number"], note.parameters["doubt"]) == ("number-decided", "5", code)


@pytest.mark.parametrize(
    ("wheel", "keys", "kept"),
    [
        ("double-zero", "37", "3"),
        ("double-zero", "361", "36"),
        ("double-zero", "01", "0"),
        ("double-zero", "000", "00"),
        ("single-zero", "00", "0"),
        ("double-zero", "99", "9"),
    ],
)
def test_a_pocket_that_does_not_exist_is_refused(shipped: Shipped, wheel: str, keys: str, kept: str) -> None:
    table = opened(with_rules(shipped(GAME), wheel=wheel, result="keypad"))
    called(table)
    table.press(*keys)
    assert table.machine.data.entry == kept
    assert table.last("refused").parameters["entry"] == kept
    assert table.world.sounder.beeps > 0


# -- 00 of a converted wheel ---------------------------------------------------------------------------------------


@pytest.mark.clause("617a.1(e)(1)", "617a.1(e)(2)", "617a.4(c)(2)")
@pytest.mark.parametrize("source", ["keypad", "reader", "both"])
def test_a_ball_in_00_of_a_converted_wheel_is_no_spin(shipped: Shipped, source: str) -> None:
    table = opened(with_rules(shipped(GAME), wheel="double-zero-as-single", result=source))
    assert "straight-00" not in table.lamps
    called(table, "00")
    if source != "reader":
        key(table, "00")
    table.wait(10)
    no_spin(table, "double-zero")
    called(table, "0")
    if source != "reader":
        key(table, "0")
    table.wait(10)
    assert table.lit() == {"straight-0"}


@pytest.mark.clause("617a.4(c)(2)")
@pytest.mark.parametrize("source", ["keypad", "reader"])
@pytest.mark.parametrize("pocket", ["0", "17"])
@pytest.mark.parametrize("by", ["dealer's key", "floor menu"])
def test_a_00_that_was_keyed_or_misread_is_corrected_until_the_next_spin(
    shipped: Shipped, source: str, pocket: str, by: str
) -> None:
    """Finding 2: the ball is in 0, and the dealer pressed 0 twice; or the reader named 00."""
    table = opened(with_rules(shipped(GAME), wheel="double-zero-as-single", result=source))
    if source == "reader":
        table.world.fault("reader-silent")
    called(table, pocket)
    if source == "reader":
        table.world.repair()
        table.world.reader.say("00")
    else:
        key(table, "00")
    no_spin(table, "double-zero")
    if by == "dealer's key":
        table.press("correct", "floor-key")
    else:
        table.floor("correct")
    key(table, pocket)
    assert f"straight-{pocket}" in table.lit()
    assert table.last("note").parameters == {"before": "00", "number": pocket}
    settle(table)
    called(table, "00")
    if source == "keypad":
        key(table, "00")
    table.wait(10)
    no_spin(table, "double-zero")
    table.floor("correct")
    key(table, "00")
    assert notes(table)[-1] == "number-confirmed"
    no_spin(table, "double-zero")


# -- a ball that is thrown again -----------------------------------------------------------------------------------


@pytest.mark.clause("617a.5(c)")
@pytest.mark.parametrize("source", ["keypad", "reader", "both"])
@pytest.mark.parametrize("late", [False, True])
def test_a_ball_thrown_again_takes_no_number_away(shipped: Shipped, source: str, late: bool) -> None:
    table = opened(with_rules(shipped(GAME), result=source))
    if source == "reader":
        table.world.fault("reader-silent")
    spin(table, into="17", rest=False)
    table.wait(4)
    table.press(*["no-more-bets"] * (not late))
    table.ball_rest()
    spin(table)
    assert doubt(table) == "thrown-again"
    assert table.machine.instruction().parameters.get("uncalled", 0) == late
    table.press("1", "7", "enter", "2")
    assert table.state.value == "dispute", "the dealer alone may not"
    decide(table, "17")
    assert "straight-17" in table.lit()


# -- a ball that is thrown before one is due -----------------------------------------------------------------------


@pytest.mark.clause("617a.5(a)", "617a.5(e)")
@pytest.mark.parametrize("done", [0, 1, 2])
def test_a_ball_before_clear_is_no_spin_of_the_next_round_and_is_reported_at_once(keypad: Rig, done: int) -> None:
    """§ 617a.5: the wagers of the next round are placed once this one is cleared."""
    down(keypad, "17")
    keypad.press("1", "7", "enter", *["done"] * done)
    lit, beeps = keypad.lit(), keypad.world.sounder.beeps
    spin(keypad, into="8", rest=False)
    keypad.wait(4)
    assert keypad.last("void").reason == alerts(keypad)[-1] == "thrown-before-clear"
    assert keypad.world.sounder.beeps > beeps
    assert keypad.lit() == lit
    keypad.press("no-more-bets")
    assert refused_because(keypad) == "thrown-before-clear"
    keypad.press(*["done"] * (2 - done), "clear")
    assert keypad.state.value == "bets-open"
    assert "Take the ball out" in keypad.waiting_for
    keypad.press("no-spin", "5")
    assert keypad.state.value == "bets-open", "the table saw it: the sensors are not blamed"
    keypad.press("clear")
    keypad.ball_rest()
    plays_on(keypad, called_before=False)
