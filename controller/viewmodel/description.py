"""The description of a table: what its pages draw once, and what the board shows between rounds.

While nobody plays, the board says how the game goes, in the words of the gaming guide without the sentences that
name odds, and what the table's own wagers pay.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from config.schema import TableConfig
from controller import __version__
from controller.events.words import spoken
from controller.machine.game import Game
from controller.machine.registry import find_game
from controller.odds.wagers import Payouts, to_one
from controller.viewmodel import documents
from controller.viewmodel.documents import PaidLine, Slide
from controller.viewmodel.health import controls
from controller.viewmodel.screen import GameScreen, screen_of

ROWS = 10
"""Lines of a list that can be read from three metres."""
LONGEST = 180
"""Characters of a text; a longer paragraph is shown in parts, a longer sentence is not cut."""
_SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z])")
_ODDS = re.compile(r"\d to \d")
_FIRST_NUMBER = re.compile(r"-(?=[0-9])")


def describe(config: TableConfig) -> documents.Description:
    """The description of a table, by the payout odds and rules in effect: what changes only with these."""
    game, screen = find_game(config.game), screen_of(config.game)
    return {
        "table": config.table,
        "game": game.name,
        "title": game.title,
        "areas": _areas(config, game, screen),
        "lamps": list(game.lamps(config.rules)),
        "figure": screen.figure,
        **screen.extras(config),
        "controls": _controls(config),
        "slides": slides_of(config, game),
        "version": __version__,
    }


def _areas(config: TableConfig, game: Game, screen: GameScreen) -> list[documents.AreaOdds]:
    symbols, payouts = config.layout.symbols, game.payouts(config)
    label = screen.label or game.area_name

    def described(area: str) -> documents.AreaOdds:
        shown: documents.AreaOdds = {
            "area": area,
            "label": symbols.get(area) or label(area),
            "pays": _alternatives([to_one(odds) for odds in payouts.all_odds(area)]),
        }
        if area in screen.ranges:
            shown["range"] = screen.ranges[area]
        return shown

    return [described(area) for area in payouts.areas if screen.offers(config, area)]


def _alternatives(odds: Sequence[str]) -> str:
    """Odds that depend on the degree: ``1 to 1, 2 to 1 or 3 to 1``."""
    return " or ".join(filter(None, (", ".join(odds[:-1]), odds[-1])))


def _controls(config: TableConfig) -> list[documents.Control]:
    devices: dict[str, str] = {}
    for control, device in controls(config):
        devices.setdefault(control, device)
    return [{"control": control, "label": spoken(control), "device": device} for control, device in devices.items()]


# -- between rounds ----------------------------------------------------------------------------------------------


def slides_of(config: TableConfig, game: Game) -> list[Slide]:
    """Every slide, in order: how the game goes, then what its wagers pay. None without an approved guide."""
    if config.guide is None:
        return []
    texts: list[Slide] = [{"title": "How it is played", "text": text, "pays": []} for text in _texts(game.guide)]
    lines = list(_paid(config, game, game.payouts(config)))
    count = -(-len(lines) // ROWS)
    each = -(-len(lines) // max(1, count))  # Lists of about the same length.
    lists = [lines[at : at + each] for at in range(0, len(lines), max(1, each))]
    paid: list[Slide] = [{"title": "What wagers pay", "text": "", "pays": part} for part in lists]
    return [*texts, *paid]


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


def _paid(config: TableConfig, game: Game, payouts: Payouts) -> Iterator[PaidLine]:
    """A line for each wager; those of a kind that all pay the same share one."""
    odds = {area: ", ".join(to_one(one) for one in payouts.all_odds(area)) for area in payouts.areas}
    for kind, group in groupby(odds, _kind):
        areas = list(group)
        if len(areas) > 1 and len({odds[area] for area in areas}) == 1:
            yield {"label": spoken(kind), "pays": odds[areas[0]]}
        else:
            for area in areas:
                name = config.layout.symbols.get(area) or game.area_name(area)
                yield {"label": name, "pays": odds[area]}


def _kind(area: str) -> str:
    """``straight`` of ``straight-17``; a name that begins with a number is its own kind."""
    return area if area[0].isdigit() else _FIRST_NUMBER.split(area)[0]
