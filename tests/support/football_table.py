"""A Three Dice Football table that is open for wagers."""

from controller.bench.rig import Rig


def throw(table: Rig, dice: str) -> None:
    table.press("no-more-bets", *dice, "enter")


def settle(table: Rig) -> list[str]:
    """Settle a throw; returns what the dealer was told to do, in order."""
    told = []
    while table.state.value == "settling":
        told.append(table.waiting_for)
        table.press("done")
    return told


def play(table: Rig, *throws: str) -> None:
    """Throws that are settled one after the other."""
    for number, dice in enumerate(throws):
        if number:
            table.press("clear")
        throw(table, dice)
        settle(table)
