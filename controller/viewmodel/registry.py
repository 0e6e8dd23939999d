"""Finds what a game adds to the screens: the ``SCREEN`` of its folder's ``screen.py``."""

from functools import cache

from controller.machine.registry import find_game, part_of
from controller.viewmodel.screen import GameScreen


@cache
def screen_of(name: str) -> GameScreen:
    """The screen of the game of this name; a game without one shows the names of its states and its lamps.

    Raises:
        UnknownGameError: there is no such game.
    """
    module = part_of(find_game(name), "screen")
    screen = getattr(module, "SCREEN", None)
    return screen if isinstance(screen, GameScreen) else GameScreen()
