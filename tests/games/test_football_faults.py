"""Three Dice Football when something fails, and under any sequence of events."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from any_sequence import assert_playable
from football_regulation import FULL_GAME, single_plays_by_hand
from football_table import play, settle
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from retirement import AGE_S, WAYS, reach_age

from config.problems import ConfigError
from config.schema import TableConfig
from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path

GAME = "three-dice-football"
HOUR_S = 3600
Shipped = Callable[[str], TableConfig]


# -- faults --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("577.4(d)")
def test_the_table_is_closed_until_the_floorperson_opens_it_with_new_dice(shipped: Shipped) -> None:
    table = Rig(shipped(GAME))
    table.press("no-more-bets", "enter", "1")
    assert table.state.value == "closed"
    assert table.lit() == set()
    table.press("floor-key", "5")
    assert table.state.value == "floor-menu"
    table.press("1", "enter", "floor-key", "5")
    assert table.state.value == "closed"
    assert table.last("wagers-returned").reason == "table-closed"


def test_an_unfinished_entry_and_an_unfinished_settlement_survive_a_power_cut(football: Rig) -> None:
    table = football
    table.press("no-more-bets", "6", "6")
    table.power_cut()
    assert "6-6 red _" in table.waiting_for
    table.press("1", "enter", "done", "clear", "no-more-bets", *"666", "enter", "done")
    lit = table.lit()
    table.power_cut()
    assert table.lit() == lit
    assert len(settle(table)) == 2
    assert table.state.value == "extra-point-offered"


@pytest.mark.clause("577.4(d)")
def test_dice_that_reach_their_age_finish_the_game_and_begin_no_other(football: Rig) -> None:
    table = football
    play(table, "125")
    table.press("clear")
    table.wait(AGE_S)
    assert table.state.value == "bets-open"
    play(table, "116")
    table.press("clear", "enter")
    assert table.state.value == "dice-offered"
    assert "must be changed" in table.waiting_for
    table.press("floor-key", "2", "enter")
    assert table.state.value == "bets-open"


@pytest.mark.clause("577.4(d)")
def test_a_touchdown_with_dice_that_reached_their_age_begins_no_other_game(football: Rig) -> None:
    """§ 577.4(d): the quarterback keeps the dice of a new set, and not these."""
    table = football
    table.press("no-more-bets")
    table.wait(AGE_S)
    assert "the dice have reached their age (§ 577.4(d))" in table.last("alert").text
    table.press(*"444", "enter")
    settle(table)
    table.press("clear")
    settle(table)
    table.press("clear")
    assert table.state.value == "dice-offered"
    assert "must be changed" in table.waiting_for
    table.press("enter")
    assert table.state.value == "dice-offered"
    table.press("floor-key", "2", "enter")
    assert table.state.value == "bets-open"
    assert table.machine.data.quarterback == 1


@pytest.mark.clause("577.4(d)")
@pytest.mark.parametrize("cut", [False, True], ids=["with power", "through a power cut"])
def test_a_table_that_is_opened_again_has_a_new_set_of_dice(football: Rig, cut: bool) -> None:
    """§ 577.4(d): with an age of its own, and on record."""
    table = football
    table.wait(20 * HOUR_S)
    table.press("floor-key", "5", "floor-key", "1")
    changes = [e for record in table.records() for e in record.effects if e.kind == "note" and "changed" in e.text]
    assert len(changes) == 2, "the first set, and this one"
    if cut:
        table.power_cut()
    table.press("enter")
    table.wait(23.5 * HOUR_S)
    assert table.state.value == "bets-open"
    table.wait(1 * HOUR_S)
    assert table.state.value == "dice-offered"
    assert "must be changed" in table.waiting_for


@pytest.mark.clause("577.4(d)")
@WAYS
def test_dice_that_reach_their_age_before_the_first_throw_return_the_wagers(football: Rig, leaves: str) -> None:
    """With the floorperson's menu open or not."""
    reach_age(football, leaves)
    assert football.state.value == "dice-offered"
    assert football.last("wagers-returned").reason == "dice-retired"


@pytest.mark.parametrize("open_menu", [False, True])
def test_a_fault_between_games_closes_the_table(football: Rig, open_menu: bool) -> None:
    table = football
    if open_menu:
        table.press("floor-key")
    table.world.fault("stuck-key", "3")
    table.wait(11)
    assert table.state.value == "closed"
    assert table.last("wagers-returned").reason == "malfunction"
    assert "3 is stuck" in table.waiting_for


def test_a_fault_in_a_game_is_reported_and_closes_the_table_after_it(football: Rig) -> None:
    table = football
    table.press("no-more-bets")
    table.world.fault("dead-lamp", "trips-td")
    table.press(*"666", "enter")
    assert "trips-td" in table.last("alert").text
    settle(table)
    table.press("clear")
    settle(table)
    table.press("clear")
    assert table.state.value == "closed"
    assert "Trips TD" in table.waiting_for


@pytest.mark.clause("577.2(a)", "577.4(d)")
@pytest.mark.parametrize(
    ("rules", "key", "message"),
    [
        ("positions: 17", "rules.positions", "16"),
        ("positions: many", "rules.positions", "whole number"),
        ("positions: 8\n  seats: 3", "rules.seats", "unknown key"),
        ("# none", "rules", "no value"),
        ("positions: 8\n  warn_h: 0", "rules.warn_h", "1"),
        ("positions: 8\n  retire_h: 25", "rules.retire_h", "24"),
        ("positions: 8\n  warn_h: 20\n  retire_h: 12", "rules", "comes after the end"),
    ],
)
def test_invalid_rules_are_refused(tmp_path: Path, rules: str, key: str, message: str) -> None:
    """Each is named on its line, with what is wrong with it."""
    file = tmp_path / "table.yaml"
    text = table_path(GAME).read_text()
    file.write_text(text.replace("  positions: 16", f"  {rules}"))
    with pytest.raises(ConfigError) as failure:
        load_table(file)
    (problem,) = failure.value.problems
    assert problem.key.startswith(key)
    assert message in f"{problem.key} {problem.message} {problem.remedy}"
    first = text[: text.index("rules:")].count("\n") + 1
    assert first <= problem.line <= first + 4


# -- any sequence --------------------------------------------------------------------------------------------------


KEYS = [*"0123456789", "no-more-bets", "done", "clear", "enter", "no-roll", "correct", "floor-key"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    keys=st.lists(st.sampled_from([*KEYS, "enter", "done", "power cut", "stuck-key"]), max_size=80),
    seed=st.integers(0, 99),
)
def test_no_sequence_lights_a_losing_area_or_ends_in_a_dead_end(
    shipped: Shipped, keys: list[str], seed: int
) -> None:
    oracle = Oracle()
    table = Rig(shipped(GAME), listeners=(oracle,))
    table.press("floor-key", "1", "enter")
    for key in keys:
        if key == "power cut":
            table.power_cut()
        elif key == "stuck-key":
            table.world.fault("stuck-key", "no-roll")
        else:
            table.press(key)
        _check_lamps(table)
    table.world.repair()
    assert_playable(Dealer(table, random.Random(seed), oracle), oracle)


def _check_lamps(table: Rig) -> None:
    """Wagers are lit only while a throw is settled, and only those that its dice win."""
    data, lit = table.machine.data, table.lit() & table.areas
    if not lit:
        return
    assert table.state.value in ("settling", "settled", "extra-point-offered", "correcting", "closed")
    if data.decided:
        assert lit <= {"touchdown", "extra-point"}
    else:
        assert lit - {*FULL_GAME} == single_plays_by_hand(*data.entry).keys()
        assert data.ending is not None or not lit & {*FULL_GAME}


# -- mistakes have a way back --------------------------------------------------------------------------------------


def test_an_extra_point_that_nobody_wagered_on_is_taken_back(football: Rig) -> None:
    """And so is the answer that no such wager stands, by the floorperson's key."""
    table = football
    play(table, "444")
    table.press("enter", "correct")
    assert table.state.value == "extra-point-offered"
    table.press("clear", "correct", "floor-key")
    assert table.state.value == "extra-point-offered"
    assert "touchdown" not in table.lit()


@pytest.mark.clause("577.4(d)")
def test_a_die_lost_in_a_game_is_replaced_on_record(football: Rig) -> None:
    """§ 577.4(d): a new set of dice, and the game goes on."""
    table = football
    play(table, "661")
    table.press("clear", "no-more-bets", "no-roll", "1", "floor-key", "2")
    assert table.state.value == "throw"
    assert table.last("note").text == "the dice were changed"
    assert table.lit() == {"goal-1", "play-2", "yard-9"}


def test_the_yard_marker_stands_where_the_last_throw_moved_it(football: Rig) -> None:
    """§ 577.6(c)(2): three penalties put it on the 23."""
    play(football, "125", "125", "125")
    assert {"yard-23", "play-3"} <= football.lit()


@pytest.mark.clause("577.5(f)", "577.5(g)")
def test_a_die_on_one_edge_is_no_reason_for_a_no_roll(football: Rig) -> None:
    """§ 577.5(f): it counts; only one that rests on more than one side does not."""
    football.press("no-more-bets", "no-roll")
    assert "a die rests on more than one side, or its face is disputed" in [
        entry.words for entry in football.machine.menu()
    ]
