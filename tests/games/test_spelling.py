"""One thing, one spelling: an area's name is written alike on every page, in messages and in the guide."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

import pytest
from any_game import Walk, shipped_table
from bench_page import Page

from controller.bench.rig import Rig
from controller.bench.web.page import WebBench
from controller.events.effect import Light
from controller.events.event import PanelFault
from controller.guide.page import page as guide
from controller.journal.record import of_entry
from controller.publishing.formatter import Formatter
from controller.round_summary.words import in_words
from controller.statechart.game import Game
from controller.statechart.registry import find_game, game_names
from controller.viewmodel import presenter

ACTS = 150
_OF_RECORD = frozenset({"area", "lit", "lamps", "control", "controls", "targets", "device", "moves", "states"})
"""Fields of documents that hold names of the record, which scripts go by and nobody reads."""
_BETWEEN = "[ -]"


def texts_of(document: object) -> Iterator[str]:
    """Every text for people in a document."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, Mapping):
        for name, value in document.items():
            if name not in _OF_RECORD:
                yield from texts_of(value)
    elif isinstance(document, Sequence):
        for one in document:
            yield from texts_of(one)


def shown_in_play(name: str) -> set[str]:
    """What board, dealer's screen, bench, page of rounds and messages say while anything happens at a table."""
    walk, seen = Walk(name, seed=3), set[str]()

    def look(board: dict[str, object]) -> None:
        seen.update(texts_of(board))
        seen.update(texts_of(walk.screens.dealer()))

    walk.screens.checks.append(look)
    rig = walk.rig
    for lamp in rig.lamps:
        rig.table.take([PanelFault(rig.clock.now_ns(), (lamp,), ()), PanelFault(rig.clock.now_ns(), (), (lamp,))])
        seen.add(rig.table.machine.waiting_for())
    walk.go(ACTS)
    described = presenter.describe(rig.config, rig.table)
    lists = [slide["pays"] for slide in described["slides"]]  # The guide's sentences name wagers with capitals.
    seen.update(texts_of({**described, "rows": None, "slides": lists}))  # The rows have names.
    seen.update(_recorded(rig))
    return seen


def _recorded(rig: Rig) -> Iterator[str]:
    """The page of rounds, and the messages to the floor."""
    words = in_words(rig.game, rig.config.rules)
    formatter = Formatter(rig.config, rig.clock, "0" * 64, None)
    for entry in rig.journal.entries():
        for effect in of_entry(entry).effects:
            if not isinstance(effect, Light):
                yield from (words(text) for text in texts_of(asdict(effect)))
        for due in formatter.take(entry):
            yield words(getattr(due.message, "text", ""))


def on_the_bench(name: str) -> set[str]:
    """The bench's page: its guide, its log, its menus."""
    page = Page(shipped_table(name))
    assert isinstance(page.web, WebBench)
    return {*texts_of(page.picture), *texts_of(page.web.breakages())}


def spellings(game: Game, texts: set[str], names: Sequence[str]) -> dict[str, set[str]]:
    """How each name is written; in capitals throughout, or with a capital at the start of a sentence, is alike."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in names:
        words = re.split(_BETWEEN, game.area_name(name))
        pattern = re.compile(rf"(?<![\w-]){_BETWEEN.join(map(re.escape, words))}(?![\w-])", re.IGNORECASE)
        for text in texts:
            for one in pattern.finditer(text):
                begins = not text[: one.start()].strip() or text[: one.start()].rstrip()[-1] in ".?!:;>"
                if one[0] != one[0].upper() and not (begins and one[0] == one[0].capitalize()):
                    found[name].add(one[0])
    return found


@pytest.mark.parametrize("name", game_names())
@pytest.mark.campaign
def test_an_area_is_spelled_alike_wherever_people_read_of_it(name: str) -> None:
    game, config = find_game(name), shipped_table(name)
    printed = set(re.findall(r">([^<>]+)<", guide(game, config, "the shipped table", least=False)))
    printed_names = {text for text in printed if len(text.split()) < 7}  # Its sentences name wagers with capitals.
    texts = shown_in_play(name) | on_the_bench(name) | printed_names
    areas = [area for area in (*game.areas, *game.lamps(config.rules)) if len(game.area_name(area).split()) > 1]
    several = {area: written for area, written in spellings(game, texts, areas).items() if len(written) > 1}
    assert several == {}, "each of these has several spellings"
