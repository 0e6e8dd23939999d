"""Names of the record in a sentence as a game's own words: ``no light at straight-17`` as ``no light at 17``.

The record has names, which outlive code; people read words. Screens and messages to the floor call this with
whatever a machine wrote: alerts, remedies, what is wrong with a device.
"""

import re
from collections.abc import Callable
from functools import cache

from config.schema import TableConfig
from controller.events.text import plain
from controller.statechart.registry import find_game
from controller.viewmodel.screen import GameScreen


def in_words(config: TableConfig, screen: GameScreen) -> Callable[[str], str]:
    """What says a sentence of a table's record in words.

    Args:
        screen: of the table's game, which has the words for its areas.
    """
    game = find_game(config.game)
    shown = {name: screen.name(name) for name in (*game.lamps(config.rules), *game.areas)}
    shown |= {name: plain(name) for name in (*game.controls, *game.switches)}
    names = sorted((name for name in shown if "-" in name and shown[name] != name), key=len, reverse=True)
    if not names:
        return lambda text: text

    @cache
    def found() -> re.Pattern[str]:  # Few tables have anything to say before they are ready.
        return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])")

    return lambda text: found().sub(lambda name: shown[name[0]], text) if "-" in text else text
