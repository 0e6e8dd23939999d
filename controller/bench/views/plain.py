"""The view of a game that has neither a wheel nor dice of its own: the layout's lamps."""

from dataclasses import dataclass

from rich.text import Text

from controller.bench.views.board import Board, Lamp, Part, Scene, Signs, View, lamp_text, lamps_of


@dataclass(frozen=True, slots=True)
class PlainBoard:
    """The lamps in a grid, in the order of the layout."""

    lamps: tuple[Lamp, ...]

    def top(self, width: int, tall: bool, signs: Signs) -> list[Part]:
        cell = min(width, max(len(lamp.label) for lamp in self.lamps) + 2)
        across = max(1, width // (cell + 1))
        rows = [self.lamps[i : i + across] for i in range(0, len(self.lamps), across)]
        texts = (Text(" ").join(lamp_text(lamp, lamp.label, cell, signs) for lamp in row) for row in rows)
        return [Part("layout", tuple(texts))]

    def side(self, signs: Signs) -> Part | None:
        return None


def _board(scene: Scene) -> Board:
    return PlainBoard(lamps_of(scene))


VIEW = View(_board, ())
