"""Whatever people press in whatever state of whatever game: an exit, the truth, and nothing that nobody gave.

A sample of the matrix of people (``docs/people.md``); the whole of it is :mod:`campaigns.people_page`.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from campaigns import people as matrix
from campaigns.explored import explore
from campaigns.people import WIDE, GameReport, explored_games, report, states_of
from campaigns.people_rules import corrections, dealer_alone, exits, inventions, truths
from campaigns.people_words import one_action, refusals

from controller.bench.people import ANOTHER, Exemption, People, Setup, Truth, people_of
from controller.configuration.shipped import load_table, table_path
from controller.events.effect import Note
from controller.statechart.registry import find_game, game_names

SAMPLED = 120
"""Places of each table, the nearest."""
WHOLE = ("big-six", "dreamcatcher")
"""Games with so few places that all are explored."""
GAMES = explored_games()


def setup_of(game: str) -> tuple[People, Setup]:
    people = people_of(find_game(game))
    assert people is not None
    return people, next(iter(people.setups(load_table(table_path(game)).config)))


# -- the matrix and its page -------------------------------------------------------------------------------------


def test_every_game_is_explored() -> None:
    assert game_names() == GAMES


@pytest.mark.parametrize("game", [game for game in GAMES if game not in WHOLE])
@pytest.mark.campaign
def test_the_nearest_places_of_each_game_keep_every_rule(game: str) -> None:
    failures = [failure for failure in report(game, SAMPLED).failures if "was not reached" not in failure]
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("game", WHOLE)
@pytest.mark.campaign
def test_all_places_of_a_game_keep_every_rule_and_no_exemption_is_left_over(game: str) -> None:
    found = report(game)
    assert all(one.whole for one in found.figures)
    assert [*found.failures, *found.expired(states_of(game))] == []


@pytest.mark.campaign
@pytest.mark.parametrize("game", GAMES)
def test_as_many_places_of_each_game_as_the_page_has_keep_every_rule(game: str) -> None:
    found = report(game, WIDE)
    assert [*found.failures, *found.expired(states_of(game))] == []


# -- the matrix fails where it must --------------------------------------------------------------------------------


def test_a_state_without_an_exit_is_a_failure_that_names_the_way_and_the_data(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people, _ = setup_of("big-six")
    locked = replace(people, between=lambda state, data: state == "bets-open" and not data.cause)
    monkeypatch.setattr(matrix, "people_of", lambda game: replace(locked, by_hand=frozenset()))
    failure = next(one for one in report("big-six").failures if ": exit: locked" in one)
    assert "way: the sensors disagree\n" in failure
    assert "data: WheelData(cause='a fault'" in failure


def test_an_exemption_that_covers_nothing_any_more_is_a_failure() -> None:
    people, _ = setup_of("big-six")
    gone = Exemption("exit", "locked", "it was a dead end")
    made = GameReport("big-six", replace(people, rulings=(gone,), open_findings=()))
    assert list(made.expired({"locked"})) == [
        "big-six: the exemption exit, locked covers nothing any more: remove it"
    ]
    assert list(made.expired({"bets-open"})) == []
    made.used[gone] = 1
    assert list(made.expired({"locked"})) == []


def test_each_rule_finds_its_breach() -> None:
    people, setup = setup_of("dreamcatcher")
    broken = replace(
        people,
        between=lambda state, data: False,
        given=lambda state, data: "" if state in ("no-more-bets", "void-spin") else "wagers",
        over=lambda state, data: False,
        corrects=lambda data: "the section" if data.multiplier > 1 else "",
        truths=lambda state, data: (Truth("it rains", (("done",),), lambda data, effects: False),),
        voids={},
        acts={},
    )
    found = explore(broken, setup, 900)
    assert {one.where for one in exits(found)} >= {"bets-open", "result"}
    assert {one.where for one in truths(found)} >= {"bets-open: it rains"}
    assert {one.where for one in dealer_alone(found)} == {"bets-open: no-more-bets", "spinning: no-spin"}
    assert any("the section is taken back" in one.detail for one in corrections(found))
    assert {one.where for one in inventions(found)} >= {"spinning: a short spin rests", "spinning: press no-spin"}
    assert {one.where.partition(":")[0] for one in refusals(found)} >= {"respin"}
    assert list(one_action(found)) == []


MENU = "floor-menu"


def remembering(monkeypatch: pytest.MonkeyPatch, handle: Callable[[Any, Any], Any]) -> list[str]:
    """What is found of persons at a table of Sic Bo whose machine answers so."""
    people, setup = setup_of("sic-bo")
    machine, answers = setup.machine, type(setup.machine).handle
    monkeypatch.setattr(machine, "handle", lambda event: handle(lambda: answers(machine, event), machine))
    return [one.detail for one in inventions(explore(people, setup, 150)) if "person" in one.detail]


def test_who_turned_the_key_on_the_way_may_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert remembering(monkeypatch, lambda answer, machine: answer()) == []


def test_another_person_than_the_one_who_turned_the_key_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def named(answer: Any, machine: Any) -> Any:
        state, decision = machine.state.value, answer()
        note = Note(f"floorperson {ANOTHER} chose") if state == MENU else Note("played")
        return decision._replace(effects=(*decision.effects, note))

    found = remembering(monkeypatch, named)
    assert "names a person whose key was not turned" in found


def test_a_person_is_found_whose_key_was_turned_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def named(answer: Any, machine: Any) -> Any:
        decision = answer()
        return decision._replace(effects=(*decision.effects, Note(f"by {ANOTHER}")))

    assert "names a person who did not identify" in remembering(monkeypatch, named)


def test_a_person_who_is_remembered_without_a_turn_of_the_key_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def kept(answer: Any, machine: Any) -> Any:
        decision = answer()
        machine.data = replace(machine.data, by=ANOTHER)
        return decision

    assert "names a person whose key was not turned" in remembering(monkeypatch, kept)
