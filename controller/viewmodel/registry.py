"""Finds what a game adds to the screens: the ``SCREEN`` of its folder's ``screen.py``."""

from functools import cache

from controller.statechart.registry import find_game, part_of
from controller.viewmodel.screen import GameScreen


@cache
def screen_of(name: str) -> GameScreen:
    """The screen of the game of this name; one without shows the names of its states and its lamps.

    Raises:
        UnknownGameError: there is no such game.
    """
    module = part_of(find_game(name), "screen")
    found = getattr(module, "SCREEN", None)
    return found if isinstance(found, GameScreen) else GameScreen()
