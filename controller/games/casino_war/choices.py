"""The menus of Casino War, entry by entry: the floorperson's, surrender or war, and which card was wrong."""

from collections.abc import Iterator, Mapping

from controller.games.casino_war.play import S, WarData, WarState, direct, in_round
from controller.games.shared.floor import CLOSED_ALREADY, LEAVE
from controller.statechart.menu import MenuEntry

_OPEN = "the table is open"
_ROUND = "a round is in progress"
_NO_ROUND = "no round is in progress"


def entries(state: WarState, data: WarData, positions: int, automated: bool) -> Iterator[MenuEntry]:
    """The entries of a state's menu, each with why it may be unavailable; none if it has no menu.

    Args:
        automated: whether the table is set up with an automated shuffler.
    """
    if state is S.MENU:
        yield from _floor_menu(data, automated)
    elif state is S.DECISION:
        yield MenuEntry("war", "go to war")
        yield MenuEntry("surrender", "surrender half the wager")
        yield MenuEntry("clear", "take the last choice back", "nobody has chosen yet")
    elif state is S.CORRECTING and direct(data) and data.keyed:
        yield from _cards(data, positions)


def _floor_menu(data: WarData, automated: bool) -> Iterator[MenuEntry]:
    yield MenuEntry("1", "open the table with new cards", _ROUND if in_round(data) else _OPEN)
    yield MenuEntry("2", _ending(data, "new cards"), "the table is closed: 1 opens it with new cards")
    yield MenuEntry("3", _ending(data, "reshuffle"), "the table is closed")
    if automated:
        yield MenuEntry("4", "the shuffler is out of order and covered")
    yield MenuEntry("5", _ending(data, "close the table"), CLOSED_ALREADY)
    if automated:
        yield MenuEntry("6", "the shuffler is in use")
    closes = ", close the table" if in_round(data) and data.cause else ""
    yield MenuEntry("7", f"void this round{closes}", _NO_ROUND)
    yield MenuEntry("8", "the count of the cards is wrong", "no cards are being dealt")
    yield MenuEntry("9", "the cover card is still in the shoe", _no_cover(data))
    yield LEAVE


def _ending(data: WarData, what: str) -> str:
    """What an entry does that ends the round in progress, or gives back the wagers of one that has not begun."""
    if in_round(data):
        return f"void this round, {'close the table' if data.cause else what}"
    return f"{what}: wagers go back" if data.back is S.BETS_OPEN else what


def _no_cover(data: WarData) -> str:
    if data.recounted:
        return "the cards were counted anew"
    return "the cards are shuffled in any case" if data.back is S.SHUFFLE and data.cover else "it was not keyed"


def _cards(data: WarData, positions: int) -> Iterator[MenuEntry]:
    """The cards of the deal, of which one alone may have been wrong."""
    cards = dict(zip((*data.dealt_to, 0), data.keyed, strict=False))
    for position in range(1, positions + 1):
        yield MenuEntry(str(position), f"position {position}{_of(cards, position)}", "no card of this deal")
    yield MenuEntry("0", f"the dealer{_of(cards, 0)}")
    yield MenuEntry("clear", "give the correction up")


def _of(cards: Mapping[int, str], place: int) -> str:
    return f": {cards[place]}" if place in cards else ""
