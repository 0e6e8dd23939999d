"""The description of a table: the part of its pages that does not change while it runs."""

from collections.abc import Sequence

from config.schema import TableConfig
from controller import __version__
from controller.events.words import spoken
from controller.machine.game import Game
from controller.machine.registry import find_game
from controller.odds.wagers import to_one
from controller.table.machine import TableMachine
from controller.viewmodel import documents
from controller.viewmodel.health import controls
from controller.viewmodel.screen import GameScreen, screen_of


def describe(config: TableConfig) -> documents.Description:
    """The description of a table, by the payout odds and rules in effect: what changes only with these."""
    game, screen = find_game(config.game), screen_of(config.game)
    return {
        "table": config.table,
        "game": game.name,
        "title": game.title,
        "areas": _areas(config, game, screen),
        "lamps": list(game.lamps(config.rules)),
        "figure": screen.figure,
        **screen.extras(config),
        "controls": _controls(config),
        "version": __version__,
    }


def _areas(config: TableConfig, game: Game, screen: GameScreen) -> list[documents.AreaOdds]:
    symbols, payouts = config.layout.symbols, game.payouts(config)
    label = screen.label or game.area_name

    def described(area: str) -> documents.AreaOdds:
        shown: documents.AreaOdds = {
            "area": area,
            "label": symbols.get(area) or label(area),
            "pays": _alternatives([to_one(odds) for odds in payouts.all_odds(area)]),
        }
        if area in screen.ranges:
            shown["range"] = screen.ranges[area]
        return shown

    return [described(area) for area in payouts.areas if screen.offers(config, area)]


def _alternatives(odds: Sequence[str]) -> str:
    """Odds that depend on the degree: ``1 to 1, 2 to 1 or 3 to 1``."""
    return " or ".join(filter(None, (", ".join(odds[:-1]), odds[-1])))


def _controls(config: TableConfig) -> list[documents.Control]:
    devices: dict[str, str] = {}
    for control, device in controls(config):
        devices.setdefault(control, device)
    return [{"control": control, "label": spoken(control), "device": device} for control, device in devices.items()]


def moves_of(machine: TableMachine) -> list[documents.Move]:
    """The transitions of a table."""
    moves = dict.fromkeys(
        (row.source.value, row.on, row.to.value) for row in machine.transitions if row.to is not None
    )
    return [{"from": source, "on": on, "to": to} for source, on, to in moves]
