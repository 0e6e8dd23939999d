"""Three Dice Football when something fails or dice grow old, and under any sequence of events."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from any_sequence import assert_playable
from football_regulation import FULL_GAME, single_plays_by_hand
from football_table import codes, effects, play, settle
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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


@pytest.mark.parametrize("before", [(), ("correct",)], ids=["wagers open", "a quarterback is renamed"])
def test_a_fault_between_games_closes_the_table(football: Rig, before: tuple[str, ...]) -> None:
    table = football
    table.press(*before)
    table.world.fault("stuck-key", "3")
    table.wait(11)
    assert table.state.value == "closed"
    assert table.last("wagers-returned").reason == "malfunction"
    assert [cause.code for cause in table.machine.causes] == ["key-stuck"]
    table.world.repair()
    table.floor("open")
    table.press("enter")
    assert (table.state.value, table.machine.causes) == ("bets-open", ())


def test_a_fault_in_a_game_is_reported_and_closes_the_table_after_it(football: Rig) -> None:
    table = football
    table.press("no-more-bets")
    table.world.fault("dead-lamp", "trips-td")
    table.press(*"666", "enter")
    assert table.last("alert").parameters == {"dark": "trips-td"}
    settle(table)
    table.press("clear")
    settle(table)
    assert table.state.value == "settled", "the result can still be corrected"
    table.press("clear")
    assert table.state.value == "closed"
    assert table.machine.round == 1
    assert effects(table, "wagers-returned") == [], "nothing is left of a game that is settled"
    assert [cause.code for cause in table.machine.causes] == ["lamps-dark"]


@pytest.mark.parametrize(
    ("keys", "asks"),
    [((), False), (("no-more-bets",), True), (("no-more-bets", *"342", "enter", "done", "clear"), True)],
)
def test_after_a_long_time_without_power_the_floorperson_decides_on_a_game(
    football: Rig, keys: tuple[str, ...], asks: bool
) -> None:
    football.press(*keys)
    football.power_cut(seconds=40 * 60)
    assert (football.state.value == "locked") == asks


# -- the age of the dice -------------------------------------------------------------------------------------------


@pytest.mark.clause("577.4(d)")
def test_dice_that_reach_their_age_finish_the_game_and_begin_no_other(football: Rig) -> None:
    table = football
    play(table, "125")
    table.press("clear")
    table.wait(24.1 * HOUR_S)
    assert table.state.value == "bets-open"
    play(table, "116")
    table.press("clear", "enter")
    assert table.state.value == "equipment-due"
    table.press("no-more-bets")
    assert table.state.value == "equipment-due"
    table.floor()
    assert table.state.value == "dice-offered"
    table.press("enter")
    assert table.state.value == "bets-open"


@pytest.mark.clause("577.4(d)")
@pytest.mark.parametrize("cut", [False, True], ids=["with power", "through a power cut"])
def test_a_table_that_is_opened_again_has_a_new_set_of_dice(football: Rig, cut: bool) -> None:
    """§ 577.4(d): with an age of its own, and on record."""
    table = football
    table.wait(20 * HOUR_S)
    table.floor("close")
    table.floor("open")
    assert codes(table, "note").count("renewed") == 2, "the first set, and this one"
    if cut:
        table.power_cut()
    table.press("enter")
    table.wait(23.5 * HOUR_S)
    assert table.state.value == "bets-open"
    table.wait(1 * HOUR_S)
    assert table.state.value == "equipment-due"


@pytest.mark.clause("577.4(d)")
@pytest.mark.parametrize("keys", [("no-roll", "1"), ("2", "2"), ()], ids=["no roll", "dice keyed", "not thrown"])
def test_a_die_lost_in_a_game_is_replaced_on_record(football: Rig, keys: tuple[str, ...]) -> None:
    """§ 577.4(d): a new set of dice, and the game goes on."""
    table = football
    play(table, "661")
    table.press("clear", "no-more-bets", *keys)
    before = table.machine.data
    table.floor("renew", "dice")
    assert (table.state.value, table.machine.data) == ("throw", before)
    assert "renewed" in codes(table, "note")
    assert table.lit() == {"goal-1", "play-2", "yard-9"}


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
    table.floor("open")
    table.press("enter")
    for key in keys:
        if key == "power cut":
            table.power_cut()
        elif key == "stuck-key":
            table.world.fault("stuck-key", "no-roll")
        else:
            table.press(key)
        _check_lamps(table)
    table.world.repair()
    table.wait(31)  # A prompt that is still open closes.
    assert_playable(Dealer(table, random.Random(seed), oracle), oracle)


def _check_lamps(table: Rig) -> None:
    """Wagers are lit only while a throw is settled, and only those that its dice win."""
    data, lit = table.machine.data, table.lit() & table.areas
    if not lit:
        return
    assert table.state.value in ("settling", "settled", "extra-point-offered", "locked")
    if data.decided:
        assert lit <= {"touchdown", "extra-point"}
    else:
        assert lit - {*FULL_GAME} == single_plays_by_hand(*data.entry).keys()
        assert data.ending is not None or not lit & {*FULL_GAME}
