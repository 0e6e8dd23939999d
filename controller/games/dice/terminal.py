"""The view of a game with three keyed-in dice: the areas in the order in which its layout is printed."""

from dataclasses import dataclass
from itertools import combinations

from rich.text import Text

from controller.bench.terminal.view import Board, BoardInput, Lamp, Signs, View, ViewPart, lamp_text, lamps_of

FACES = range(1, 7)
Row = tuple[tuple[str, str], ...]
"""Areas with the words that stand on them here."""
ROWS: tuple[tuple[str, Row], ...] = (
    ("", (("small", "small"), *((f"two-of-a-kind-{n}", f"{n}-{n}") for n in FACES), ("big", "big"))),
    (
        "",
        (
            *((f"three-of-a-kind-{n}", f"{n}-{n}-{n}") for n in (1, 2, 3)),
            ("any-three-of-a-kind", "any triple"),
            *((f"three-of-a-kind-{n}", f"{n}-{n}-{n}") for n in (4, 5, 6)),
        ),
    ),
    ("total", tuple((f"total-{total}", str(total)) for total in range(4, 18))),
    ("", tuple((f"two-dice-{a}-{b}", f"{a}-{b}") for a, b in combinations(FACES, 2))),
    ("one of a kind", tuple((f"one-of-a-kind-{n}", str(n)) for n in FACES)),
)
_WIDE = 100
"""From this width on, areas stand two columns apart."""


@dataclass(frozen=True, slots=True)
class DiceBoard:
    """The layout at a moment."""

    lamps: tuple[Lamp, ...]

    def top(self, width: int, tall: bool, signs: Signs) -> list[ViewPart]:
        lamps = {lamp.area: lamp for lamp in self.lamps}
        rows = [(title, [(lamps.pop(area), words) for area, words in row if area in lamps]) for title, row in ROWS]
        # Areas that no row places: a layout with more than Sic Bo's.
        rows += [("", [(lamp, lamp.label)]) for lamp in lamps.values()]
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


def _board(scene: BoardInput) -> Board:
    return DiceBoard(lamps_of(scene))


VIEW = View(_board, ())
