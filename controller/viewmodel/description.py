"""The description of a table: what its pages draw once, and what the board shows between rounds.

While nobody plays, the board says how the game goes, in the words of the gaming guide without the sentences that
name odds, and what the table's own wagers pay.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from pydantic_core import to_jsonable_python

from config.schema import TableConfig
from controller import __version__
from controller.events.words import spoken
from controller.machine.game import Game
from controller.machine.registry import find_game
from controller.odds.wagers import Payouts, to_one
from controller.viewmodel.documents import Area, Slide
from controller.viewmodel.health import controls
from controller.viewmodel.screen import GameScreen, screen_of

ROWS = 10
"""Lines of a list that can be read from three metres."""
LONGEST = 180
"""Characters of a text; a longer paragraph is shown in parts, a longer sentence is not cut."""
_SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z])")
_ODDS = re.compile(r"\d to \d")
_FIRST_NUMBER = re.compile(r"-(?=[0-9])")


def describe(config: TableConfig) -> dict[str, object]:
    """The document ``/table.json``, by the odds and rules in effect: what changes only with these."""
    game, screen = find_game(config.game), screen_of(config.game)
    description = {
        "table": config.table,
        "game": game.name,
        "title": game.title,
        "areas": _areas(config, game, screen),
        "lamps": game.lamps(config.rules),
        "figure": screen.figure,
        "rows": _rows(game, screen),
        **_wheel(config, game),
        **_layout(config, game),
        "controls": _controls(config),
        "slides": slides_of(config, game),
        "version": __version__,
    }
    made: dict[str, object] = to_jsonable_python(description)
    return made


def _areas(config: TableConfig, game: Game, screen: GameScreen) -> list[Area]:
    symbols, payouts = config.layout.symbols, game.payouts(config)
    label = screen.label or game.area_name
    return [
        Area(
            area,
            symbols.get(area) or label(area),
            _alternatives([to_one(odds) for odds in payouts.all_odds(area)]),
            screen.ranges.get(area, ""),
        )
        for area in payouts.areas
        if screen.offers(config, area)
    ]


def _alternatives(odds: Sequence[str]) -> str:
    """Odds that depend on the degree: ``1 to 1, 2 to 1 or 3 to 1``."""
    return " or ".join(filter(None, (", ".join(odds[:-1]), odds[-1])))


def _rows(game: Game, screen: GameScreen) -> list[dict[str, object]]:
    """The areas as the layout is printed."""
    placed = {area for _, areas in screen.rows for area in areas}
    others = [area for area in game.areas if area not in placed]
    rest = (("", others[at : at + game.columns]) for at in range(0, len(others), game.columns))
    return [{"title": title, "areas": areas} for title, areas in (*screen.rows, *rest)]


def _wheel(config: TableConfig, game: Game) -> dict[str, object]:
    """The sections clockwise. The colour is the number of the area in the layout, -1 without an area."""
    if not game.wheel:
        return {}
    symbols, colours = config.layout.symbols, {area: colour for colour, area in enumerate(game.areas)}
    return {"wheel": [{"label": symbols.get(one, one), "colour": colours.get(one, -1)} for one in game.wheel]}


def _layout(config: TableConfig, game: Game) -> dict[str, object]:
    """The pockets clockwise, and the boxes of the layout, each with the lamp behind it."""
    if game.drawing is None:
        return {}
    drawing, lamps = game.drawing(config.rules), game.lamps(config.rules)
    boxes = [
        {
            **box._asdict(),
            "area": next((area for area in (f"straight-{box.label}", box.label) if area in lamps), ""),
            "label": game.area_name(box.label),
        }
        for box in drawing.boxes
    ]
    return {"rim": [{"label": label, "colour": colour} for label, colour in drawing.rim], "boxes": boxes}


def _controls(config: TableConfig) -> list[dict[str, str]]:
    devices: dict[str, str] = {}
    for control, device in controls(config):
        devices.setdefault(control, device)
    return [{"control": control, "label": spoken(control), "device": device} for control, device in devices.items()]


# -- between rounds ----------------------------------------------------------------------------------------------


def slides_of(config: TableConfig, game: Game) -> list[Slide]:
    """Every slide, in order: how the game goes, then what its wagers pay. None without an approved guide."""
    if config.guide is None:
        return []
    lines = list(_paid(config, game, game.payouts(config)))
    each = -(-len(lines) // max(1, -(-len(lines) // ROWS)))  # Lists of about the same length.
    lists = [lines[at : at + each] for at in range(0, len(lines), max(1, each))]
    texts = [Slide("How it is played", text) for text in _texts(game.guide)]
    return [*texts, *(Slide("What wagers pay", pays=part) for part in lists)]


def _texts(paragraphs: Iterable[str]) -> Iterator[str]:
    """What is said of the game, in parts that can be read at a glance."""
    for paragraph in paragraphs:
        part = ""
        for sentence in _SENTENCE.split(paragraph):
            if _ODDS.search(sentence):
                continue
            if part and len(part) + len(sentence) >= LONGEST:
                yield part
                part = ""
            part = f"{part} {sentence}".strip()
        if part:
            yield part


def _paid(config: TableConfig, game: Game, payouts: Payouts) -> Iterator[Area]:
    """A line for each wager; those of a kind that all pay the same share one."""
    odds = {area: ", ".join(to_one(one) for one in payouts.all_odds(area)) for area in payouts.areas}
    for kind, group in groupby(odds, _kind):
        areas = list(group)
        if len(areas) > 1 and len({odds[area] for area in areas}) == 1:
            yield Area("", spoken(kind), odds[areas[0]])
        else:
            for area in areas:
                yield Area(area, config.layout.symbols.get(area) or game.area_name(area), odds[area])


def _kind(area: str) -> str:
    """``straight`` of ``straight-17``; a name that begins with a number is its own kind."""
    return area if area[0].isdigit() else _FIRST_NUMBER.split(area)[0]
