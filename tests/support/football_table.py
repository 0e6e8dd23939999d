"""A Three Dice Football table that is open for wagers."""

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.machines import table_machine
from controller.events.event import Act, Press
from controller.events.words import Text
from controller.machine.registry import find_game
from controller.table.machine import TableMachine


def machine_with_open_wagers(config: TableConfig) -> TableMachine:
    """The machine alone, before the first throw of a game."""
    machine = table_machine(find_game("three-dice-football"), config)
    machine.handle(Act(0, "open", utc_ns=1))
    machine.handle(Press(0, "enter", 1))
    return machine


def throw(table: Rig, dice: str) -> None:
    table.press("no-more-bets", *dice, "enter")


def settle(table: Rig) -> list[Text]:
    """Settle a throw; returns the dealer's instructions, in order."""
    prompts = []
    while table.state.value == "settling":
        prompts.append(table.machine.instruction())
        table.press("done")
    return prompts


def steps(prompts: list[Text]) -> list[tuple[str, str]]:
    """The code of each step of a settlement, and what it pays."""
    return [(one.code.removeprefix("football-"), str(one.parameters.get("wins", ""))) for one in prompts]


def play(table: Rig, *throws: str) -> None:
    """Throws that are settled one after the other."""
    for number, dice in enumerate(throws):
        if number:
            table.press("clear")
        throw(table, dice)
        settle(table)


def touchdown(table: Rig) -> None:
    """A Trips TD, settled up to the question about the extra point."""
    play(table, "444")
    assert table.state.value == "extra-point-offered"
