"""No spin by people at Roulette (§ 617a.6): whose it is, what is on record of it, and how it is taken back."""

from collections.abc import Callable

import pytest
from roulette_table import (
    alerts,
    down,
    guarded,
    inspected,
    key,
    no_spin,
    notes,
    opened,
    plays_on,
    running,
    settle,
    spin,
    voids,
    with_rules,
)
from screen_table import screens_of
from staff import FLOOR

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.event import PanelFault
from controller.games.roulette.rules import NO_SPINS
from controller.journal.summaries import round_summaries
from controller.machine.offers import Authority

GAME = "roulette"
Shipped = Callable[[str], TableConfig]
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


@pytest.mark.parametrize("how", ["called again", "read", "reason of the floorperson"])
def test_it_is_not_the_dealers_any_more(both: Rig, how: str) -> None:
    """Once a number is known, or for a call that comes when the ball is down."""
    running(both)
    both.press("no-more-bets", "no-spin")
    both.ball_rest()
    reason = "called-off" if how == "reason of the floorperson" else "foreign-object"
    if how == "called again":
        both.press("clear", "no-spin")
    elif how == "read":
        both.wait(10)
    both.press(digit(reason))
    assert (both.state.value, voids(both)) == ("entry", [])
    both.press("floor-key")
    no_spin(both, reason)


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


def test_the_call_is_heard_while_the_floorperson_identifies(shipped: Shipped) -> None:
    """§ 617a.6: no-spin and no-more-bets reach the round while a prompt is open."""
    table = guarded(with_rules(shipped(GAME), result="keypad"))
    inspected(table, FLOOR)
    table.wait(200)
    running(table)
    table.press("floor-key", "1", "no-spin", "no-more-bets")
    assert notes(table)[-1] == "called"
    assert table.machine.data.called_off
    assert table.state.value == "no-more-bets"


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
    if keypad.state.value != "respin":
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


def test_a_ball_that_came_down_though_it_was_called_out_of_the_wheel_is_reported(keypad: Rig) -> None:
    running(keypad)
    keypad.press("no-spin", "1")
    keypad.ball_rest()
    assert alerts(keypad)[-1] == "void-denied"


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


def test_a_result_that_was_made_void_by_mistake_is_given_back(lit: Rig) -> None:
    burning = lit.lit()
    lit.press("done")
    lit.floor("void", "called-off")
    lit.floor("reverse")
    key(lit, "17")
    assert (lit.state.value, lit.lit()) == ("result", burning)
    assert notes(lit)[-1] == "number-confirmed"
    settle(lit)
    assert lit.state.value == "bets-open"


@pytest.mark.clause("617a.6(a)", "617a.6(b)", "617a.6(c)", "617a.6(d)")
def test_a_round_whose_result_was_made_void_has_no_result_in_the_lists(lit: Rig) -> None:
    lit.press("done")
    lit.floor("void", "ball-left-wheel")
    lit.floor("end-round")
    assert lit.state.value == "bets-open"
    assert lit.last("wagers-returned").reason == "round-ended"
    line = next(line for line in round_summaries(lit.journal, None, 2, "all")["rounds"] if line["round"] == 1)
    assert (line["outcome"], line["label"], line["wins"]) == ("void", "", [])
    assert line["voids"] == ["ball-left-wheel"]


# -- a panel that failed in the spin -------------------------------------------------------------------------------


def locked_then_respin(table: Rig) -> None:
    assert table.state.value == "locked"
    assert table.machine.causes[0].code in ("lamps-dark", "lamps-lit")
    table.world.repair()
    table.floor()
    assert table.state.value == "respin"


@pytest.mark.clause("617a.6(a)", "617a.6(b)", "617a.6(c)", "617a.6(d)")
@pytest.mark.parametrize("by", ["the dealer", "the sensors", "the floorperson, after the result"])
def test_a_no_spin_locks_a_table_whose_panel_failed(keypad: Rig, by: str) -> None:
    """Its lamps could not show the number of the next ball."""
    if by == "the sensors":
        spin(keypad, turns=3, rest=False)
        while keypad.state.value == "bets-open":
            keypad.wait(0.1)
    elif by == "the dealer":
        running(keypad)
    else:
        down(keypad)
        key(keypad, "17")
    before = keypad.state
    keypad.table.take([PanelFault(keypad.clock.now_ns(), ("red",), ())])
    assert keypad.state is before
    if by == "the sensors":
        keypad.ball_rest()
    elif by == "the dealer":
        keypad.press("no-spin", "1")
    else:
        keypad.floor("void", "ball-left-wheel")
    assert len(voids(keypad)) == 1
    locked_then_respin(keypad)
    keypad.wait(20)
    plays_on(keypad, called_before=by.startswith("the floor"))
