"""The machine of a table, made of its game's rounds."""

from collections.abc import Callable

from config.schema import TableConfig
from controller.configuration.house_rules import under_terms
from controller.events.words import Words
from controller.limits.table_state import TableState
from controller.machine.any_machine import AnyMachine
from controller.machine.game import Game
from controller.machine.registry import find_game
from controller.machine.round_machine import RoundMachine
from controller.table.machine import TableMachine
from controller.table.words import TABLE_WORDS


def table_machine(game: Game, config: TableConfig) -> AnyMachine:
    """The machine of a table with this configuration, new."""
    made = game.machine(config)
    machine: AnyMachine = TableMachine(made, words_of(game)) if isinstance(made, RoundMachine) else made
    return machine


def machines(config: TableConfig) -> Callable[[TableState], AnyMachine]:
    """Makes the machine of a table for the odds and rules that are in effect."""
    game = find_game(config.game)
    return lambda terms: table_machine(game, under_terms(config, terms))


def words_of(game: Game) -> Words:
    """Sentences for all codes at a game's table."""
    return {**TABLE_WORDS, **game.words}
