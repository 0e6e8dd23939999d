"""Somebody who follows the views of a table."""

from collections.abc import Mapping
from typing import Any

from controller.viewmodel.views import TableViews


class Viewer:
    """Keeps the newest documents, and every turn.

    Args:
        showing: how many boards it has on display.
    """

    def __init__(self, showing: int = 0) -> None:
        self.showing = showing
        self.views: dict[str, Any] = {}
        self.taken = 0
        self.turns: list[Mapping[str, object]] = []

    def take(self, documents: Mapping[str, Any]) -> None:
        self.views = dict(documents)
        self.taken += 1

    def turn(self, position: Mapping[str, object]) -> None:
        self.turns.append(position)


def seen(views: TableViews) -> dict[str, Any]:
    """All documents at this moment."""
    viewer = Viewer()
    views.follow(viewer)
    views.leave(viewer)
    return viewer.views
