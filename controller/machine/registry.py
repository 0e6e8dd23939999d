"""Finds games by name. A game is one folder: ``game.py`` holds its ``GAME``; its other parts are beside it.

Games of this package are the folders of ``controller/games`` with a ``game.py``; the folder of ``sic-bo`` is
``sic_bo``. A game of another distribution names its package under the entry point group
:data:`GROUP`, by the game's name. Parts that a folder does not have come from the game's kind of equipment.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType

from config.problems import did_you_mean
from config.schema import TableConfig
from controller.errors import CONFIGURATION, USAGE, UserError
from controller.machine.game import Game
from hal.distributions import UnusablePackageError, folder, load, offered, the_only

GROUP = "table_controller.games"
"""The entry point group of games outside this package: ``name = package``."""
_OWN = "controller.games"
_ROOT = Path(__file__).parent.parent / "games"


class UnknownGameError(UserError):
    """There is no such game, or more than one; the message lists those there are."""

    exit_code = USAGE


class UnusableGameError(UnknownGameError):
    """The package of a game cannot be used; the message names it, and what to do."""

    exit_code = CONFIGURATION


def game_names() -> list[str]:
    """The names of all games, in order. Loads none of them."""
    return sorted({*_own(), *offered(GROUP)})


def find_game(name: str) -> Game:
    """The game of this name.

    Raises:
        UnknownGameError: there is none.
        UnusableGameError: two packages offer it, its package cannot be loaded or has no such game, or a wager is
            there twice.
    """
    module = _module(_package_of(name), "game")
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise UnusableGameError(f"{module.__name__} holds no GAME; add it, or uninstall the game '{name}'")
    if game.name != name:
        raise UnusableGameError(
            f"{module.__name__} holds the GAME '{game.name}', not '{name}'; correct either name"
        )
    if twice := [area for area, times in Counter(game.areas).items() if times > 1]:
        raise UnusableGameError(f"{module.__name__} has two wagers '{twice[0]}'; remove one of the two")
    return game


def try_score(game: Game, config: TableConfig) -> None:
    """Score every result of a game of another distribution, under the odds of a table.

    Raises:
        UnusableGameError: its code fails.
    """
    if game.name in _own():
        return
    try:
        game.returns(game.payouts(config), config.rules)
    except Exception as error:  # Foreign code may raise anything.
        raise UnusableGameError(f"the score of {game.title} fails ({type(error).__name__}: {error})") from error


def folder_of(name: str) -> Path:
    """The folder of a game's files.

    Raises:
        UnknownGameError: as for :func:`find_game`.
    """
    with _usable(f"the game '{name}' is not there: "):
        return folder(_package_of(name))


def part_of(game: Game, part: str) -> ModuleType | None:
    """A further module of a game: its own, else that of its kind of equipment; None if neither has one.

    Args:
        part: the module's name, such as ``screen`` or ``bench``.

    Raises:
        UnusableGameError: it cannot be loaded.
    """
    if (folder_of(game.name) / f"{part}.py").is_file():
        return _module(_package_of(game.name), part)
    if game.equipment and (_ROOT / game.equipment / f"{part}.py").is_file():
        return _module(f"{_OWN}.{game.equipment}", part)
    return None


def folders_of(game: Game) -> list[Path]:
    """The folders with the files of a game's pages: that of its kind of equipment, then its own."""
    return [*([_ROOT / game.equipment] if game.equipment else []), folder_of(game.name)]


def _package_of(name: str) -> str:
    """The package that is a game's folder. Raises as :func:`find_game`."""
    own, outside = _own().get(name, ""), offered(GROUP).get(name, ())
    if not own and not outside:
        games = game_names()
        near = did_you_mean(name, games)
        raise UnknownGameError(f"unknown game '{name}'; {near and f'{near} '}the games are: {', '.join(games)}")
    with _usable():
        return the_only(f"the game '{name}'", outside, own)


def _module(package: str, part: str) -> ModuleType:
    with _usable():
        return load(f"{package}.{part}")


@contextmanager
def _usable(what: str = "") -> Iterator[None]:
    try:
        yield
    except UnusablePackageError as error:
        raise UnusableGameError(f"{what}{error}") from error


@cache
def _own() -> Mapping[str, str]:
    """The packages of this software's games, by name."""
    folders = (file.parent.name for file in _ROOT.glob("*/game.py"))
    return {name.replace("_", "-"): f"{_OWN}.{name}" for name in folders}
