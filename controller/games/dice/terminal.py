"""The view of a game with three keyed-in dice: the areas in the order in which its layout is printed."""

from collections.abc import Callable
from dataclasses import dataclass

from rich.text import Text

from controller.bench.terminal.view import BoardInput, GameBoard, Lamp, Signs, View, ViewPart, lamp_text, lamps_of
from controller.games.dice.screen import TitledRows
from controller.viewmodel.screen import spoken

_WIDE = 100
"""From this width on, areas are two columns apart."""


@dataclass(frozen=True, slots=True)
class DiceBoard:
    """The layout at a moment."""

    lamps: tuple[Lamp, ...]
    rows: TitledRows
    label: Callable[[str], str]
    columns: int

    def top(self, width: int, tall: bool, signs: Signs) -> list[ViewPart]:
        lamps = {lamp.area: lamp for lamp in self.lamps}
        rows = [
            (title, [(lamps.pop(area), self.label(area)) for area in areas if area in lamps])
            for title, areas in self.rows
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


def dice_view(rows: TitledRows = (), label: Callable[[str], str] = spoken) -> View:
    """The view of a game with three keyed-in dice.

    Args:
        rows: the areas as the layout is printed; those that no row places follow in the order of the layout.
        label: what is printed on an area.
    """

    def board(scene: BoardInput) -> GameBoard:
        return DiceBoard(lamps_of(scene), rows, label, scene.game.columns)

    return View(board, ())


VIEW = dice_view()
