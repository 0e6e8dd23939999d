"""What a game shows on the bench's screen."""

from controller.bench.games import bench_of
from controller.bench.views import plain
from controller.bench.views.board import View
from controller.games.game import Game


def view_of(game: Game) -> View:
    """How the bench shows a game and what can be done at it."""
    bench = bench_of(game)
    return bench.view() if bench is not None else plain.VIEW
