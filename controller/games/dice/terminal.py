"""The view of a game with three keyed-in dice: the areas in the order in which its layout is printed."""

from dataclasses import dataclass

from rich.text import Text

from controller.bench.terminal.view import Board, BoardInput, Lamp, Signs, View, ViewPart, lamp_text, lamps_of

Row = tuple[tuple[str, str], ...]
"""Areas with the words that stand on them here."""
Rows = tuple[tuple[str, Row], ...]
"""Rows of a layout, each with its title."""
_WIDE = 100
"""From this width on, areas stand two columns apart."""


@dataclass(frozen=True, slots=True)
class DiceBoard:
    """The layout at a moment."""

    lamps: tuple[Lamp, ...]
    rows: Rows
    columns: int

    def top(self, width: int, tall: bool, signs: Signs) -> list[ViewPart]:
        lamps = {lamp.area: lamp for lamp in self.lamps}
        rows = [
            (title, [(lamps.pop(area), words) for area, words in row if area in lamps]) for title, row in self.rows
        ]
        others = [(lamp, lamp.label) for lamp in lamps.values()]
        rows += [("", others[at : at + self.columns]) for at in range(0, len(others), self.columns)]
        texts: list[Text] = []
        for title, row in rows:
            if tall and texts:
                texts.append(Text(""))
            texts.append(_row(title, row, width, signs))
        return [ViewPart("layout", tuple(texts))]

    def side(self, signs: Signs) -> ViewPart | None:
        return None


def _row(title: str, row: list[tuple[Lamp, str]], width: int, signs: Signs) -> Text:
    gap = "  " if width >= _WIDE else " "
    text = Text(f"{title} " if title else "", no_wrap=True)
    for i, (lamp, words) in enumerate(row):
        label = words if lamp.label == lamp.area else lamp.label
        text.append(gap if i else "").append_text(lamp_text(lamp, label, len(label) + 1, signs))
    return Text(" " * max(0, (width - len(text)) // 2)).append_text(text)


def dice_view(rows: Rows = ()) -> View:
    """The view of a game whose layout is printed in these rows; areas that no row places follow in their order."""

    def board(scene: BoardInput) -> Board:
        return DiceBoard(lamps_of(scene), rows, scene.game.columns)

    return View(board, ())


VIEW = dice_view()
