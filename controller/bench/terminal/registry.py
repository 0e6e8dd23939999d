"""Finds how the bench shows a game: the ``VIEW`` of the game's ``terminal.py``, or of its kind of equipment."""

from controller.bench.terminal import plain
from controller.bench.terminal.view import View
from controller.statechart.game import Game
from controller.statechart.registry import part_of


def view_of(game: Game) -> View:
    """The view of a game; the panel's lamps alone for a game without one."""
    view = getattr(part_of(game, "terminal"), "VIEW", plain.VIEW)
    assert isinstance(view, View)
    return view
