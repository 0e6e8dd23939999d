"""Casino War when something fails, and under any sequence of events."""

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from any_sequence import assert_playable
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config.problems import ConfigError
from config.schema import TableConfig
from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path
from controller.machine.registry import find_game

GAME = "casino-war"
ORDER = "2 3 4 5 6 7 8 9 10 jack queen king ace".split()
Shipped = Callable[[str], TableConfig]


# -- faults --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("keys", [("deal", "9"), ("settled",)])
def test_only_a_round_that_is_under_way_waits_for_the_floorperson_after_a_long_cut(
    war: Rig, keys: tuple[str, ...]
) -> None:
    war.press("no-more-bets", "1", "enter", "9")
    if keys[0] == "settled":
        war.press("8", "enter", "done", "done")
    war.power_cut(1900)
    assert war.state.value == ("locked" if keys[0] == "deal" else "settled")


def test_a_fault_while_wagers_are_open_closes_the_table(war: Rig) -> None:
    war.world.fault("stuck-key", "ace")
    war.wait(11)
    assert war.state.value == "closed"
    assert war.last("wagers-returned").reason == "malfunction"
    war.world.repair()
    war.floor()
    war.press("enter")
    assert war.state.value == "bets-open"


@pytest.mark.parametrize("end", [("clear",), ("done", "clear"), ("cover-card", "done", "clear")])
def test_a_fault_in_a_round_closes_the_table_after_it(war: Rig, end: tuple[str, ...]) -> None:
    """Whichever key ends the round: it is settled by its cards, and no other one opens."""
    war.press("no-more-bets")
    war.world.fault("dead-lamp", "initial-1-won")
    war.press("1", "enter", "king", "2", "enter")
    assert (war.last("alert").text, war.state.value) == ("lamps-dark", "settling")
    war.press("done", *end)
    assert (war.state.value, war.machine.round) == ("closed", 1)
    kinds = {effect.kind for record in war.records() for effect in record.effects}
    assert not kinds & {"void", "wagers-returned"}
    assert "No light at initial-1-won" in war.waiting_for


def test_a_round_that_is_void_ends_the_wait_for_a_fault(war: Rig) -> None:
    war.press("no-more-bets", "1", "enter", "king")
    war.world.fault("stuck-key", "ace")
    war.wait(11)
    assert war.state.value == "deal"
    war.floor("void")
    assert war.state.value == "closed"
    returned = [
        effect.reason for record in war.records() for effect in record.effects if effect.kind == "wagers-returned"
    ]
    assert returned == ["dead-round"]


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
    table.floor()
    table.press("enter")
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
        at_war = len(data.results) > 1
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
