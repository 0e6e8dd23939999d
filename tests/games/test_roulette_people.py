"""Roulette in the hands of people who slip or cheat: balls thrown too early, the menu, who was late, exits."""

from collections.abc import Callable

import pytest
from roulette_table import down, no_spin, opened, plays_on, spin, voids, with_rules
from screen_table import arrive

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.viewmodel.history import TableHistory

GAME = "roulette"
Shipped = Callable[[str], TableConfig]


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
    assert voids(keypad) == ["thrown-before-clear"]
    assert keypad.world.sounder.beeps > beeps
    assert "thrown before the last round was cleared" in keypad.last("alert").text
    assert keypad.lit() == lit
    keypad.press("no-more-bets")
    assert "before the last round was cleared" in keypad.last("refused").waiting_for
    keypad.press(*["done"] * (2 - done), "clear")
    assert keypad.state.value == "bets-open"
    assert "Take the ball out" in keypad.waiting_for
    keypad.press("no-more-bets")
    assert "before the last round was cleared" in keypad.last("refused").waiting_for
    keypad.press("no-spin", "5")
    assert "the table saw it" in keypad.last("refused").waiting_for, "the sensors are not blamed"
    keypad.press("clear")
    keypad.ball_rest()
    plays_on(keypad, called_before=False)


@pytest.mark.clause("617a.5(a)", "617a.5(e)")
@pytest.mark.parametrize("state", ["bets-open", "respin"])
def test_a_ball_at_the_menu_is_no_spin_and_is_reported_at_once(keypad: Rig, state: str) -> None:
    if state == "respin":
        spin(keypad, turns=3.2)
    keypad.press("floor-key")
    spin(keypad)
    assert keypad.last("void").reason == "thrown-at-menu"
    keypad.press("clear")
    assert keypad.state.value == state
    assert "floorperson's menu was open" in keypad.waiting_for
    plays_on(keypad, called_before=False)


@pytest.mark.clause("617a.5(a)", "617a.5(e)")
def test_a_ball_at_a_locked_table_is_no_spin_and_is_reported_at_once(keypad: Rig) -> None:
    keypad.world.fault("burning-lamp", "red")
    keypad.wait(3)
    assert keypad.state.value == "locked"
    spin(keypad)
    assert keypad.last("void").reason == "thrown-while-locked"
    keypad.world.repair()
    keypad.press("floor-key")
    assert "while the table was locked" in keypad.waiting_for
    plays_on(keypad, called_before=False)


# -- the floorperson's menu ----------------------------------------------------------------------------------------


def after_a_no_spin(table: Rig) -> Rig:
    spin(table, turns=3.2)
    assert table.state.value == "respin"
    table.press("floor-key")
    assert table.state.value == "floor-menu"
    return table


@pytest.mark.clause("617a.2(f)")
def test_after_a_no_spin_the_menu_closes_the_table(keypad: Rig) -> None:
    table = after_a_no_spin(keypad)
    table.press("5")
    assert table.state.value == "closed"
    assert table.last("wagers-returned").reason == "table-closed"
    assert "cover the wheel and lock the cover" in table.waiting_for


def test_after_a_no_spin_the_menu_logs_work(keypad: Rig) -> None:
    table = after_a_no_spin(keypad)
    table.press("2", "2", "1")
    assert table.state.value == "work-credential"
    assert table.last("wagers-returned").reason == "table-closed"


def test_after_a_no_spin_the_menu_leads_to_an_inspection(keypad: Rig) -> None:
    table = after_a_no_spin(keypad)
    table.press("1")
    assert table.state.value == "inspector"
    assert table.last("wagers-returned").reason == "table-closed"
    table.press("clear")
    assert table.state.value == "closed"


def test_after_a_no_spin_the_menu_returns_the_wagers(keypad: Rig) -> None:
    table = after_a_no_spin(keypad)
    table.press("4")
    assert table.last("wagers-returned").reason == "no-spin"
    assert table.state.value == "bets-open"
    assert table.machine.round == 2


@pytest.mark.parametrize("leaves", ["clear", "power"])
def test_after_a_no_spin_the_menu_leaves_everything_as_it_was(keypad: Rig, leaves: str) -> None:
    table = after_a_no_spin(keypad)
    if leaves == "clear":
        table.press("clear")
    else:
        table.power_cut()
    no_spin(table, "fewer-than-four-revolutions")
    plays_on(table, called_before=False)


def test_a_fault_at_the_menu_after_a_no_spin_gives_the_wagers_back(keypad: Rig) -> None:
    table = after_a_no_spin(keypad)
    table.world.fault("burning-lamp", "red")
    table.wait(3)
    assert table.state.value == "closed"
    assert table.last("wagers-returned").reason == "table-closed"


# -- who was late, and what is decided -----------------------------------------------------------------------------


@pytest.mark.clause("617a.5(c)")
def test_a_dispute_over_a_late_dealer_does_not_blame_the_reader(both: Rig) -> None:
    down(both, "17")
    both.wait(40)
    assert both.state.value == "dispute"
    assert "the dealer entered nothing in 30 s; the reader named 17 black" in both.waiting_for
    assert "silent" not in both.waiting_for


def test_a_late_call_does_not_blame_the_reader_that_spoke(both: Rig) -> None:
    spin(both, into="17")
    both.wait(40)
    assert both.state.value == "late-call"
    both.press("no-more-bets")
    assert both.state.value == "entry"
    both.press("1", "7")
    assert "straight-17" in both.lit()


def test_a_reader_that_speaks_after_its_time_is_late_and_not_silent(both: Rig) -> None:
    both.world.fault("reader-silent")
    spin(both, into="17")
    both.wait(40)
    both.world.repair()
    both.world.reader.say("17")
    both.press("no-more-bets")
    assert both.state.value == "dispute"
    assert "the reader was late: it named 17 only now" in both.waiting_for


@pytest.mark.parametrize("decision", ["number", "no-spin"])
def test_a_decided_dispute_is_no_longer_an_active_alert(both: Rig, decision: str) -> None:
    history = TableHistory(both.config, both.clock)
    both.table.listeners.append(history)
    down(both, "17")
    both.press("1", "8", "enter")
    both.wait(10)
    assert ["disputed" in alert["text"] for alert in history.alerts()] == [True]
    both.press("floor-key")
    assert history.alerts(), "it is not decided yet"
    both.press(*("17" if decision == "number" else ("no-spin", "2")))
    both.press("enter" if decision == "number" else "floor-key")
    assert history.alerts() == []


# -- exits, and presses --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["reader", "both"])
@pytest.mark.parametrize("pocket", ["0", "00", "1", "7", "17", "36"])
@pytest.mark.parametrize("read_first", [False, True])
def test_a_round_with_a_reader_takes_five_presses_at_most(
    shipped: Shipped, source: str, pocket: str, read_first: bool
) -> None:
    """docs/presses.md."""
    table = opened(with_rules(shipped(GAME), result=source))
    spin(table, into=pocket, rest=False)
    table.wait(4)
    before = presses(table)
    table.press("no-more-bets")
    table.ball_rest()
    table.wait(10 * read_first)
    if source == "both":
        table.press(*pocket)
        if pocket in ("0", "1"):
            table.press("enter")  # 00 and 10 begin so, too.
    table.wait(10)
    assert f"straight-{pocket}" in table.lit(), table.waiting_for
    table.press("done", "clear")
    assert table.state.value == "bets-open"
    assert presses(table) - before == {"reader": 3, "both": 4 if pocket == "7" else 5}[source]


def presses(table: Rig) -> int:
    return sum(record.event.kind == "press" for record in table.records())


def test_a_digit_that_may_begin_another_number_waits_for_enter(both: Rig) -> None:
    """The reader errs and says 1: the dealer, who is about to key 17, does not agree with it by the first digit."""
    both.world.fault("reader-silent")
    down(both, "17")
    both.world.repair()
    both.world.reader.say("1")
    both.press("1")
    assert both.state.value == "entry"
    both.press("7")
    assert both.state.value == "entry", "a slip can still be cleared"
    both.press("enter")
    assert both.state.value == "dispute"


def at(config: TableConfig, state: str) -> Rig:
    """A table in a state."""
    if state in ("ball-running", "no-more-bets"):
        table = opened(config)
        spin(table, turns=12, rest=False)
        table.wait(3)
        table.press(*["no-more-bets"] * (state == "no-more-bets"))
        return table
    arrived = arrive(config, state).rig
    assert arrived is not None
    return arrived
