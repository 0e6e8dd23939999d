"""The menus of a table with keyed-in dice, entry by entry: the floorperson's, and why a round is void."""

from collections.abc import Iterator

from controller.games.dice.rules import NO_ROLLS, DiceData, DiceState, S
from controller.games.shared.floor import LEAVE
from controller.statechart.menu import MenuEntry


def entries(state: DiceState, data: DiceData) -> Iterator[MenuEntry]:
    """The entries of a state's menu, each with why it may be unavailable; none if it has no menu."""
    if state is S.MENU:
        yield from _floor_menu(data)
    elif state is S.NO_ROLL:
        yield from _no_rolls(data)


def _floor_menu(data: DiceData) -> Iterator[MenuEntry]:
    back = ": wagers go back" if data.back is S.BETS_OPEN else ""
    opens = f"inspect the table anew{back}" if data.back is not S.CLOSED else "open the table: inspection"
    yield MenuEntry("1", opens)
    yield MenuEntry("2", "new dice in the shaker")
    yield MenuEntry("3", "the automated shaker was removed", "the table has the manual one")
    yield MenuEntry("4", f"an automated shaker was installed{back}", "the table has it already")
    yield MenuEntry("5", f"close the table{back}")
    yield LEAVE


def _no_rolls(data: DiceData) -> Iterator[MenuEntry]:
    for key, reason in NO_ROLLS.items():
        yield MenuEntry(key, reason.words, reason.excluded(data))
    if data.wins:
        yield MenuEntry("correct", "the dice were keyed wrongly")
    yield MenuEntry("clear", "leave: the round is not void")
