"""Where a roulette table gets its number: reader, keypad, both; how it is disputed, and how it is corrected."""

from collections.abc import Callable

import pytest
from roulette_table import (
    alerts,
    called,
    down,
    effects,
    key,
    no_spin,
    notes,
    opened,
    plays_on,
    refused_because,
    settle,
    spin,
    with_rules,
)

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import Note, Result, ResultWithdrawn

GAME = "roulette"
Shipped = Callable[[str], TableConfig]


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
def test_reader_and_keypad_must_agree(both: Rig) -> None:
    """The entry may be cleared until the reader names a number."""
    called(both, "20")
    both.press("2", "1", "enter", "clear", "2", "0", "enter")
    assert both.lit() == set()
    both.wait(10)
    assert "straight-20" in both.lit()


@pytest.mark.clause("617a.5(c)")
@pytest.mark.parametrize("decided", ["20", "21", "5"])
def test_where_they_do_not_agree_the_floorperson_decides(both: Rig, decided: str) -> None:
    called(both, "20")
    key(both, "21")
    both.wait(10)
    assert doubt(both) == "entries-differ"
    both.press("clear", "enter", "2")
    assert both.state.value == "dispute"
    assert both.lit() == set()
    decide(both, decided)
    assert f"straight-{decided}" in both.lit()
    note = both.last("note")
    assert (note.text, note.parameters["number"], note.parameters["doubt"]) == (
        "number-decided",
        decided,
        "entries-differ",
    )


@pytest.mark.clause("617a.5(c)")
@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("reader-silent", "reader-silent"),
        ("reader-garbled", "reader-not-understood"),
        ("reader-astray", "entries-differ"),
    ],
)
def test_a_reader_in_doubt_does_not_count(both: Rig, fault: str, code: str) -> None:
    both.world.fault(fault, "", 3)
    called(both, "20")
    key(both, "20")
    both.wait(40)
    assert doubt(both) == code
    assert both.lit() == set()
    decide(both, "20")
    assert "straight-20" in both.lit()


def test_a_reader_alone(shipped: Shipped) -> None:
    table = opened(with_rules(shipped(GAME), result="reader"))
    called(table, "31")
    table.press("3")
    assert table.last("refused").control == "3"
    table.wait(10)
    assert "straight-31" in table.lit()
    settle(table)
    table.world.fault("reader-silent")
    called(table, "31")
    table.wait(40)
    assert doubt(table) == "reader-silent"
    decide(table, "31")
    assert "straight-31" in table.lit()


@pytest.mark.parametrize(
    ("wheel", "early", "says", "code"),
    [
        ("double-zero", True, ["12"], "read-too-early"),
        ("double-zero", False, ["31", "32"], "reader-changed"),
        ("single-zero", False, ["00"], "reader-of-another-wheel"),
    ],
)
def test_what_no_good_reader_says_puts_it_in_doubt(
    shipped: Shipped, wheel: str, early: bool, says: list[str], code: str
) -> None:
    table = opened(with_rules(shipped(GAME), wheel=wheel, result="both"))
    table.world.fault("reader-silent")
    spin(table, into="31", rest=False)
    table.wait(4)
    table.press("no-more-bets")
    if not early:
        table.ball_rest()
    table.world.repair()
    for pocket in says:
        table.world.reader.say(pocket)
    table.ball_rest()
    assert doubt(table) == code


def test_a_reader_that_contradicts_the_result_later_is_reported(both: Rig) -> None:
    called(both, "20")
    key(both, "20")
    both.wait(10)
    lit = both.lit()
    both.world.reader.say("20")
    assert "read-after-result" not in alerts(both)
    both.world.reader.say("21")
    assert both.last("alert").parameters == {"reading": "21", "pocket": "20"}
    assert both.lit() == lit


# -- who was late, and what is decided -----------------------------------------------------------------------------


@pytest.mark.clause("617a.5(c)")
@pytest.mark.parametrize("begun", ["", "1"])
def test_a_dispute_over_a_late_dealer_does_not_blame_the_reader(both: Rig, begun: str) -> None:
    down(both, "17")
    both.wait(5)
    both.press(*begun)
    both.wait(35)
    assert doubt(both) == "dealer-late"
    found = both.machine.instruction().parameters
    assert (found["begun"], found["seconds"], found["reading"]) == (begun, 30, "17")


def test_a_reader_that_speaks_after_its_time_is_late_and_not_silent(both: Rig) -> None:
    both.world.fault("reader-silent")
    spin(both, into="17")
    both.wait(40)
    both.world.repair()
    both.world.reader.say("17")
    both.press("no-more-bets")
    assert doubt(both) == "reader-late"


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
    assert doubt(both) == "entries-differ"


# -- entries -------------------------------------------------------------------------------------------------------


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


def test_an_empty_entry_is_refused_and_clear_deletes_the_entry(keypad: Rig) -> None:
    spin(keypad, rest=False)
    keypad.wait(4)
    keypad.press("7", "enter")
    assert (keypad.state.value, keypad.last("refused").control) == ("ball-running", "enter")
    keypad.press("no-more-bets")
    keypad.ball_rest()
    keypad.press("enter")
    assert keypad.last("refused").control == "enter"
    keypad.press("1", "clear", "2", "clear")
    assert keypad.machine.data.entry == ""
    keypad.press("clear")
    assert keypad.last("refused").control == "clear"


# -- corrections ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("617a.5(c)")
@pytest.mark.parametrize("source", ["keypad", "reader", "both"])
@pytest.mark.parametrize("done", [0, 1, 2])
def test_any_number_is_corrected_by_the_floorperson_until_the_round_is_cleared(
    shipped: Shipped, source: str, done: int
) -> None:
    """Keyed or read; both results stay on record, and how far the wrong one was settled."""
    table = opened(with_rules(shipped(GAME), result=source))
    if source != "keypad":
        table.world.fault("reader-astray", "", 1)
    called(table, "13")
    if source != "reader":
        wrong = "12" if source == "keypad" else table_reads(table)
        key(table, wrong)
    table.wait(10)
    assert table.state.value == "result"
    wrong = table.machine.data.pocket
    table.press(*["done"] * done, "correct", "1")
    assert table.lit(), "the result stands until the key is turned"
    table.press("floor-key")
    assert table.state.value == "deciding"
    assert table.lit() == set()
    withdrawn = effects(table, ResultWithdrawn)[-1]
    assert withdrawn.label.startswith(f"{wrong},")
    assert withdrawn.settled == ("", "losers-collected", "winners-paid")[done]
    assert alerts(table)[-1] == "done-correct"
    key(table, "13")
    assert "straight-13" in table.lit()
    note = effects(table, Note)[-1]
    assert (note.text, note.parameters) == ("number-corrected", {"before": wrong, "number": "13"})
    assert [result.label.partition(",")[0] for result in effects(table, Result)] == [wrong, "13"]
    settle(table)
    assert table.state.value == "bets-open"
    table.press("correct")
    assert table.last("refused").control == "correct"


def table_reads(table: Rig) -> str:
    """What the reader that is turned a pocket too far will name."""
    order = table.world.rotor.pockets
    return order[(order.index("13") + 1) % len(order)]


def test_a_number_that_was_right_is_confirmed_and_not_corrected(keypad: Rig) -> None:
    """Finding 17: the record does not say that 17 was corrected to 17."""
    down(keypad)
    key(keypad, "17")
    keypad.floor("correct")
    key(keypad, "17")
    assert (notes(keypad)[-1], "number-corrected" in notes(keypad)) == ("number-confirmed", False)
    settle(keypad)
    assert keypad.state.value == "bets-open"


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


def test_the_floorperson_may_void_it_for_the_reason_that_is_so(keypad: Rig) -> None:
    down(keypad)
    keypad.press("no-spin", "6", "floor-key", "clear")
    assert keypad.state.value == "entry", "it was not thrown again"
    spin(keypad)
    keypad.press("no-spin", "6")
    assert keypad.state.value == "dispute"
    keypad.press("floor-key")
    no_spin(keypad, "thrown-again")
    plays_on(keypad, called_before=True)


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


@pytest.mark.clause("617a.5(a)", "617a.5(e)")
def test_a_ball_at_a_locked_table_is_no_spin_and_is_reported_at_once(keypad: Rig) -> None:
    keypad.world.fault("burning-lamp", "red")
    keypad.wait(3)
    assert keypad.state.value == "locked"
    spin(keypad)
    assert keypad.last("void").reason == "thrown-while-locked"
    keypad.world.repair()
    keypad.floor()
    assert keypad.machine.instruction().parameters["untimely"] == "thrown-while-locked"
    plays_on(keypad, called_before=False)
