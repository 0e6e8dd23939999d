"""Whatever people press in whatever state of every game: an exit, the truth, and nothing that nobody gave."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from people.explored import FLOOR, UTC_NS, Exploration, Table
from people.games import GAMES
from people.rules import report

from controller.configuration.shipped import load_table, table_path
from controller.events.effect import Note
from controller.events.event import Act, Event
from controller.events.record import Decision
from controller.games.clapper_wheel.round import WheelRound
from controller.machine.offers import Authority, Equipment, Offer
from controller.table import ages
from controller.table.machine import TableMachine

SAMPLED, MOST = 150, 10_000
"""Places of each table that are explored in every run, and in the campaign, the nearest; of the wheels all."""
WHOLE = frozenset({"dreamcatcher", "big-six"})


def tables(game: str) -> Iterator[Table]:
    return iter(GAMES[game](load_table(table_path(game)).config))


@pytest.mark.parametrize("game", GAMES)
def test_the_places_of_each_table_keep_every_rule(game: str) -> None:
    for table in tables(game):
        found = Exploration(table, MOST if game in WHOLE else SAMPLED)
        assert report(found) == "", table.name
        assert found.whole or game not in WHOLE


@pytest.mark.campaign
@pytest.mark.parametrize("game", [game for game in GAMES if game not in WHOLE])
def test_ten_thousand_places_of_each_table_keep_every_rule(game: str) -> None:
    """All there are, except with two positions at Casino War."""
    for table in tables(game):
        found = Exploration(table, MOST)
        assert report(found) == "", table.name
        assert found.whole or table.name.startswith("2 positions")


# -- the matrix fails where it must --------------------------------------------------------------------------------


def broken(**changes: Any) -> str:
    """What is found at a wheel that is described so."""
    return report(Exploration(replace(next(tables("big-six")), **changes), 300))


def offering(monkeypatch: pytest.MonkeyPatch, *offers: Offer) -> None:
    monkeypatch.setattr(WheelRound, "offers", lambda self: iter(offers))


def test_a_state_without_an_exit_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    offering(monkeypatch)
    assert "exits: respin: no exit" in broken(hands=frozenset())
    assert "exits: respin: cannot be left within 6 presses" in broken()


def test_an_entry_of_the_menu_without_a_row_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    offering(monkeypatch, Offer("end-round"))
    assert "exits: winners-paid: floor end-round: is in the menu, and refused" in broken()


def test_what_cannot_be_corrected_is_found() -> None:
    found = broken(keyed=lambda state, data: ("floor: 40",) if state == "result" else ())
    assert "corrections: result: floor: 40 cannot be taken back" in found


def test_a_dealer_who_undoes_a_result_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    offering(monkeypatch, Offer("void", "late-wagers", Authority.DEALER, control="enter"))
    assert "authority: result: press enter: undoes a result" in broken()


def test_a_void_that_a_sensor_contradicts_is_found() -> None:
    found = broken(contradicted=lambda state, data: ("late-wagers",) if state == "result" else ())
    assert "authority: result: void late-wagers: a sensor contradicts it" in found


def test_a_reason_that_nobody_gave_is_found() -> None:
    found = broken(voids={})
    assert "inventions: bets-open: is thrown: nobody gave the reason wagers-open" in found


def test_a_person_who_did_not_act_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    handle = TableMachine.handle

    def remembering(self: TableMachine, event: Event) -> Decision:
        decision = handle(self, event)
        return decision._replace(effects=(*decision.effects, Note("moved", {"by": FLOOR})))

    monkeypatch.setattr(TableMachine, "handle", remembering)
    found = broken()
    assert "inventions: bets-open: press no-more-bets: names a person who did not act" in found
    assert "inventions: bets-open: floor close: names another person" in found


@pytest.mark.parametrize("checked", [True, False])
def test_wagers_on_old_equipment_are_found(monkeypatch: pytest.MonkeyPatch, checked: bool) -> None:
    dice = (Equipment("dice", 23, 24, "§ 539.2(b)"),)
    monkeypatch.setattr(WheelRound, "equipment", property(lambda self: dice))
    if not checked:
        monkeypatch.setattr(ages, "fresh", lambda data, equipment: True)
    found = broken(start=(Act(0, "renew", "dice", UTC_NS, FLOOR),))
    assert ("ages: bets-open: wagers are open on old equipment" in found) is not checked
