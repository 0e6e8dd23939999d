"""The record names the floorperson whose credential opened the menu, in every game that has one."""

from collections.abc import Callable

import pytest

from config.schema import TableConfig
from controller.access.authentication import Authentication
from controller.bench.rig import Rig
from controller.events.effect import Note, Void
from controller.games.dice.demo import watch_lamps

FIRST, SECOND = ("4711", "830261"), ("4712", "947058")
Shipped = Callable[[str], TableConfig]


class Floorpersons:
    def knows(self, number: str) -> bool:
        return number in dict((FIRST, SECOND))

    def verify(self, number: str, pin: str) -> bool:
        return (number, pin) in (FIRST, SECOND)


@pytest.fixture
def table(shipped: Shipped) -> Callable[[str], Rig]:
    """A table whose floorpersons identify at each turn of the key."""
    return lambda game: Rig(shipped(game), authority=lambda: Authentication(Floorpersons(), session_ns=0))


def key_of(table: Rig, person: tuple[str, str]) -> None:
    number, pin = person
    table.press("floor-key", *number, "enter", *pin, "enter")


def choose(table: Rig, person: tuple[str, str], *keys: str) -> None:
    key_of(table, person)
    table.press("enter", *keys)


def texts(table: Rig) -> list[str]:
    effects = [effect for record in table.records() for effect in record.effects]
    return [one.detail if isinstance(one, Void) else one.text for one in effects if isinstance(one, Note | Void)]


def test_who_closes_a_card_table_orders_a_shuffle_and_voids_a_round(table: Callable[[str], Rig]) -> None:
    cards = table("casino-war")
    choose(cards, FIRST, "1")
    cards.press("enter", "enter")
    assert cards.state.value == "bets-open"
    choose(cards, SECOND, "3")
    assert "floorperson 4712 ordered a reshuffle" in texts(cards)
    cards.press("enter")
    cards.press("1", "no-more-bets", "5")
    choose(cards, FIRST, "7")
    assert any(text.startswith("floorperson 4711 voided the round") for text in texts(cards))
    choose(cards, SECOND, "5")
    assert texts(cards)[-1] == "closed by floorperson 4712"
    assert "closed by floorperson 4712" in cards.waiting_for


def test_who_closes_a_football_table(table: Callable[[str], Rig]) -> None:
    football = table("three-dice-football")
    choose(football, FIRST, "1")
    football.press("enter")
    assert football.state.value == "bets-open"
    choose(football, SECOND, "5")
    assert texts(football)[-1] == "closed by floorperson 4712"


def test_who_closes_a_dice_table(table: Callable[[str], Rig]) -> None:
    dice = table("sic-bo")
    choose(dice, FIRST, "2")
    choose(dice, FIRST, "1")
    for roll in ("444", "156", "224"):
        if dice.table.router.digits_closed:
            dice.press("enter")
        dice.press(*roll, "enter")
        key_of(dice, FIRST)
    watch_lamps(dice)
    key_of(dice, FIRST)
    assert dice.state.value == "bets-open"
    choose(dice, SECOND, "5")
    assert texts(dice)[-1] == "closed by floorperson 4712"


def test_another_who_only_turns_the_key_is_not_taken_for_the_first(table: Callable[[str], Rig]) -> None:
    """The second opens the menu and leaves it; the first closes the table."""
    cards = table("casino-war")
    choose(cards, FIRST, "1")
    cards.press("enter", "enter")
    key_of(cards, SECOND)
    cards.press("clear")
    choose(cards, FIRST, "5")
    assert texts(cards)[-1] == "closed by floorperson 4711"
