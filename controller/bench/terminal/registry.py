"""What a game shows on the bench's screen."""

from controller.bench.registry import bench_of
from controller.bench.terminal import plain
from controller.bench.terminal.view import View
from controller.statechart.game import Game


def view_of(game: Game) -> View:
    """How the bench shows a game and what can be done at it."""
    bench = bench_of(game)
    return bench.view() if bench is not None else plain.VIEW
