"""Casino War when something fails, and under any sequence of events."""

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from any_sequence import assert_playable
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from war_table import settle

from config.problems import ConfigError
from config.schema import TableConfig
from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path
from controller.statechart.registry import find_game

GAME = "casino-war"
ORDER = "2 3 4 5 6 7 8 9 10 jack queen king ace".split()
Shipped = Callable[[str], TableConfig]


# -- faults --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("651a.8(c)")
def test_an_unfinished_deal_and_an_unfinished_choice_survive_a_power_cut(war: Rig) -> None:
    table = war
    table.press("no-more-bets", "1", "2", "enter", "9")
    table.power_cut()
    assert "1: 9, 2: _, dealer: _" in table.waiting_for
    table.press("9", "9", "enter")
    settle(table)
    table.press("war")
    lit = table.lit()
    table.power_cut()
    assert table.lit() == lit
    assert "a tie at position 2" in table.waiting_for


def test_a_fault_before_the_deal_closes_the_table_and_one_in_the_round_after_it(war: Rig) -> None:
    table = war
    table.press("no-more-bets")
    table.world.fault("dead-lamp", "initial-1-won")
    table.press("1", "enter", "king", "2", "enter")
    assert "initial-1-won" in table.last("alert").text
    settle(table)
    table.press("clear")
    assert table.state.value == "closed"
    table.world.repair()
    table.press("floor-key", "1", "enter")
    table.world.fault("stuck-key", "ace")
    table.wait(11)
    assert table.state.value == "closed"
    assert table.last("wagers-returned").reason == "malfunction"


@pytest.mark.clause("651a.2(a)", "651a.3(d)", "651a.10")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("decks: 6", "decks: 7"), "7 decks without a shuffler: use 6, 8"),
        (("decks: 6", "decks: 8\n  shuffler: true"), "8 decks with a shuffler: use 12, 14, 16"),
        (("positions: 7", "positions: 8"), "8 is out of range use 1 to 7"),
        (("decks: 6", "decks: 6\n  retire_h: 25"), "25 is out of range use 1 to 24"),
        (("rules:", "layout:\n  odds:\n    tie-1: 11 to 1\nrules:"), "§ 651a.10 fixes the odds of tie-1"),
        (("positions: 7", "positions: 6"), "no area 'initial-7-won' in this game"),
        (("decks: 6", "decks: 6\n  warn_h: 20\n  retire_h: 10"), "comes after"),
    ],
)
def test_invalid_rules_are_refused(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    file = tmp_path / "table.yaml"
    file.write_text(table_path(GAME).read_text().replace(*change))
    with pytest.raises(ConfigError) as failure:
        load_table(file)
    assert message in f"{failure.value.problems[0].message} {failure.value.problems[0].remedy}"


@pytest.mark.clause("651a.3(a)", "651a.3(c)")
@pytest.mark.parametrize(("shuffler", "allowed"), [("false", {6, 8}), ("true", {12, 14, 16})])
def test_only_the_regulations_numbers_of_decks_are_played(tmp_path: Path, shuffler: str, allowed: set[int]) -> None:
    """§ 651a.3(a), (c)(1): six or eight; with a shuffler twelve to sixteen, in two equal batches."""
    file, accepted = tmp_path / "table.yaml", set()
    for decks in range(1, 21):
        file.write_text(table_path(GAME).read_text().replace("decks: 6", f"decks: {decks}\n  shuffler: {shuffler}"))
        with suppress(ConfigError):
            load_table(file)
            accepted.add(decks)
    assert accepted == allowed


# -- any sequence --------------------------------------------------------------------------------------------------


KEYS = sorted(find_game(GAME).controls | {"floor-key"})
OFTEN = ["enter", "done", "no-more-bets", "1", "2", "9", "9", "war", "clear", "power cut"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(keys=st.lists(st.sampled_from([*KEYS, *OFTEN, *OFTEN]), max_size=80), seed=st.integers(0, 99))
@pytest.mark.campaign
def test_no_sequence_lights_a_false_lamp_or_ends_in_a_dead_end(
    shipped: Shipped, keys: list[str], seed: int
) -> None:
    oracle = Oracle()
    table = Rig(shipped(GAME), listeners=(oracle,))
    table.press("floor-key", "1", "enter")
    for key in keys:
        if key == "power cut":
            table.power_cut()
        else:
            table.press(key)
        _check_lamps(table)
    assert_playable(Dealer(table, random.Random(seed), oracle), oracle)


def _check_lamps(table: Rig) -> None:
    """Lamps agree with the cards on the table, as § 651a.9 compares them; the shoe's count is that of the cards."""
    data = table.machine.data
    for lamp in table.lit():
        kind, seat, how = lamp.split("-")
        at_war = bool(data.war_outcomes)
        seats, cards = (data.war, data.war_cards) if at_war else (data.seats, data.cards)
        mine, theirs = ORDER.index(cards[seats.index(int(seat))]), ORDER.index(cards[-1])
        if kind == "tie":
            assert (how == "won") == (mine == theirs)
        elif int(seat) in data.surrendered:
            assert how == "tied"
        else:
            assert how == ("tied" if mine == theirs else "won" if mine > theirs else "lost")
    assert sum(data.seen) <= data.dealt or data.dealt == 0
    assert max(data.seen) <= 24
