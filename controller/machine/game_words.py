"""Names of the record in a sentence as a game's own words: ``no light at straight-17`` as ``no light at 17``.

The record has names, which outlive code; people read words. Screens and messages to the floor call this with
whatever a machine wrote: alerts, remedies, what is wrong with a device.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache

from controller.events.words import plain
from controller.machine.game import Game


def in_words(game: Game, rules: Mapping[str, object] | None) -> Callable[[str], str]:
    """What says a sentence of a table's record in words.

    Args:
        rules: of the table; None if they are not on record: then lamps that only some tables have keep their names.
    """
    lamps = game.lamps(rules or {}) if rules is not None or game.panel is None else ()
    shown = {name: game.area_name(name) for name in (*lamps, *game.areas)}
    shown |= {name: plain(name) for name in (*game.controls, *game.switches)}
    names = sorted((name for name in shown if "-" in name and shown[name] != name), key=len, reverse=True)
    if not names:
        return lambda text: text

    @cache
    def found() -> re.Pattern[str]:  # Few tables have anything to say before they are ready.
        return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])")

    return lambda text: found().sub(lambda name: shown[name[0]], text) if "-" in text else text
