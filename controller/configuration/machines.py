"""The machine of a table, made of its game's rounds."""

from collections.abc import Callable

from config.schema import TableConfig
from controller.configuration.house_rules import under_terms
from controller.limits.table_state import TableState
from controller.machine.game import Game, words_of
from controller.machine.registry import find_game
from controller.table.machine import TableMachine


def table_machine(game: Game, config: TableConfig) -> TableMachine:
    """The machine of a table with this configuration, new."""
    return TableMachine(game.machine(config), words_of(game))


def machines(config: TableConfig) -> Callable[[TableState], TableMachine]:
    """Makes the machine of a table for the odds and rules that are in effect."""
    game = find_game(config.game)
    return lambda terms: table_machine(game, under_terms(config, terms))
