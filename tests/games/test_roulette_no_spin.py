"""No spin by key at Roulette: whose it is, how it is taken back, and a ball that is thrown again."""

from collections.abc import Callable

import pytest
from roulette_table import alerts, down, no_spin, opened, plays_on, spin, voids, with_rules

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.event import PanelFault

GAME = "roulette"
Shipped = Callable[[str], TableConfig]


# -- no spin once the ball is down, or against the sensors ---------------------------------------------------------


@pytest.mark.clause("617a.6(a)", "617a.6(b)", "617a.6(c)", "617a.6(d)")
@pytest.mark.parametrize("moment", ["entry", "dispute", "deciding"])
@pytest.mark.parametrize("key", ["1", "2", "3", "4", "7"])
def test_the_dealer_alone_takes_no_number_away(both: Rig, moment: str, key: str) -> None:
    """A number that is due, in dispute or being decided is not void by the dealer's keys."""
    down(both, "17")
    if moment != "entry":
        both.press("1", "8", "enter")
        both.wait(10)
    if moment == "deciding":
        both.press("floor-key")
    assert both.state.value == moment
    both.press("no-spin", key)
    assert voids(both) == []
    both.press("clear")
    assert both.state.value == moment
    both.press("no-spin", key, "floor-key")
    no_spin(both, both.last("void").reason)
    assert len(voids(both)) == 1


def test_a_void_by_the_floorperson_says_what_the_sensors_and_the_reader_said(both: Rig) -> None:
    down(both, "17")
    both.wait(10)
    both.press("no-spin", "4")
    assert "the sensors counted" in both.waiting_for
    both.press("floor-key")
    detail = both.last("void").detail
    assert "called by the floorperson" in detail
    assert "the sensors counted 8 revolutions" in detail or "the sensors counted 9 revolutions" in detail
    assert "the reader had named 17 black" in detail


@pytest.mark.clause("617a.6(a)", "617a.6(b)", "617a.6(c)", "617a.6(d)")
@pytest.mark.parametrize("key", ["3", "4"])
def test_a_reason_that_the_sensors_contradict_needs_the_key_while_the_ball_runs(keypad: Rig, key: str) -> None:
    spin(keypad, rest=False, turns=12)
    keypad.wait(6)
    keypad.press("no-spin", key)
    assert voids(keypad) == []
    assert "the sensors" in keypad.waiting_for
    keypad.press("clear", "no-spin", "2")
    no_spin(keypad, "foreign-object")


def test_few_revolutions_are_not_called_while_the_ball_still_runs(keypad: Rig) -> None:
    """The table counts them: it calls the spin itself once the ball has left the track."""
    spin(keypad, rest=False, turns=12)
    keypad.wait(1.2)
    assert keypad.state.value == "ball-running"
    keypad.press("no-spin", "4")
    assert voids(keypad) == []
    assert "the ball still runs" in keypad.waiting_for


@pytest.mark.parametrize("moment", ["running", "down"])
def test_a_ball_that_the_table_saw_is_not_called_unseen(keypad: Rig, moment: str) -> None:
    spin(keypad, rest=moment == "down")
    keypad.wait(4)
    keypad.press("no-spin", "5")
    assert "the table saw the ball run" in keypad.last("refused").waiting_for
    keypad.press("floor-key")
    assert voids(keypad) == []


def test_a_ball_that_runs_on_after_it_left_the_wheel_is_reported_to_the_floor(keypad: Rig) -> None:
    spin(keypad, rest=False, turns=12)
    keypad.wait(4)
    keypad.press("no-spin", "1")
    assert keypad.state.value == "respin"
    keypad.wait(6)
    reports = [text for text in alerts(keypad) if "it runs on in the track" in text]
    assert len(reports) == 1


# -- a no spin that was a mistake ----------------------------------------------------------------------------------


def test_an_accidental_no_spin_is_taken_back_while_the_ball_runs(keypad: Rig) -> None:
    spin(keypad, into="17", rest=False)
    keypad.wait(4)
    keypad.press("no-more-bets", "no-spin", "clear")
    assert keypad.state.value == "no-more-bets"
    assert keypad.last("note").text == "the no spin was taken back"
    keypad.ball_rest()
    keypad.press("1", "7", "enter")
    assert "straight-17" in keypad.lit()
    assert voids(keypad) == []


@pytest.mark.clause("617a.6(a)", "617a.6(b)", "617a.6(c)", "617a.6(d)")
@pytest.mark.parametrize("source", ["keypad", "reader", "both"])
def test_what_was_seen_and_read_meanwhile_is_not_lost(shipped: Shipped, source: str) -> None:
    """The ball leaves the track, comes to rest and is read while the reason is asked."""
    table = opened(with_rules(shipped(GAME), result=source))
    spin(table, into="17", rest=False)
    table.wait(4)
    table.press("no-more-bets", "no-spin")
    table.ball_rest()
    table.wait(12)
    assert table.state.value == "no-spin"
    assert table.lit() == set()
    table.press("clear")
    if source != "reader":
        assert table.state.value == "entry"
        table.press("1", "7", *["enter"] * (source == "keypad"))
    assert "straight-17" in table.lit()


def test_a_late_call_is_still_due_after_a_no_spin_that_is_taken_back(keypad: Rig) -> None:
    spin(keypad, into="17", rest=False)
    keypad.wait(4)
    keypad.press("no-spin")
    keypad.ball_rest()
    keypad.press("clear")
    assert keypad.state.value == "late-call"


def test_a_reader_that_is_silent_meanwhile_is_in_doubt_then(both: Rig) -> None:
    both.world.fault("reader-silent")
    down(both)
    both.press("no-spin")
    both.wait(40)
    assert both.state.value == "no-spin"
    both.press("clear")
    assert both.state.value == "dispute"
    assert "the reader is silent" in both.waiting_for


@pytest.mark.parametrize(
    ("how", "reason"), [({"with_rotor": True}, "same-direction"), ({"turns": 3.2}, "fewer-than-four-revolutions")]
)
def test_what_the_sensors_call_void_meanwhile_is_void_for_their_reason(
    keypad: Rig, how: dict[str, object], reason: str
) -> None:
    keypad.press("no-spin")
    spin(keypad, **how)  # type: ignore[arg-type]
    no_spin(keypad, reason)
    assert voids(keypad) == [reason]


def test_a_ball_that_is_thrown_while_a_mistaken_no_spin_is_open_counts(keypad: Rig) -> None:
    keypad.press("no-spin")
    spin(keypad, into="7", rest=False)
    keypad.wait(4)
    keypad.press("clear", "no-more-bets")
    keypad.ball_rest()
    keypad.press("7", "enter")
    assert "straight-7" in keypad.lit()


def test_a_power_cut_while_the_reason_is_due(keypad: Rig) -> None:
    """A spin in the track is void; a ball that is down is still asked for."""
    spin(keypad, rest=False)
    keypad.wait(4)
    keypad.press("no-spin")
    keypad.power_cut()
    no_spin(keypad, "power-cut")
    keypad.ball_rest()
    down(keypad)
    keypad.press("no-spin")
    keypad.power_cut()
    keypad.press("clear")
    assert keypad.state.value == "entry"


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
    assert voids(table) == []
    assert table.state.value == "dispute"
    assert "thrown again before its number was known" in table.waiting_for
    assert "thrown again" in table.last("alert").text
    assert ("no more bets was not called" in table.waiting_for) == late
    table.press("1", "7", "enter", "2")
    assert table.state.value == "dispute", "the dealer alone may not"
    table.press("floor-key", "1", "7", "enter")
    assert "straight-17" in table.lit()


def test_the_floorperson_may_void_it_for_the_reason_that_is_so(keypad: Rig) -> None:
    down(keypad)
    keypad.press("no-spin", "6")
    assert "it was not thrown again" in keypad.last("refused").waiting_for
    keypad.press("clear")
    spin(keypad)
    keypad.press("floor-key", "no-spin", "6")
    assert voids(keypad) == []
    keypad.press("floor-key")
    no_spin(keypad, "thrown-again")
    plays_on(keypad, called_before=True)


# -- a panel that failed in the spin -------------------------------------------------------------------------------


def unlit(table: Rig) -> None:
    table.table.take([PanelFault(table.clock.now_ns(), ("red",), ())])


def locked_then_respin(table: Rig) -> None:
    assert table.state.value == "locked"
    assert "no light at red" in table.waiting_for
    table.press("floor-key")
    assert table.state.value == "respin"


@pytest.mark.clause("617a.6(a)", "617a.6(b)", "617a.6(c)", "617a.6(d)")
def test_a_no_spin_by_the_dealer_locks_a_table_whose_panel_failed(keypad: Rig) -> None:
    """Its lamps could not show the number of the next ball."""
    spin(keypad, rest=False, turns=12)
    keypad.wait(4)
    unlit(keypad)
    keypad.press("no-spin", "1")
    assert voids(keypad) == ["ball-left-wheel"]
    locked_then_respin(keypad)
    keypad.wait(20)
    plays_on(keypad, called_before=False)


def test_a_no_spin_that_the_sensors_see_locks_a_table_whose_panel_failed(keypad: Rig) -> None:
    spin(keypad, rest=False, turns=3)
    while keypad.state.value == "bets-open":
        keypad.wait(0.1)
    unlit(keypad)
    keypad.wait(20)
    assert voids(keypad) == ["fewer-than-four-revolutions"]
    locked_then_respin(keypad)


def test_a_no_spin_that_is_taken_back_does_not_hide_a_panel_that_failed_meanwhile(keypad: Rig) -> None:
    keypad.press("no-spin")
    unlit(keypad)
    keypad.press("clear")
    assert keypad.state.value == "locked"
    keypad.press("floor-key")
    assert keypad.state.value == "bets-open"
