"""The view of a game without one of its own: the lamps of the panel, in their order."""

from dataclasses import dataclass

from rich.text import Text

from controller.bench.terminal.view import BoardInput, GameBoard, Lamp, Signs, View, ViewPart, lamp_text, lamps_of

_ROWS, _TALL_ROWS = 3, 8
"""The most rows of lamps on a low screen, and on a high one."""


@dataclass(frozen=True, slots=True)
class PlainBoard:
    """The lamps in a grid, in the order of the layout. Too many of them: only those that are or should be lit."""

    lamps: tuple[Lamp, ...]

    def top(self, width: int, tall: bool, signs: Signs) -> list[ViewPart]:
        cell = min(width, max(len(lamp.label) for lamp in self.lamps) + 2)
        across = max(1, width // (cell + 1))
        most = _TALL_ROWS if tall else _ROWS
        lamps, title = self.lamps, "layout"
        if len(lamps) > across * most:
            lamps, title = tuple(lamp for lamp in lamps if lamp.lit or lamp.commanded), "what burns"
        rows = [lamps[i : i + across] for i in range(0, len(lamps), across)][:most]
        texts = [Text(" ").join(lamp_text(lamp, lamp.label, cell, signs) for lamp in row) for row in rows]
        if title != "layout":
            texts += [Text("")] * (most - len(texts))  # The screen does not jump as lamps come and go.
        return [ViewPart(title, tuple(texts))]

    def side(self, signs: Signs) -> ViewPart | None:
        return None


def _board(scene: BoardInput) -> GameBoard:
    return PlainBoard(lamps_of(scene))


VIEW = View(_board, ())
