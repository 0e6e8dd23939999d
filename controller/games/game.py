"""What a game tells the rest of the program: its layout, its controls, its odds, and how to build its machine."""

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.schema import Section, TableConfig
from controller.games.machine import GameMachine
from controller.odds.exact import WagerReturn
from controller.odds.wagers import Payouts, Wager


class UnknownGameError(Exception):
    """There is no such game; the message lists those there are."""


class NoRules(Section):
    """The section ``rules`` of a game that has nothing of its own to say."""


@dataclass(frozen=True)
class Game:
    """A game of the regulations."""

    name: str
    title: str
    chapter: str
    """The chapter of 58 Pa. Code that rules it."""
    wagers: tuple[Wager, ...]
    """Every wager, on the area of the same name, in the order of the layout."""
    controls: frozenset[str]
    """The buttons and keys that the dealer needs."""
    switches: frozenset[str]
    """The key switches and contacts that the table needs."""
    machine: Callable[[TableConfig], GameMachine[Any, Any]]
    returns: Callable[[Payouts, Mapping[str, object]], list[WagerReturn]]
    """The exact return of every wager, from the game's own scoring, under the rules of a table."""
    wheel: tuple[str, ...] = ()
    """The sections clockwise around the rim, for a game with a clapper wheel."""
    wheel_clause: str = ""
    dice: bool = False
    symbols: bool = False
    """Whether approved symbols may be shown in place of the areas' own."""
    indicators: tuple[str, ...] = ()
    """Lamps beside those of the wagers."""
    panel: Callable[[Mapping[str, object]], tuple[str, ...]] | None = None
    """All lamps under the rules of a table, for a game whose lamps are not those of its areas."""
    columns: int = 4
    """How many areas stand beside one another where the layout is drawn."""
    guide: tuple[str, ...] = ()
    """How the game is played, in the words of the patron's gaming guide (§ 521.9(b))."""
    rules: type[Section] | None = None
    """What the section ``rules`` of a table's file may say, for a game that has something of its own to say."""

    @property
    def areas(self) -> tuple[str, ...]:
        return tuple(wager.area for wager in self.wagers)

    def lamps(self, rules: Mapping[str, object]) -> tuple[str, ...]:
        """Every lamp of the panel, under the rules of a table."""
        return self.panel(rules) if self.panel is not None else (*self.areas, *self.indicators)

    def payouts(self, config: TableConfig | None = None) -> Payouts:
        """The odds of a table, or the regulation's minimum."""
        return Payouts(self.wagers, config.layout.odds if config else {})


def game_names() -> list[str]:
    """The names of all games: the modules here that define a ``GAME``."""
    here = str(Path(__file__).parent)
    found = (_load(module.name) for module in pkgutil.iter_modules([here]))
    return sorted(game.name for game in found if game is not None)


def find_game(name: str) -> Game:
    """The game of this name.

    Raises:
        UnknownGameError: there is none.
    """
    game = _load(name.replace("-", "_")) if name.replace("-", "").isalnum() else None
    if game is None or game.name != name:
        raise unknown_game(name)
    return game


def unknown_game(name: str) -> UnknownGameError:
    """The error that there is no such game, with those there are."""
    return UnknownGameError(f"unknown game '{name}'; the games are: {', '.join(game_names())}")


def _load(module: str) -> Game | None:
    try:
        game = getattr(importlib.import_module(f"controller.games.{module}"), "GAME", None)
    except ModuleNotFoundError as error:
        if error.name != f"controller.games.{module}":
            raise
        return None
    return game if isinstance(game, Game) else None
