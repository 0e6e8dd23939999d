"""What holds for every registered game: all numbers come from the game itself.

A game that is added is covered by being registered. Where chance and a dealer's next right thing do not lead into
one of its states, ``tests/support/ways.py`` has the way.
"""

import json
import random
import re
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from any_game import OPEN, Walk, back_to_open, controls, shipped_table
from faulty_dealer import DealerAmongFaults, FaultSettings
from screen_table import arrive
from ways import states

from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.bench.simulate import logged_failures
from controller.commands.cli import main
from controller.events.words import Text, say
from controller.games.roulette.layout import WheelType
from controller.machine.game import words_of
from controller.machine.registry import find_game, game_names
from controller.odds.wagers import to_one
from controller.table.machine import Overlay
from controller.viewmodel import description
from controller.viewmodel.task import LINE

GAMES = game_names()
SELDOM_REACHED: Mapping[tuple[str, str], str] = {
    ("three-dice-football", "position"): "a quarterback is named anew: test_three_dice_football.py",
}
"""States to which people's correct actions do not lead; and why."""
PLACES = [(name, state) for name in GAMES for state in states(name) if (name, state) not in SELDOM_REACHED]
RULES: Mapping[str, list[dict[str, object]]] = {
    "casino-war": [{"positions": 7, "decks": decks, "shuffler": decks > 8} for decks in (6, 8, 12, 14, 16)],
    "roulette": [
        {"result": "keypad", "wheel": wheel.value, "five_adjacent": five}
        for wheel in WheelType
        for five in ("false", "true")
    ],
}
"""The rules of which returns depend."""
SEED = 1
ACTS = 200


@pytest.fixture(params=GAMES)
def name(request: pytest.FixtureRequest) -> str:
    """Each of the games in turn."""
    return str(request.param)


# -- rounds -------------------------------------------------------------------------------------------------


def test_rounds_end_with_true_results_and_no_code_fails(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["simulate", name, "--rounds", "40", "--seed", "4", "--workers", "1", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (found["failures"], found["wrong"], found["broken"]) == ([], [], [])
    assert found["rounds"] >= 40
    assert found["results"] > 0
    assert code == 0


def test_among_faults_no_result_is_wrong_and_no_code_fails(name: str) -> None:
    oracle = Oracle()
    with logged_failures() as failures:
        rig = Rig(shipped_table(name), options={"seed": 4}, listeners=(oracle,))
        DealerAmongFaults(rig, random.Random(4), oracle, FaultSettings()).play(40)
    assert (failures, oracle.tally.wrong, rig.journal.verify().problem) == ([], [], "")
    assert oracle.tally.locks > 0 or rig.world.head is None


# -- states -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "state"), PLACES)
def test_every_state_has_a_text_a_true_document_and_an_exit(game: str, state: str) -> None:
    """Each document on the way is strict JSON, has texts, and shows only what is on record."""
    screens = arrive(shipped_table(game), state)
    rig, chance, oracle = screens.rig, random.Random(1), Oracle()
    assert rig is not None
    assert rig.waiting_for
    lit, before = rig.lit(), rig.state
    screens.power_cut()
    assert rig.lit() == (lit if rig.state is before else rig.lit() & lit), "no power cut lights or loses a result"
    rig.press(*chance.choices(controls(rig), k=5))
    back_to_open(rig, oracle, chance)
    assert screens.board()["headline"]
    rig.table.stop()


CODES = {"note": "text", "alert": "text", "void": "reason", "lock": "cause", "refused": "waiting_for"}
"""The field with the code that people read, by kind of effect."""


def without_sentence(table: Rig) -> set[str]:
    """The codes on record that have no words."""
    words, found = words_of(table.game), set()
    for effect in (effect for record in table.records() for effect in record.effects if effect.kind in CODES):
        code = getattr(effect, "why", "") or getattr(effect, CODES[effect.kind])
        if say(words, Text(code, effect.parameters)) == code:
            found.add(code)
    return found


def raw_names(table: Rig, texts: Iterable[str]) -> set[str]:
    """Names of the record in texts for people: those of several words, which a sentence has no use for."""
    game = table.game
    names = {*game.lamps(table.config.rules), *game.areas, *game.controls, *game.switches} - {"1-18", "19-36"}
    found = re.compile(r"(?<![\w-])[a-z0-9]+(?:-[a-z0-9]+)+(?![\w-])")
    return names.intersection(found.findall(" ".join(texts)))


def test_whatever_is_pressed_or_breaks_the_table_can_be_opened_again(name: str) -> None:
    """Meanwhile the dealer's screen has one act in a line, and no name of the record."""
    walk = Walk(name, SEED)
    wrong: set[str] = set()

    def look(board: dict[str, Any]) -> None:
        dealer: Any = walk.screens.dealer()
        task, keyed = dealer["task"], dealer["keyed"] or {"words": ""}
        if not 0 < len(task["act"]) <= LINE:
            wrong.add(f"{board['state']}: {task['act']}")
        labels = [win["label"] for win in dealer["paid"]]
        wrong.update(raw_names(walk.rig, [task["act"], *task["more"], dealer["refused"], *labels, keyed["words"]]))

    walk.screens.checks.append(look)
    assert walk.go(ACTS) == []
    assert wrong == set()
    assert without_sentence(walk.rig) == set()
    assert len(walk.left) > len(walk.rig.machine.states) / 3
    assert OPEN in walk.left


# -- wagers -------------------------------------------------------------------------------------------------


def test_no_wager_returns_more_than_it_takes_and_each_can_be_won_and_lost(name: str) -> None:
    """Under every choice that a table's rules leave, at the least odds of the regulation."""
    game = find_game(name)
    for rules in (shipped_table(name).rules, *RULES.get(name, ())):
        for item in game.returns(game.least_payouts(rules), rules):
            assert 0 < item.return_to_player <= 1, (item, rules)
            assert 0 < item.probability < 1, (item, rules)


def test_odds_are_worded_to_one_by_a_clause_of_the_games_chapter(name: str) -> None:
    game = find_game(name)
    assert len(set(game.areas)) == len(game.areas)
    for wager in game.wagers:
        assert wager.clause.startswith(f"§ {game.chapter}.") or not game.chapter, wager
        assert all(odds > 0 and to_one(odds).split()[1] == "to" for odds in wager.minimum), wager


def test_a_table_is_described(name: str) -> None:
    config, game = shipped_table(name), find_game(name)
    rig = Rig(config)
    described: dict[str, Any] = dict(description.describe(rig.config))
    states = {str(state.value) for state in rig.table.machine.states}
    ends = {(row.source.value, row.to.value) for row in rig.table.machine.transitions if row.to is not None}
    rig.table.stop()
    assert json.loads(json.dumps(described, allow_nan=False)) == described
    assert [area["area"] for area in described["areas"]] == [
        wager.area for wager in game.wagers_under(config.rules)
    ]
    for area in described["areas"]:
        assert area["label"]
        assert all(to_one(odds) in area["pays"] for odds in game.payouts(config).all_odds(area["area"]))
    assert described["lamps"] == list(game.lamps(config.rules))
    assert {control["control"] for control in described["controls"]} >= game.controls | game.switches
    # The table layer's own states are no part of the diagram.
    of_round = states - {state.value for state in Overlay}
    assert {end[0] for end in ends} == {end[1] for end in ends} == of_round
