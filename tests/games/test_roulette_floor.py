"""Roulette: no spin by people (§ 617a.6), the inspection and its log (§ 617a.2), faults and power cuts."""

import json
import re
from contextlib import closing
from pathlib import Path

import pytest
from effects import alerts, notes, voids
from open_tables import Shipped, opened, with_rules
from roulette_table import (
    called,
    choose,
    confirm_the_rest,
    down,
    guarded,
    inspected,
    key,
    logged,
    no_spin,
    plays_on,
    refused_because,
    running,
    spin,
    up_to_the_trial_spin,
)
from screen_table import screens_of
from staff import FLOOR, MAINTENANCE, SECURITY

from controller import errors as exits
from controller.bench.rig import Rig
from controller.commands.cli import main
from controller.commands.output import in_local_time
from controller.games.roulette.rules import NO_SPINS, STEPS
from controller.machine.offers import Authority

GAME = "roulette"
SETTLED = ("", "losers-collected", "winners-paid")


@pytest.fixture
def lit(keypad: Rig) -> Rig:
    """17 is lit."""
    down(keypad, "17")
    key(keypad, "17")
    assert "straight-17" in keypad.lit()
    return keypad


def digit(reason: str) -> str:
    return str(NO_SPINS.index(reason) + 1)


def dealers(table: Rig) -> set[str]:
    """The reasons that the dealer alone may give now."""
    offers = table.machine.calls("no-spin")
    return {one.argument for one in offers if one.authority is Authority.DEALER and not one.unavailable}


# -- whose it is ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("617a.6(a)", "617a.6(b)", "617a.6(c)", "617a.6(d)")
@pytest.mark.parametrize("reason", ["ball-left-wheel", "foreign-object"])
@pytest.mark.parametrize("closed", [False, True])
def test_the_dealer_calls_off_a_ball_in_the_track(keypad: Rig, reason: str, closed: bool) -> None:
    running(keypad)
    keypad.press(*["no-more-bets"] * closed, "no-spin")
    assert voids(keypad) == []
    keypad.press(digit(reason))
    no_spin(keypad, reason)
    assert "by" not in keypad.last("void").parameters
    assert "Take the ball out" in keypad.waiting_for
    assert ("check it for damage" in keypad.waiting_for) == (reason == "ball-left-wheel")
    keypad.world.rotor.take_ball()
    keypad.wait(5)
    plays_on(keypad, called_before=closed)


@pytest.mark.clause("617a.6(a)", "617a.6(b)", "617a.6(c)", "617a.6(d)")
@pytest.mark.parametrize("state", ["ball-running", "late-call", "entry", "dispute", "deciding"])
@pytest.mark.parametrize("reason", [*NO_SPINS[:4], "called-off"])
def test_what_the_dealer_alone_may_not_call_needs_the_key(both: Rig, state: str, reason: str) -> None:
    """A number that is due, disputed or being decided, and what the sensors deny: they saw eight revolutions."""
    if state == "ball-running":
        running(both, seconds=6)
    elif state == "late-call":
        spin(both, into="17")
    else:
        down(both, "17")
        if state != "entry":
            key(both, "18")
            both.wait(10)
        if state == "deciding":
            both.floor()
    assert both.state.value == state
    mine = {"ball-left-wheel", "foreign-object"} if state == "ball-running" else set()
    assert dealers(both) == mine
    if reason in mine:
        return
    both.press("no-spin", digit(reason))
    assert voids(both) == []
    both.press("clear", "no-spin", digit(reason))
    assert (both.state.value, voids(both)) == (state, [])
    both.press("floor-key")
    no_spin(both, reason)
    assert len(voids(both)) == 1
    denied = {"same-direction": "ran-against-the-wheel", "fewer-than-four-revolutions": "revolutions-counted"}
    assert both.last("void").parameters.get("denied") == denied.get(reason)


@pytest.mark.parametrize("moment", ["running", "down"])
def test_a_ball_that_the_table_saw_is_not_called_unseen(keypad: Rig, moment: str) -> None:
    spin(keypad, rest=moment == "down")
    keypad.wait(4)
    keypad.press("no-spin", digit("ball-not-seen"), "floor-key", "clear")
    assert voids(keypad) == []


def test_a_ball_that_the_table_does_not_see_locks_it(keypad: Rig) -> None:
    keypad.world.fault("stuck-low", "ball_1")
    keypad.world.fault("stuck-low", "ball_2")
    spin(keypad)
    assert keypad.state.value == "bets-open"
    assert "NO SPIN" in keypad.waiting_for
    keypad.press("no-spin", digit("ball-not-seen"))
    assert keypad.state.value == "locked"
    keypad.world.repair()
    keypad.floor()
    no_spin(keypad, "ball-not-seen")
    plays_on(keypad, called_before=False)


# -- the call, and the reason that is given later ------------------------------------------------------------------


@pytest.mark.clause("617a.6(a)", "617a.6(b)", "617a.6(c)", "617a.6(d)")
@pytest.mark.parametrize("closed", [False, True])
def test_a_call_while_the_ball_ran_is_the_dealers_though_its_reason_comes_later(keypad: Rig, closed: bool) -> None:
    """The ball comes down between the call and the digit."""
    running(keypad)
    keypad.press(*["no-more-bets"] * closed, "no-spin")
    keypad.ball_rest()
    assert keypad.state.value == ("entry" if closed else "late-call")
    keypad.press(digit("foreign-object"))
    no_spin(keypad, "foreign-object")


@pytest.mark.parametrize("moment", ["running", "down", "lit"])
def test_a_call_that_was_a_mistake_takes_nothing(keypad: Rig, moment: str) -> None:
    """What is seen meanwhile is not lost."""
    if moment == "running":
        running(keypad)
        keypad.press("no-more-bets", "no-spin")
        keypad.ball_rest()
    else:
        down(keypad)
        keypad.press(*["1", "7", "enter"] * (moment == "lit"), "no-spin")
    assert notes(keypad)[-1] == "called"
    keypad.press("clear")
    if moment != "lit":
        key(keypad, "17")
    assert "straight-17" in keypad.lit()
    assert voids(keypad) == []


# -- taken back by the floorperson ---------------------------------------------------------------------------------


def reversible(table: Rig) -> str:
    """Whether the void can be taken back: ``now``, the code of why not yet, or empty."""
    offer = next((one for one in table.machine.offers() if one.act == "reverse"), None)
    return "" if offer is None else offer.unavailable.code or "now"


@pytest.mark.clause("617a.6(a)", "617a.6(b)", "617a.6(c)", "617a.6(d)")
@pytest.mark.parametrize("source", ["keypad", "reader", "both"])
@pytest.mark.parametrize("state", ["no-more-bets", "entry", "dispute", "deciding"])
def test_a_void_that_was_a_mistake_is_taken_back_until_the_next_throw(
    shipped: Shipped, source: str, state: str
) -> None:
    """The floorperson, who sees the ball, has its number keyed once it is down."""
    table = opened(with_rules(shipped(GAME), result=source))
    if state == "no-more-bets":
        running(table, "17")
        table.press("no-more-bets", "no-spin", "2")
        no_spin(table, "foreign-object")
        assert reversible(table) == "ball-still-runs"
        table.ball_rest()
    else:
        table.world.fault("reader-silent")
        down(table, "17")
        if state != "entry":
            spin(table)
        if state == "deciding":
            table.floor()
        assert table.state.value == state
        table.floor("void", "called-off")
    assert reversible(table) == "now"
    table.floor("reverse")
    assert (table.state.value, alerts(table)[-1]) == ("deciding", "done-reverse")
    key(table, "17")
    assert "straight-17" in table.lit()
    assert table.machine.round == 1


@pytest.mark.parametrize(
    "why",
    ["few revolutions", "with the wheel", "power cut", "thrown again", "not thrown", "not called", "locked throw"],
)
def test_what_was_no_valid_spin_is_not_taken_back(keypad: Rig, why: str) -> None:
    """Nor is one before the call: wagers may have been placed after its ball came down."""
    turns, with_rotor = (
        (3, why == "with the wheel") if why in ("few revolutions", "with the wheel") else (12, False)
    )
    if why != "not thrown":
        spin(keypad, turns=turns, with_rotor=with_rotor, rest=False)
        while keypad.state.value == "bets-open":
            keypad.wait(0.1)
    if why not in ("not thrown", "not called", "with the wheel"):
        keypad.press("no-more-bets")
    if keypad.state.value != "respin" and why != "power cut":
        keypad.press("no-spin", "2")
    if why == "power cut":
        keypad.power_cut()
    keypad.ball_rest()
    if why == "thrown again":
        spin(keypad, turns=3)
    if why == "locked throw":
        assert reversible(keypad) == "now"
        keypad.world.fault("burning-lamp", "red")
        keypad.wait(3)
        spin(keypad)
        keypad.world.repair()
        keypad.floor()
    assert keypad.state.value == "respin"
    assert reversible(keypad) == ""


# -- after the result ----------------------------------------------------------------------------------------------


@pytest.mark.clause("617a.6(a)", "617a.6(b)", "617a.6(c)", "617a.6(d)")
@pytest.mark.parametrize("done", [0, 1, 2])
@pytest.mark.parametrize("by", ["the dealer's call", "the floor menu"])
def test_a_ball_that_left_the_wheel_is_no_spin_though_its_number_is_lit(lit: Rig, done: int, by: str) -> None:
    """§ 617a.6(c): it shows only now. What had been lit and paid is on record."""
    screens = screens_of(lit)
    lit.press(*["done"] * done)
    burning = lit.lit()
    if by == "the floor menu":
        lit.floor("void", "ball-left-wheel")
    else:
        lit.press("no-spin", "1")
        assert (lit.lit(), voids(lit)) == (burning, []), "the result stands until the key is turned"
        lit.press("floor-key")
    no_spin(lit, "ball-left-wheel")
    found = {"result": "17", "keyed": "17", **({"settled": SETTLED[done]} if done else {})}
    assert found.items() <= lit.last("void").parameters.items()
    assert alerts(lit)[-2:] == ["result-void", "done-void"]
    assert screens.board()["history"] == []
    screens.same_as_recalled()
    plays_on(lit, called_before=True)
    assert [line["label"] for line in screens.board()["history"]] == ["7"]


def step(table: Rig) -> str:
    """The step of the inspection that is to be confirmed, as a code."""
    assert table.state.value == "inspecting", table.waiting_for
    return str(table.machine.instruction().parameters["step"])


# -- the inspection ------------------------------------------------------------------------------------------------


@pytest.mark.clause("617a.2(a)", "617a.2(a)(3)", "617a.2(e)")
def test_the_table_does_not_open_without_the_inspection(shipped: Shipped) -> None:
    """§ 617a.2(a)(1) to (4), step by step; wheel and sensors must have been seen to work."""
    table = Rig(shipped(GAME))
    spin(table)
    table.press("no-more-bets")
    assert table.state.value == "closed"
    table.floor("inspect")
    for code in STEPS[:2]:
        assert step(table) == code
        table.floor("confirm")
    assert step(table) == "trial-spin"
    for turns, rotor in ((0.0, 0.4), (3.2, 0.4), (9, 0.0), (9, 0.4)):
        with pytest.raises(LookupError):
            table.floor("confirm")
        table.press("clear")
        table.turn_rotor(rotor)
        if turns:
            table.throw_ball(turns)
    assert notes(table)[-1] == "trial-seen"
    found = table.machine.instruction().parameters
    assert {found["rotor"], found["ball"]} == {"clockwise", "counterclockwise"}
    table.floor("confirm")
    assert step(table) == "parts-secure"
    table.floor("confirm")
    assert table.state.value == "bets-open"
    (entry,) = logged(table)
    assert (entry.table, entry.work, entry.inspected, entry.credential) == ("roulette", (), True, "")
    assert entry.utc_ns > 1_700_000_000 * 10**9
    assert entry.signature == "floor-key"


@pytest.mark.clause("617a.1(e)(1)", "617a.1(e)(2)", "617a.2(a)(5)")
def test_a_converted_wheel_has_a_step_for_layout_and_signs(shipped: Shipped) -> None:
    table = Rig(with_rules(shipped(GAME), wheel="double-zero-as-single"))
    up_to_the_trial_spin(table)
    spin(table)
    table.floor("confirm")
    table.floor("confirm")
    assert step(table) == "double-zero-covered"
    for words in ("The 00 area is covered.", "no wager and no spin", "0 loses outside wagers"):
        assert words in table.waiting_for
    table.floor("confirm")
    assert table.state.value == "bets-open"


@pytest.mark.clause("617a.2(f)")
@pytest.mark.parametrize("state", ["bets-open", "respin"])
def test_a_closed_table_asks_for_the_locked_cover_and_returns_the_wagers(keypad: Rig, state: str) -> None:
    if state == "respin":
        spin(keypad, turns=3.2)
    assert "ock the cover" not in keypad.waiting_for
    keypad.floor("close")
    assert keypad.state.value == "closed"
    assert keypad.last("wagers-returned").reason == "table-closed"
    assert "Lock the cover on the wheel" in keypad.waiting_for
    up_to_the_trial_spin(keypad)
    spin(keypad)
    confirm_the_rest(keypad)
    assert keypad.machine.round == 2


@pytest.mark.clause("617a.2(a)")
def test_another_person_does_not_go_on_with_an_inspection(shipped: Shipped) -> None:
    table = guarded(shipped(GAME))
    choose(table, SECURITY, "floor-key")
    table.floor("confirm")
    assert step(table) == STEPS[1]
    table.wait(200)
    choose(table, FLOOR, "floor-key")
    assert refused_because(table) == "inspection-of-another"
    assert step(table) == STEPS[1]
    table.wait(200)
    choose(table, SECURITY, "floor-key")
    spin(table)
    confirm_the_rest(table)
    assert (logged(table)[-1].inspected, logged(table)[-1].credential) == (True, SECURITY)


def test_crossed_wires_do_not_pass_the_trial_spin_until_they_are_put_right(shipped: Shipped) -> None:
    """The table learned how the lines are while they were crossed, and learns anew in the next inspection."""
    table = Rig(shipped(GAME))
    table.world.fault("swapped")
    table.power_cut()
    up_to_the_trial_spin(table)
    for _ in range(2):
        spin(table)
    alert = table.last("alert")
    assert (alert.text, alert.parameters["reason"]) == ("trial-failed", "same-direction")
    assert alert.parameters["rotor"] == alert.parameters["ball"]
    table.floor("refuse")
    table.world.repair()
    up_to_the_trial_spin(table)
    for _ in range(2):
        spin(table)
    confirm_the_rest(table)


# -- the log of adjustments and replacements -----------------------------------------------------------------------


@pytest.mark.clause("617a.2(b)", "617a.2(c)", "617a.2(d)", "617a.2(e)")
@pytest.mark.parametrize(
    "work",
    ["replacement-of-the-pocket-separators", "adjustment-of-the-level-of-the-wheel", "replacement-of-another-part"],
)
def test_work_is_logged_and_asks_for_a_new_inspection(keypad: Rig, work: str) -> None:
    """A table that asks nobody cannot tell worker and witness apart."""
    keypad.floor("close")
    keypad.floor(f"log-{work.partition('-')[0]}", work)
    assert keypad.state.value == "work-witness"
    keypad.press("8", "1", "5", "enter")
    assert keypad.last("refused").control == "enter", "no number is keyed freely"
    keypad.floor("witness")
    entry = logged(keypad)[-1]
    assert (entry.work, entry.inspected, entry.credential, entry.witness) == ((work,), False, "", "")
    assert keypad.state.value == "closed"
    assert "open" not in {offer.act for offer in keypad.machine.offers()}
    up_to_the_trial_spin(keypad)
    spin(keypad)
    confirm_the_rest(keypad)
    assert (logged(keypad)[-1].work, logged(keypad)[-1].inspected) == ((), True)


@pytest.mark.clause("617a.2(b)", "617a.2(e)")
def test_who_did_it_and_who_was_present_are_two_persons_who_identified(shipped: Shipped) -> None:
    """The key alone is enough for the same floorperson for two minutes: not where the person matters."""
    table = guarded(shipped(GAME))
    choose(table, MAINTENANCE, "2", "1", "floor-key")
    assert table.machine.instruction().parameters["worker"] == MAINTENANCE
    table.press("floor-key")
    assert table.table.desk.in_use
    table.press("clear")
    choose(table, MAINTENANCE, "floor-key")
    assert refused_because(table) == "witness-is-worker"
    table.press("floor-key", *"9999", "enter", *"99999999", "enter")
    assert logged(table) == []
    table.wait(20)
    choose(table, SECURITY, "floor-key")
    (entry,) = logged(table)
    assert (entry.work, entry.credential, entry.witness) == (("replacement-of-the-ball",), MAINTENANCE, SECURITY)
    table.press("floor-key")
    assert table.prompt.text.code == "key-floorperson-number", "nor for the next entry"


@pytest.mark.clause("617a.2(e)")
def test_the_inspection_log_is_printed_with_every_field(
    shipped: Shipped, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "journal"
    table = guarded(with_rules(shipped(GAME), result="keypad"), file)
    with closing(table.journal):
        choose(table, SECURITY, "floor-key")
        table.floor("refuse")
        inspected(table, FLOOR)
        table.floor("close")
        choose(table, MAINTENANCE, "1", "3", "floor-key")
        choose(table, SECURITY, "floor-key")
        table.table.stop()
    assert main(["journal", "inspections", str(file), "--json"]) == exits.OK
    refused, passed, adjusted = json.loads(capsys.readouterr().out)
    assert (refused["credential"], refused["description"]) == (SECURITY, "-")
    assert refused["inspection"] == "refused: ball not magnetic"
    assert passed == {
        "date": "2026-01-01",
        "time": passed["time"],
        "table": "roulette",
        "adjustment or replacement": "none",
        "description": "-",
        "inspection": "completed",
        "signature": "floor-key",
        "credential": FLOOR,
        "security": "-",
    }
    assert re.fullmatch(r"00:0\d:\d\dZ", passed["time"])
    assert adjusted["adjustment or replacement"] == "adjustment"
    assert adjusted["description"] == "adjustment of the ball track"
    assert adjusted["inspection"] == "required, not made"
    assert (adjusted["credential"], adjusted["security"]) == (MAINTENANCE, SECURITY)
    assert main(["journal", "inspections", str(file)]) == exits.OK
    output = capsys.readouterr().out
    day, time, _zone = in_local_time(f"{adjusted['date']}T{adjusted['time']}").split()
    for name, value in {**adjusted, "date": day, "time": time}.items():
        assert value in output, name


# -- faults and power cuts -----------------------------------------------------------------------------------------


def test_a_power_cut_while_the_ball_runs_voids_the_spin(keypad: Rig) -> None:
    running(keypad)
    keypad.power_cut()
    no_spin(keypad, "power-cut")
    keypad.ball_rest()
    plays_on(keypad, called_before=False)


def test_a_power_cut_after_the_ball_left_the_track_loses_nothing(shipped: Shipped, tmp_path: Path) -> None:
    table = opened(shipped(GAME), tmp_path / "journal")
    called(table, "12")
    table.press("1")
    table.power_cut(20)
    assert table.state.value == "entry"
    assert table.machine.data.entry == "1"
    table.press("2", "enter")
    assert table.lit() == set()
    table.wait(31)  # The reader sent a number while the power was off.
    assert table.state.value == "dispute"
    table.floor()
    key(table, "12")
    lit = table.lit()
    assert "straight-12" in lit
    table.power_cut()
    assert (table.state.value, table.lit()) == ("result", lit)
    table.journal.close()
