"""The menus of Three Dice Football, by entry: the floorperson's, the reasons of a no roll, the extra point."""

from collections.abc import Iterator

from controller.games.shared.floor import CLOSED_ALREADY, LEAVE
from controller.games.three_dice_football.play import NO_ROLLS, FootballData, FootballState, S
from controller.statechart.menu import MenuEntry


def entries(state: FootballState, data: FootballData) -> Iterator[MenuEntry]:
    """The entries of a state's menu, each with why it may be unavailable; none if it has no menu."""
    if state is S.MENU:
        yield MenuEntry("1", "open the table with new dice", "the table is open")
        yield MenuEntry("2", "new set of dice")
        yield MenuEntry("5", "close the table: wagers go back", CLOSED_ALREADY)
        yield LEAVE
    elif state is S.NO_ROLL:
        for key, (_, words) in NO_ROLLS.items():
            # The clause is for the record.
            yield MenuEntry(key, words.partition(" (§")[0])
        yield MenuEntry("clear", "leave: the throw counts")
    elif state is S.EXTRA_OFFER:
        yield MenuEntry("enter", "yes: the extra point is thrown")
        yield MenuEntry("clear", "no: the touchdown wagers are paid")
        yield MenuEntry("correct", "the dice were keyed wrongly")
