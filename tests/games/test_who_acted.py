"""The record names the floorperson whose credential opened the menu, in every game that has one."""

from collections.abc import Callable

import pytest
from screen_table import arrive

from config.schema import TableConfig
from controller.access.authentication import Authentication
from controller.bench.rig import Rig
from controller.bench.ways import states
from controller.configuration.shipped import shipped_tables
from controller.events.effect import Note, Void
from controller.events.event import Press
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


PLACES = [(game, state) for game in sorted(shipped_tables()) for state in states(game)]


@pytest.mark.parametrize(("game", "state"), PLACES)
def test_what_the_key_does_is_on_record_with_who_identified(shipped: Shipped, game: str, state: str) -> None:
    """In every state of every game: no note of a turn of the key says only "the floorperson"."""
    rig = arrive(shipped(game), state, stop=True).rig
    assert rig is not None
    rig.table.take([Press(rig.clock.now_ns(), "floor-key", rig.clock.utc_ns(), by="4711")])
    said = [effect.text if isinstance(effect, Note) else effect.detail for effect in notes_of(rig)]
    assert not [text for text in said if "the floorperson" in text]
    assert not said or any("4711" in text for text in said)


def notes_of(rig: Rig) -> list[Note | Void]:
    effects = [effect for record in rig.records() if by(record.event) for effect in record.effects]
    return [effect for effect in effects if isinstance(effect, Note | Void)]


def by(event: object) -> bool:
    return isinstance(event, Press) and event.by == "4711"


@pytest.mark.clause("617a.5(c)")
@pytest.mark.parametrize("who", [FIRST, None])
def test_who_decides_a_disputed_number_is_on_record_and_only_who_identified(
    shipped: Shipped, who: tuple[str, str] | None
) -> None:
    rig = arrive(shipped("roulette"), "dispute", stop=True).rig
    assert rig is not None
    number = who[0] if who else ""
    rig.table.take([Press(rig.clock.now_ns(), "floor-key", rig.clock.utc_ns(), by=number)])
    rig.press("1", "7", "enter")
    named = f"floorperson {number}" if number else "the floorperson"
    assert any(text.startswith(f"{named} decided 17 black") for text in texts(rig))


def test_who_closes_a_roulette_table(shipped: Shipped) -> None:
    rig = arrive(shipped("roulette"), "bets-open", stop=True).rig
    assert rig is not None
    rig.table.take([Press(rig.clock.now_ns(), "floor-key", rig.clock.utc_ns(), by="4711")])
    rig.press("5")
    assert texts(rig)[-1] == "closed by floorperson 4711"
