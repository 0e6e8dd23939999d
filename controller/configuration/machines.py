"""The machine of a table, by the odds and rules that are on record, whatever its file says by now (§ 521.8(b))."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from pydantic import ValidationError

from config.problems import Finding
from config.schema import DiceSection, TableConfig
from controller.configuration.rules import lamps, own_rules
from controller.events.event import House
from controller.limits.table_state import TableState
from controller.limits.terms import house_of
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


def under_terms(config: TableConfig, state: TableState) -> TableConfig:
    """The same table under the terms on record; the very same configuration if they are its own, or none are.

    Rules that this software cannot read, or that cannot be played on the table's devices, leave its own.
    """
    house = state.house
    if house is None:
        return config
    return _under(config, replace(house_of(config), odds=house.odds) if unplayable(config, state) else house)


def _under(config: TableConfig, house: House) -> TableConfig:
    if house == house_of(config):
        return config
    odds = {area: Fraction(pays.replace(" to ", "/")) for area, pays in house.odds.items()}
    layout = config.layout.model_copy(update={"symbols": house.symbols, "odds": odds})
    dice = DiceSection.model_validate(house.dice) if house.dice and config.dice is not None else config.dice
    return config.model_copy(update={"rules": house.rules, "layout": layout, "dice": dice})


def unplayable(config: TableConfig, state: TableState) -> bool:
    """Whether the rules on record cannot be played on the devices of the file.

    A layout with other lamps, a wheel with other pockets, no wheel reader: the equipment is another one.
    """
    if state.house is None:
        return False
    try:
        on_record = _under(config, state.house)
        return any(_missing(on_record)) or _pockets(on_record) != _pockets(config)
    except ValidationError:  # This software does not know them.
        return True


def _missing(config: TableConfig) -> Iterator[Finding]:
    """What the rules need and the devices do not have. More lamps than they need do no harm."""
    game = find_game(config.game)
    given = config.devices.panel.lamps
    yield from (found for found in own_rules(config, game) if not found.on_key)
    yield from (found for found in lamps(config, game) if found.path[-1] not in given)


def _pockets(config: TableConfig) -> tuple[str, ...]:
    """The pockets of a roulette wheel; none for other games."""
    pockets = find_game(config.game).pockets
    return tuple(pockets(config.rules)) if pockets is not None else ()
