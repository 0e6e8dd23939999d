"""What a game shows on the bench's screen: chosen by what the game has, not by its name."""

from controller.bench.views import dice, plain, wheel
from controller.bench.views.board import View
from controller.games.game import Game


def view_of(game: Game) -> View:
    """How the bench shows a game and what can be done at it."""
    if game.wheel:
        return wheel.VIEW
    if game.dice:
        return dice.VIEW
    return plain.VIEW
