"""What each game adds to the screens.

A game's module here has the game's name, or that of its equipment if it shares everything with others: ``wheel``,
``dice``. Each defines ``SCREEN``. A game without one is shown by the names of its states and its lamps.
"""

import importlib
from functools import cache

from controller.statechart.game import Game
from controller.statechart.registry import find_game
from controller.viewmodel.screen import GameScreen


@cache
def screen_of(name: str) -> GameScreen:
    """The screen of the game of this name.

    Raises:
        UnknownGameError: there is no such game.
    """
    for module in _modules(find_game(name)):
        try:
            found = importlib.import_module(module).SCREEN
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
            continue
        assert isinstance(found, GameScreen)
        return found
    return GameScreen()


def _modules(game: Game) -> list[str]:
    equipment = "wheel" if game.wheel else "dice" if game.dice else ""
    return [f"{__name__}.{name}" for name in (game.name.replace("-", "_"), equipment) if name]
