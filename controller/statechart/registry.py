"""Finds games by name. A game is one folder: ``game.py`` holds its ``GAME``, the files beside it its other parts.

Games of this package are the folders of ``controller/games`` with a ``game.py``; the folder of ``sic-bo`` is
``sic_bo``. A game of another distribution names its package under the entry point group
:data:`GROUP`, by the game's name. Parts that a folder does not have come from the game's kind of equipment.
"""

import importlib
from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from controller.statechart.game import Game

GROUP = "table_controller.games"
"""The entry point group of games outside this package: ``name = package``."""
_OWN = "controller.games"


class UnknownGameError(Exception):
    """There is no such game, or more than one; the message lists those there are."""


def game_names() -> list[str]:
    """The names of all games, in order. Loads none of them."""
    return sorted({*_own_names(), *_packages_outside()})


def find_game(name: str) -> Game:
    """The game of this name.

    Raises:
        UnknownGameError: there is none, two packages offer it, or its package does not hold it.
    """
    game = getattr(importlib.import_module(f"{package_of(name)}.game"), "GAME", None)
    if not isinstance(game, Game) or game.name != name:
        raise UnknownGameError(f"{package_of(name)}.game holds no GAME of the name '{name}'; correct its GAME")
    return game


def unknown_game(name: str) -> UnknownGameError:
    """The error that there is no such game, with those there are."""
    return UnknownGameError(f"unknown game '{name}'; the games are: {', '.join(game_names())}")


def package_of(name: str) -> str:
    """The package that is a game's folder.

    Raises:
        UnknownGameError: as for :func:`find_game`.
    """
    if name in _own_names():
        return f"{_OWN}.{name.replace('-', '_')}"
    offered = _packages_outside().get(name, [])
    if not offered:
        raise unknown_game(name)
    if len(offered) > 1:
        raise UnknownGameError(f"{' and '.join(offered)} both offer the game '{name}'; uninstall one of them")
    return offered[0]


def folder_of(name: str) -> Path:
    """The folder of a game's files.

    Raises:
        UnknownGameError: as for :func:`find_game`.
    """
    spec = find_spec(package_of(name))
    if spec is None or not spec.submodule_search_locations:
        raise UnknownGameError(f"the game '{name}' is not installed: there is no package {package_of(name)}")
    return Path(spec.submodule_search_locations[0])


def part_of(game: Game, part: str) -> ModuleType | None:
    """A further module of a game: its own, else that of its kind of equipment; None if neither has one.

    Args:
        part: ``screen`` or ``bench``.
    """
    packages = [package_of(game.name), *([f"{_OWN}.{game.equipment}"] if game.equipment else [])]
    for module in (f"{package}.{part}" for package in packages):
        try:
            return importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
    return None


def folders_of(game: Game) -> list[Path]:
    """The folders of what a game's pages draw: that of its kind of equipment, then its own."""
    kind = [Path(__file__).parent.parent / "games" / game.equipment] if game.equipment else []
    return [*kind, folder_of(game.name)]


@cache
def _own_names() -> frozenset[str]:
    root = Path(__file__).parent.parent / "games"
    return frozenset(file.parent.name.replace("_", "-") for file in root.glob("*/game.py"))


_Offers = dict[str, list[str]]


@cache
def _packages_outside() -> _Offers:
    """The packages of games outside this one, by the game's name; a name of ours is not theirs to take."""
    found: _Offers = {}
    for point in entry_points(group=GROUP):
        if point.name not in _own_names() and point.value not in found.setdefault(point.name, []):
            found[point.name].append(point.value)
    return found


forget: Callable[[], None] = _packages_outside.cache_clear
"""Looks the entry points up anew: for whoever installs a game while this process runs."""
