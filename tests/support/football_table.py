"""A Three Dice Football table that is open for wagers."""

import re

from controller.bench.rig import Rig


def throw(table: Rig, dice: str) -> None:
    table.press("no-more-bets", *dice, "enter")


def settle(table: Rig) -> list[str]:
    """Settle a throw; returns the dealer's prompts, in order."""
    prompts = []
    while table.state.value == "settling":
        prompts.append(table.waiting_for)
        table.press("done")
    return prompts


def play(table: Rig, *throws: str) -> None:
    """Throws that are settled one after the other."""
    for number, dice in enumerate(throws):
        if number:
            table.press("clear")
        throw(table, dice)
        settle(table)


def offered(table: Rig) -> dict[str, str]:
    """The words beside each key of the question that the table asks, in its prompt or as a menu."""
    entries = {entry.control: entry.words for entry in table.machine.menu()}
    return entries or dict(re.findall(r"\b(\d) ([^,;]+)", table.waiting_for))
