"""A Three Dice Football table that is open for wagers."""

from typing import Any

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.machines import table_machine
from controller.events.event import Act, Press
from controller.events.words import Text
from controller.machine.registry import find_game
from controller.table.machine import TableMachine


def machine_before_a_throw(config: TableConfig) -> TableMachine:
    """The machine alone, before the first throw of a game."""
    machine = table_machine(find_game("three-dice-football"), config)
    machine.handle(Act(0, "open", utc_ns=1))
    for control in ("enter", "no-more-bets"):
        machine.handle(Press(0, control, 1))
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


def effects(table: Rig, kind: str) -> list[Any]:
    """Every effect of a kind on record."""
    return [effect for record in table.records() for effect in record.effects if effect.kind == kind]


def codes(table: Rig, kind: str) -> list[str]:
    """The codes of every note or alert on record."""
    return [effect.text for effect in effects(table, kind)]
