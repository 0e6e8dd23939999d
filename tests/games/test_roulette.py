"""Roulette as dealer, players and floorperson see it (ch. 617a, and the rulings)."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from config.problems import ConfigError
from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.bench.simulate import deviations, simulate
from controller.commands.cli import main
from controller.configuration.shipped import load_table, table_path
from controller.events.effect import InspectionLogged
from controller.events.event import BallLeftTrack, Direction, Fault, Health
from controller.games.roulette.layout import WheelType, is_outside
from controller.games.roulette.play import void_reason
from controller.runtime import exit_codes as exits
from controller.tracking.roulette.wheel import RouletteTracker

GAME = "roulette"
CREDENTIAL = "4711"
Shipped = Callable[[str], TableConfig]
# Told by hand for a few pockets of a double zero wheel: what is lit beside the number (§ 617a.3(e)(7) to (14)).
OUTSIDE = {
    "0": set(),
    "00": set(),
    "1": {"column-1", "dozen-1", "red", "odd", "1-18"},
    "17": {"column-2", "dozen-2", "black", "odd", "1-18"},
    "18": {"column-3", "dozen-2", "red", "even", "1-18"},
    "19": {"column-1", "dozen-2", "red", "odd", "19-36"},
    "36": {"column-3", "dozen-3", "red", "even", "19-36"},
}


def with_rules(config: TableConfig, **rules: object) -> TableConfig:
    """A table with other rules, and the devices that they demand."""
    devices = config.devices
    if rules.get("result") == "keypad":
        devices = devices.model_copy(update={"reader": None})
    return config.model_copy(update={"rules": {**config.rules, **rules}, "devices": devices})


def with_one_beam(config: TableConfig) -> TableConfig:
    assert config.devices.rotor is not None
    pins = config.devices.rotor.pins.model_copy(update={"ball_2": None})
    rotor = config.devices.rotor.model_copy(update={"pins": pins})
    return config.model_copy(update={"devices": config.devices.model_copy(update={"rotor": rotor})})


def opened(config: TableConfig, journal: Path | None = None, **options: object) -> Rig:
    """A table that has passed the inspection."""
    table = Rig(config, journal, options=options)
    table.press("floor-key", "1", *CREDENTIAL, "enter", "floor-key", "floor-key")
    spin(table)
    table.press("floor-key", "floor-key")
    if table.state.value == "inspecting":
        table.press("floor-key")
    assert table.state.value == "bets-open", table.waiting_for
    return table


@pytest.fixture
def both(shipped: Shipped) -> Rig:
    """A double zero table whose reader and keypad must agree."""
    return opened(shipped(GAME))


@pytest.fixture
def keypad(shipped: Shipped) -> Rig:
    """A double zero table without a reader."""
    return opened(with_rules(shipped(GAME), result="keypad"))


def spin(table: Rig, turns: float = 9, into: str = "", rest: bool = True, **how: object) -> None:
    table.turn_rotor()
    table.throw_ball(turns, into, rest=rest, **how)  # type: ignore[arg-type]


def called(table: Rig, into: str = "", turns: float = 9) -> None:
    """A good spin, with no more bets called in time."""
    spin(table, turns, into, rest=False)
    table.wait(4)
    table.press("no-more-bets")
    table.ball_rest()


def settle(table: Rig) -> str:
    """Settle a round; returns whom the dealer is told to pay."""
    table.press("done")
    paying = table.waiting_for
    table.press("done", "clear")
    return paying


# -- a round -----------------------------------------------------------------------------------------------------


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
    assert f"straight-{pocket} 35 to 1" in table.waiting_for
    table.press("done", "clear")
    assert table.state.value == "bets-open"
    assert table.lit() == set()
    assert table.machine.round == 2


def test_the_dealers_list_names_the_winning_inside_wagers_with_their_odds(keypad: Rig) -> None:
    called(keypad, "17")
    keypad.press("1", "7", "enter")
    paying = settle(keypad)
    wins = keypad.last("result").wins
    inside = [f"{win.area} {win.pays}" for win in wins if not is_outside(win.area)]
    assert len(inside) == 12
    assert ", ".join(inside) in paying
    assert "column" not in paying


def test_every_pocket_of_every_wheel_is_lit_as_it_wins(shipped: Shipped) -> None:
    """The panel against the numbers, by arithmetic of its own."""
    for wheel, zeros in (("single-zero", ["0"]), ("double-zero", ["0", "00"]), ("double-zero-as-single", ["0"])):
        table = opened(with_rules(shipped(GAME), wheel=wheel, result="keypad"))
        for pocket in [*zeros, *map(str, range(1, 37))]:
            called(table, pocket)
            table.press(*pocket, "enter")
            wanted = {f"straight-{pocket}"}
            if pocket not in zeros:
                number = int(pocket)
                wanted |= {f"column-{(number - 1) % 3 + 1}", f"dozen-{(number - 1) // 12 + 1}"}
                wanted |= {"odd" if number % 2 else "even", "1-18" if number <= 18 else "19-36"}
                # Red on every wheel: odd numbers of the first and third ten, even ones of the second and fourth.
                red = number % 2 == (1 if number <= 10 or 19 <= number <= 28 else 0)
                wanted |= {"red" if red else "black"}
            assert table.lit() == wanted
            settle(table)


def test_the_five_adjacent_wager_is_moved_by_wheel_order(shipped: Shipped) -> None:
    """§ 617a.3(e)(1), § 617a.5(d): 17 lies between 32 20 and 5 22 on a double zero wheel."""
    table = opened(with_rules(shipped(GAME), result="keypad", five_adjacent="true"))
    called(table, "17")
    table.press("1", "7", "enter")
    assert "move a fifth of each five number wager on 20, 32, 17, 5, 22 to 17" in table.waiting_for


def test_without_the_offer_nobody_speaks_of_five_numbers(keypad: Rig) -> None:
    called(keypad, "17")
    keypad.press("1", "7", "enter")
    assert "five number" not in keypad.waiting_for


# -- no more bets ------------------------------------------------------------------------------------------------


def test_no_more_bets_is_refused_before_the_ball_runs(keypad: Rig) -> None:
    keypad.press("no-more-bets")
    assert keypad.last("refused").control == "no-more-bets"
    assert keypad.state.value == "bets-open"


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


# -- no spin -----------------------------------------------------------------------------------------------------


def no_spin(table: Rig, reason: str) -> None:
    assert table.state.value == "respin", table.waiting_for
    assert table.last("void").reason == reason
    assert table.lit() == set()
    assert "wagers stay" in table.waiting_for


def plays_on(table: Rig, called_before: bool) -> None:
    """The spin after a void one counts; wagers that were closed stay closed."""
    number = table.machine.round
    spin(table, into="7", rest=False)
    table.wait(4)
    assert table.state.value == ("no-more-bets" if called_before else "ball-running")
    if not called_before:
        table.press("no-more-bets")
    table.ball_rest()
    table.press("7", "enter")
    table.wait(10)
    assert "straight-7" in table.lit()
    assert table.machine.round == number


@pytest.mark.parametrize("closed", [False, True])
def test_fewer_than_four_revolutions_are_no_spin(keypad: Rig, closed: bool) -> None:
    """§ 617a.6(b)."""
    spin(keypad, turns=3.4, rest=False)
    keypad.wait(3.5)
    if closed:
        keypad.press("no-more-bets")
    keypad.ball_rest()
    no_spin(keypad, "fewer-than-four-revolutions")
    assert keypad.last("void").detail in ("2 of 4 revolutions", "3 of 4 revolutions")
    assert "damaged" in keypad.waiting_for
    plays_on(keypad, closed)


def test_a_new_ball_is_recorded_by_the_floorperson(keypad: Rig) -> None:
    """§ 617a.6(b), (c)."""
    spin(keypad, turns=3.4)
    keypad.press("floor-key")
    assert "new ball" in keypad.last("note").text
    assert keypad.state.value == "respin"


def test_a_ball_in_the_direction_of_the_wheel_is_no_spin_before_it_drops(keypad: Rig) -> None:
    """§ 617a.6(a)."""
    spin(keypad, with_rotor=True, rest=False)
    keypad.wait(3)
    no_spin(keypad, "same-direction")
    keypad.ball_rest()
    no_spin(keypad, "same-direction")
    plays_on(keypad, called_before=False)


@pytest.mark.parametrize("direction", list(Direction))
def test_the_wheel_may_turn_either_way(keypad: Rig, direction: Direction) -> None:
    keypad.turn_rotor(direction=direction)
    keypad.throw_ball(8)
    assert keypad.state.value == "late-call"


@pytest.mark.parametrize("revolutions", range(7))
@pytest.mark.parametrize("rotor", [None, *Direction])
@pytest.mark.parametrize("ball", [None, *Direction])
@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("fault", [None, Fault("ball_1", Health.NOISY, "x")])
def test_a_run_is_a_spin_only_without_any_objection(
    revolutions: int, rotor: Direction | None, ball: Direction | None, early: bool, fault: Fault | None
) -> None:
    """§ 617a.5(a), § 617a.6(a) to (c): every combination, read by hand."""
    left = BallLeftTrack(2, 1, revolutions, ball, rotor, fault, early)
    opposite = {ball, rotor} == set(Direction)
    assert (void_reason(left, True) == "") == (not fault and not early and opposite and revolutions >= 4)
    assert (void_reason(left, False) == "") == (not fault and not early and revolutions >= 4)


def test_a_wheel_that_stands_makes_no_spin(keypad: Rig) -> None:
    keypad.turn_rotor(0.0)
    keypad.throw_ball(9)
    no_spin(keypad, "rotor-not-turning")
    plays_on(keypad, called_before=False)


def test_a_ball_that_leaves_the_wheel_while_it_is_fast(keypad: Rig) -> None:
    """§ 617a.6(c), seen by the sensors."""
    spin(keypad, turns=14, leaves_after=6)
    no_spin(keypad, "ball-lost")
    plays_on(keypad, called_before=False)


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("1", "ball-left-wheel"),
        ("2", "foreign-object"),
        ("3", "same-direction"),
        ("4", "fewer-than-four-revolutions"),
    ],
)
@pytest.mark.parametrize("moment", ["running", "closed", "late", "entry"])
def test_no_spin_by_key(keypad: Rig, key: str, reason: str, moment: str) -> None:
    """§ 617a.6: the dealer calls it, whatever the sensors saw."""
    spin(keypad, rest=False)
    keypad.wait(4)
    if moment in ("closed", "entry"):
        keypad.press("no-more-bets")
    if moment in ("late", "entry"):
        keypad.ball_rest()
    keypad.press("no-spin")
    assert "why?" in keypad.waiting_for
    keypad.press("8")
    assert keypad.last("refused").control == "8"
    keypad.press(key)
    no_spin(keypad, reason)
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
    keypad.world.mend()
    keypad.press("floor-key")
    no_spin(keypad, "ball-not-seen")
    plays_on(keypad, called_before=False)


def test_a_ball_in_00_of_a_converted_wheel_is_no_spin(shipped: Shipped) -> None:
    """§ 617a.1(e)(2)(ii), § 617a.4(c)(2)."""
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


def test_a_ball_that_runs_again_before_its_number_is_known(keypad: Rig) -> None:
    called(keypad, "7")
    spin(keypad)
    no_spin(keypad, "thrown-again")


def test_a_ball_that_is_thrown_before_the_round_is_closed_counts_for_nothing(keypad: Rig) -> None:
    called(keypad, "7")
    keypad.press("7", "enter", "done")
    lit = keypad.lit()
    spin(keypad, into="8")
    assert keypad.lit() == lit
    keypad.press("done", "clear")
    assert keypad.state.value == "bets-open"


def test_with_one_beam_the_direction_is_not_checked_and_the_screen_says_so(shipped: Shipped) -> None:
    """The ruling."""
    table = opened(with_one_beam(with_rules(shipped(GAME), result="keypad")))
    assert "nobody but the dealer sees whether it runs against the wheel" in table.waiting_for
    spin(table, with_rotor=True)
    assert table.state.value == "late-call"
    table.press("no-more-bets", "7", "enter", "done", "done", "clear")
    spin(table, turns=3.4)
    no_spin(table, "fewer-than-four-revolutions")


# -- where the number comes from ---------------------------------------------------------------------------------


def test_reader_and_keypad_must_agree(both: Rig) -> None:
    called(both, "20")
    both.press("2", "0", "enter")
    assert both.lit() == set()
    both.wait(10)
    assert "straight-20" in both.lit()


def test_the_reader_may_be_first(both: Rig) -> None:
    called(both, "20")
    both.wait(10)
    assert both.lit() == set()
    both.press("2", "0", "enter")
    assert "straight-20" in both.lit()


def test_the_dealers_entry_may_be_taken_back_until_the_reader_speaks(both: Rig) -> None:
    called(both, "20")
    both.press("2", "1", "enter", "clear", "2", "0", "enter")
    both.wait(10)
    assert "straight-20" in both.lit()


@pytest.mark.parametrize("decided", ["20", "21", "5"])
def test_where_they_do_not_agree_the_floorperson_decides(both: Rig, decided: str) -> None:
    called(both, "20")
    both.press("2", "1", "enter")
    both.wait(10)
    assert both.state.value == "dispute"
    assert "the dealer entered 21 red, the reader names 20 black" in both.waiting_for
    assert both.lit() == set()
    both.press("clear", "enter", "2")
    assert both.state.value == "dispute"
    both.press("floor-key", *decided, "enter")
    assert f"straight-{decided}" in both.lit()
    assert "the floorperson decided" in both.last("note").text


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("reader-silent", "the reader is silent"),
        ("reader-garbled", "cannot be understood"),
        ("reader-astray", "the reader names"),
    ],
)
def test_a_reader_in_doubt_is_no_witness(both: Rig, fault: str, words: str) -> None:
    both.world.fault(fault, "", 3)
    called(both, "20")
    both.press("2", "0", "enter")
    both.wait(40)
    assert both.state.value == "dispute"
    assert words in both.waiting_for
    assert both.lit() == set()
    both.press("floor-key", "2", "0", "enter")
    assert "straight-20" in both.lit()


def test_a_reader_alone(shipped: Shipped) -> None:
    table = opened(with_rules(shipped(GAME), result="reader"))
    called(table, "31")
    table.press("3")
    assert table.last("refused").waiting_for == "the ball comes to rest: wait for the wheel reader"
    table.wait(10)
    assert "straight-31" in table.lit()
    settle(table)
    table.world.fault("reader-silent")
    called(table, "31")
    table.wait(40)
    assert table.state.value == "dispute"
    table.press("floor-key", "3", "1", "enter")
    assert "straight-31" in table.lit()


def test_a_reader_that_speaks_while_the_ball_runs_is_in_doubt(shipped: Shipped) -> None:
    table = opened(with_rules(shipped(GAME), result="reader"))
    spin(table, into="31", rest=False)
    table.wait(4)
    table.press("no-more-bets")
    table.world.reader.say("12")
    table.ball_rest()
    assert table.state.value == "dispute"
    assert "while the ball was in the track" in table.waiting_for


def test_a_reader_that_changes_its_mind_is_in_doubt(both: Rig) -> None:
    called(both, "31")
    both.wait(10)
    both.world.reader.say("32")
    assert both.state.value == "dispute"
    assert "named 31, then 32" in both.waiting_for


def test_a_reader_that_names_no_pocket_of_this_wheel(shipped: Shipped) -> None:
    table = opened(with_rules(shipped(GAME), wheel="single-zero", result="reader"))
    called(table, "31")
    table.world.reader.say("00")
    assert table.state.value == "dispute"
    assert "00, which this wheel does not have" in table.waiting_for


def test_a_reader_that_says_otherwise_after_the_result_is_told(both: Rig) -> None:
    called(both, "20")
    both.press("2", "0", "enter")
    both.wait(10)
    lit = both.lit()
    both.world.reader.say("20")
    both.world.reader.say("21")
    assert "the reader names 21, the result is 20 black" in both.last("alert").text
    assert both.lit() == lit


# -- entries -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wheel", "keys", "kept"),
    [
        ("double-zero", "37", "3"),
        ("double-zero", "3 6 1", "36"),
        ("double-zero", "0 1", "0"),
        ("double-zero", "0 0 0", "00"),
        ("single-zero", "0 0", "0"),
        ("double-zero", "9 9", "9"),
    ],
)
def test_a_pocket_that_does_not_exist_is_refused(shipped: Shipped, wheel: str, keys: str, kept: str) -> None:
    table = opened(with_rules(shipped(GAME), wheel=wheel, result="keypad"))
    called(table)
    table.press(*keys.replace(" ", ""))
    assert table.machine.data.entry == kept
    assert table.last("refused").waiting_for.endswith(f"then enter: {kept}")
    assert table.world.sounder.beeps > 0


def test_an_empty_entry_is_refused_and_clear_wipes(keypad: Rig) -> None:
    called(keypad, "12")
    keypad.press("enter")
    assert keypad.last("refused").control == "enter"
    keypad.press("1", "clear", "2", "clear")
    assert keypad.machine.data.entry == ""
    keypad.press("clear")
    assert keypad.last("refused").control == "clear"


def test_a_number_cannot_be_keyed_while_the_ball_runs(keypad: Rig) -> None:
    spin(keypad, rest=False)
    keypad.wait(4)
    keypad.press("7", "enter")
    assert keypad.state.value == "ball-running"
    assert keypad.last("refused").control == "enter"


def test_a_correction_needs_the_floor_key_and_both_numbers_stay_on_record(keypad: Rig) -> None:
    called(keypad, "12")
    keypad.press("1", "3", "enter", "correct", "1")
    assert keypad.last("refused").control == "1"
    keypad.press("clear", "done", "correct", "floor-key")
    assert keypad.lit() == set()
    keypad.press("1", "2", "enter")
    assert "straight-12" in keypad.lit()
    assert keypad.last("note").text == "13 black was corrected to 12 red"
    labels = [e.label for r in keypad.records() for e in r.effects if e.kind == "result"]
    assert labels == ["13, black", "12, red"]


# -- the inspection and its log ----------------------------------------------------------------------------------


def logged(table: Rig) -> list[InspectionLogged]:
    return [e for record in table.records() for e in record.effects if isinstance(e, InspectionLogged)]


def test_the_table_does_not_open_without_the_inspection(shipped: Shipped) -> None:
    """§ 617a.2(a)(1) to (4), step by step; wheel and sensors must have been seen to work."""
    table = Rig(shipped(GAME))
    spin(table)
    table.press("no-more-bets")
    assert table.state.value == "closed"
    table.press("floor-key", "1", *CREDENTIAL, "enter")
    for words in ("magnet or compass", "magnet or contrivance"):
        assert words in table.waiting_for
        table.press("floor-key")
    assert "level and turns freely" in table.waiting_for
    table.press("floor-key")
    assert table.last("refused").control == "floor-key"
    spin(table, turns=3.2)
    table.press("floor-key")
    assert table.last("refused").control == "floor-key"
    spin(table)
    assert "seen: the wheel clockwise, the ball counterclockwise" in table.waiting_for
    table.press("floor-key")
    assert "secure" in table.waiting_for
    table.press("floor-key")
    assert table.state.value == "bets-open"
    (entry,) = logged(table)
    assert (entry.table, entry.work, entry.inspected, entry.credential) == ("roulette", (), True, CREDENTIAL)
    assert entry.utc_ns > 1_700_000_000 * 10**9
    assert entry.signature == "floor-key"


def test_a_converted_wheel_has_a_step_for_layout_and_signs(shipped: Shipped) -> None:
    """§ 617a.2(a)(5)."""
    table = Rig(with_rules(shipped(GAME), wheel="double-zero-as-single"))
    table.press("floor-key", "1", *CREDENTIAL, "enter", "floor-key", "floor-key")
    spin(table)
    table.press("floor-key", "floor-key")
    assert "step 5 of 5: layout and signs show that 00 is no wager" in table.waiting_for
    table.press("floor-key")
    assert table.state.value == "bets-open"


@pytest.mark.parametrize("confirmed", [0, 1, 2])
def test_an_inspection_that_is_refused_leaves_the_table_closed(shipped: Shipped, confirmed: int) -> None:
    table = Rig(shipped(GAME))
    table.press("floor-key", "1", *CREDENTIAL, "enter", *["floor-key"] * confirmed, "clear")
    assert table.state.value == "closed"
    assert "inspection not passed" in table.waiting_for
    assert logged(table) == []


def test_an_adjustment_is_logged_with_all_its_fields_and_asks_for_a_new_inspection(keypad: Rig) -> None:
    """§ 617a.2(b) to (e)."""
    table = keypad
    table.press("floor-key", "2")
    assert table.last("wagers-returned").reason == "table-closed"
    table.press("2", "5", *"815", "enter", *"4242", "enter")
    assert "replacement of the pocket separators, by 815" in table.waiting_for
    table.press("floor-key")
    entry = logged(table)[-1]
    assert entry.work == ("replacement of the pocket separators",)
    assert (entry.inspected, entry.credential, entry.witness) == (False, "815", "4242")
    assert table.state.value == "closed"
    assert "inspect before play" in table.waiting_for
    table.press("floor-key", "2", "1", "7", *"816", "enter", *"4242", "enter", "floor-key")
    table.press("floor-key", "1", *CREDENTIAL, "enter", "floor-key", "floor-key")
    spin(table)
    table.press("floor-key", "floor-key")
    assert table.state.value == "bets-open"
    entry = logged(table)[-1]
    assert entry.work == ("replacement of the pocket separators", "adjustment of the level of the wheel")
    assert (entry.inspected, entry.credential) == (True, CREDENTIAL)


@pytest.mark.parametrize("keys", ["", "2", "25", "258+", "258+9+"])
def test_an_entry_that_is_given_up_or_cut_off_is_not_logged(keypad: Rig, keys: str) -> None:
    before = logged(keypad)
    presses = ["enter" if key == "+" else key for key in keys]
    keypad.press("floor-key", "2", *presses, "clear")
    if keypad.state.value != "closed":
        keypad.press("clear")
    assert keypad.state.value == "closed"
    keypad.press("floor-key", "2", *presses)
    keypad.power_cut()
    assert keypad.state.value == "closed"
    assert logged(keypad) == before


def test_the_inspection_log_is_printed_with_every_field(
    shipped: Shipped, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """§ 617a.2(e)."""
    file = tmp_path / "journal"
    table = opened(with_rules(shipped(GAME), result="keypad"), file)
    table.press("floor-key", "2", "1", "3", *"815", "enter", *"4242", "enter", "floor-key")
    table.table.stop()
    table.journal.close()
    assert main(["journal", "inspections", str(file), "--json"]) == exits.OK
    inspected, adjusted = json.loads(capsys.readouterr().out)
    assert inspected == {
        "date": "2026-01-01",
        "time": inspected["time"],
        "table": "roulette",
        "adjustment or replacement": "none",
        "description": "-",
        "inspection": "completed",
        "signature": "floor-key",
        "credential": CREDENTIAL,
        "security": "-",
    }
    assert re.fullmatch(r"00:00:\d\dZ", inspected["time"])
    assert adjusted["adjustment or replacement"] == "adjustment"
    assert adjusted["description"] == "adjustment of the ball track"
    assert adjusted["inspection"] == "required, not made"
    assert (adjusted["credential"], adjusted["security"]) == ("815", "4242")
    assert main(["journal", "inspections", str(file)]) == exits.OK
    said = capsys.readouterr().out
    assert all(value in said for value in adjusted.values())


def test_a_journal_without_a_log_says_so(
    shipped: Shipped, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "journal"
    table = Rig(shipped("sic-bo"), file)
    table.table.stop()
    table.journal.close()
    assert main(["journal", "inspections", str(file)]) == exits.OK
    assert capsys.readouterr().out == "nothing was logged\n"


def test_the_table_is_closed_by_the_floorperson(keypad: Rig) -> None:
    keypad.press("floor-key", "clear")
    assert keypad.state.value == "bets-open"
    keypad.press("floor-key", "5")
    assert keypad.last("wagers-returned").reason == "table-closed"
    assert "closed by the floorperson" in keypad.waiting_for


# -- faults, power cuts, second runs -----------------------------------------------------------------------------


@pytest.mark.parametrize(("fault", "line"), [("stuck-high", "ball_1"), ("stuck-low", "ball_2"), ("swapped", "")])
def test_a_sensor_in_doubt_voids_the_spin_locks_and_is_named(keypad: Rig, fault: str, line: str) -> None:
    spin(keypad, rest=False)
    keypad.wait(4)
    keypad.press("no-more-bets")
    keypad.world.fault(fault, line)
    keypad.ball_rest()
    assert keypad.last("void").reason == "sensor-fault"
    assert keypad.state.value == "locked"
    assert (line or "encoder") in keypad.waiting_for
    keypad.press("1", "7", "enter")
    assert keypad.lit() == set()
    keypad.world.mend()
    keypad.press("floor-key")
    plays_on(keypad, called_before=True)


def test_a_dead_lamp_locks_the_table_after_the_round(keypad: Rig) -> None:
    keypad.world.fault("dead-lamp", "straight-12")
    called(keypad, "12")
    keypad.press("1", "2", "enter")
    assert "no light at straight-12" in keypad.last("alert").text
    settle(keypad)
    assert keypad.state.value == "locked"
    keypad.world.mend()
    keypad.press("floor-key")
    assert keypad.state.value == "bets-open"


def test_a_power_cut_while_the_ball_runs_voids_the_spin(shipped: Shipped, tmp_path: Path) -> None:
    table = opened(with_rules(shipped(GAME), result="keypad"), tmp_path / "journal")
    spin(table, rest=False)
    table.wait(4)
    table.power_cut()
    no_spin(table, "power-cut")
    table.ball_rest()
    plays_on(table, called_before=False)
    table.journal.close()


def test_a_power_cut_after_the_ball_left_the_track_loses_nothing(shipped: Shipped, tmp_path: Path) -> None:
    table = opened(shipped(GAME), tmp_path / "journal")
    called(table, "12")
    table.press("1")
    table.power_cut(20)
    assert table.state.value == "entry"
    assert table.machine.data.entry == "1"
    table.press("2", "enter")
    assert table.lit() == set()
    table.wait(31)  # The reader spoke while the power was away.
    assert table.state.value == "dispute"
    table.press("floor-key", "1", "2", "enter")
    lit = table.lit()
    assert "straight-12" in lit
    table.power_cut()
    assert table.lit() == lit
    assert "12 red" in table.waiting_for
    table.journal.close()


def test_the_trackers_failure_locks_the_table(keypad: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    spin(keypad, rest=False)
    keypad.wait(4)
    assert isinstance(keypad.table.tracker, RouletteTracker)
    monkeypatch.setattr(keypad.table.tracker, "feed", broken)
    keypad.wait(1)
    assert keypad.state.value == "locked"
    assert keypad.last("void").reason == "controller-failed"
    keypad.press("floor-key")
    keypad.ball_rest()
    plays_on(keypad, called_before=False)


# -- the file ----------------------------------------------------------------------------------------------------


def problems(tmp_path: Path, *changes: tuple[str, str]) -> str:
    text = table_path(GAME).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / "table.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        load_table(file)
    return str(error.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("wheel: double-zero", "wheel: triple-zero"), "rules.wheel"),
        (("wheel: double-zero", "wheel: single-zero"), "devices.panel.lamps.straight-00: no area 'straight-00'"),
        (("result: both", "result: keypad"), "there is a wheel reader, and nobody asks it"),
        (("  # beam_angle_deg: 90", "  beam_angle_deg: 170"), "cannot tell which way the ball runs"),
        (("  # ball_mm: 20", "  ball_mm: 25"), "rotor.ball_mm"),
        (("      ball_1: 23", "      # ball_1: 23"), "devices.rotor.pins"),
        (("      ball_2: 24", "      ball_2: 23"), "pin 23 is already used by devices.rotor.pins.ball_1"),
        (("      column-2: 39", "      # column-2: 39"), "the area 'column-2' has no lamp"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    assert said in problems(tmp_path, change)


def test_a_table_without_its_reader(tmp_path: Path) -> None:
    reader = "  reader:\n    backend: mock\n    options: {}\n"
    assert "the winning number comes from a wheel reader, and there is none" in problems(tmp_path, (reader, ""))


def test_odds_below_the_regulation(tmp_path: Path) -> None:
    """§ 617a.4(a)."""
    odds = "layout:\n  odds: {straight-17: 34 to 1, first-five: 7 to 1, split-0-3: 17 to 1}\nrules:"
    said = problems(tmp_path, ("\nrules:", f"\n{odds}"))
    assert "layout.odds.straight-17: 34 to 1 is below § 617a.4(a); use 35 to 1 or more" in said
    assert "no wager 'split-0-3' in this game" in said
    assert "first-five" not in said.replace("use one of", "")


# -- many rounds -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wheel", [wheel.value for wheel in WheelType])
@pytest.mark.parametrize("source", ["keypad", "reader", "both"])
def test_rounds_end_with_true_results_at_the_expected_frequency(shipped: Shipped, wheel: str, source: str) -> None:
    config = with_rules(shipped(GAME), wheel=wheel, result=source)
    outcome = simulate(config, 120, seed=3)
    assert outcome.passed
    assert outcome.tally.rounds == outcome.tally.results == 120
    assert max(abs(found.standard_errors) for found in deviations(config, outcome.tally)) < 5


def test_simulated_rounds_with_faults_are_settled_too(shipped: Shipped) -> None:
    tally = simulate(shipped(GAME), 150, seed=4, faults=True).tally
    assert tally.wrong == tally.broken == []
    assert tally.locks > 0
    assert tally.voids["sensor-fault"] > 0


def test_weak_throws_and_lost_balls_are_among_them(shipped: Shipped) -> None:
    voids = simulate(shipped(GAME), 300, seed=2).tally.voids
    assert {"same-direction", "fewer-than-four-revolutions", "ball-lost"} <= voids.keys()
