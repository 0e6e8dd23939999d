"""What the players' board shows between rounds, once nobody has played for a while.

The texts are those of the gaming guide, from the game's folder, without the sentences that name odds: what wagers
pay is the table's own, and a changed file changes the board.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from config.schema import TableConfig
from controller.events.words import spoken
from controller.machine.game import Game
from controller.odds.wagers import Payouts, to_one
from controller.viewmodel.documents import PaidLine, Slide

ROWS = 10
"""Lines of a list that can be read from three metres."""
LONGEST = 180
"""Characters of a text; a longer paragraph is shown in parts, a longer sentence is not cut."""
_SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z])")
_ODDS = re.compile(r"\d to \d")
_FIRST_NUMBER = re.compile(r"-(?=[0-9])")


def slides_of(config: TableConfig, game: Game) -> list[Slide]:
    """Every slide, in order: how the game goes, then what its wagers pay."""
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
