"""The description of a game for the rest of the program: layout, controls, odds, and how to build its machine."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from config.problems import Finding
from config.schema import Section, TableConfig
from controller.drawing.layouts import Drawing
from controller.events.effect import Result
from controller.events.table_words import TABLE_WORDS
from controller.events.words import Words, plain, spoken
from controller.machine.round_machine import RoundMachine
from controller.odds.exact import WagerReturn
from controller.odds.wagers import Payouts, Wager

_NAME = re.compile(r"(?<![\w-])\w+(?:-\w+)+(?![\w-])")
"""A name of the record: several words with hyphens."""


def _label(result: Result) -> str:
    return result.label


class Game(NamedTuple):
    """A game, as its folder describes it."""

    name: str
    title: str
    chapter: str
    """The chapter of 58 Pa. Code that regulates it; empty for a game by house rules."""
    wagers: tuple[Wager, ...]
    """Every wager of the game, on the area of the same name, in the order of the layout."""
    controls: frozenset[str]
    """The buttons and keys that the dealer needs."""
    machine: Callable[[TableConfig], RoundMachine[Any, Any]]
    """The machine of its rounds, new."""
    returns: Callable[[Payouts, Mapping[str, object]], list[WagerReturn]]
    """The exact return of every wager, from the game's own scoring, under the rules of a table."""
    words: Words
    """Sentences for the codes of its records and instructions."""
    result_states: frozenset[str]
    """The states in which a result is shown."""
    wheel: tuple[str, ...] = ()
    """The sections clockwise around the rim, for a game with a clapper wheel."""
    wheel_clause: str = ""
    pockets: Callable[[Mapping[str, object]], tuple[str, ...]] | None = None
    """The pockets clockwise around the rotor under the rules of a table, for a game with a roulette wheel."""
    switches: frozenset[str] = frozenset({"floor-key"})
    """The key switches and contacts that the table needs."""
    dice: bool = False
    symbols: bool = False
    """Whether approved symbols may replace those of the areas."""
    indicators: tuple[str, ...] = ()
    """Lamps in addition to those of the wagers."""
    layout: Callable[[Mapping[str, object]], tuple[Wager, ...]] | None = None
    """The wagers under the rules of a table, for a game with more than one layout."""
    panel: Callable[[Mapping[str, object]], tuple[str, ...]] | None = None
    """All lamps under the rules of a table, for a game whose lamps are not those of its areas."""
    drawing: Callable[[Mapping[str, object]], Drawing] | None = None
    """Wheel and layout under the rules of a table, for a game whose layout is not a plain list of areas."""
    columns: int = 4
    """The number of areas in a row where the layout is drawn."""
    guide: tuple[str, ...] = ()
    """How the game is played, for the patron's gaming guide (§ 521.9(b))."""
    rules: type[Section] | None = None
    """The model of the section ``rules`` of a table's file, for a game with rules of its own."""
    rules_between_rounds: frozenset[str] = frozenset()
    """The keys of ``rules`` that may change between two rounds. For any other one the table is made ready anew."""
    listed: Callable[[Result], str] = _label
    """A result as lists of results show it; empty for one that only completes the result before it."""
    area_name: Callable[[str], str] = spoken
    """An area's name in a sentence."""
    demands: Callable[[TableConfig], Iterable[Finding]] | None = None
    """Further checks of a table's file, for a game whose rules depend on its devices."""

    @property
    def equipment(self) -> str:
        """The kind of equipment whose screen and bench a game shares; empty if it has everything of its own."""
        return "clapper_wheel" if self.wheel else "dice" if self.dice else ""

    @property
    def areas(self) -> tuple[str, ...]:
        return tuple(wager.area for wager in self.wagers)

    def headed(self, chapter: str = "Chapter") -> str:
        """The title, followed by the regulation's chapter.

        Args:
            chapter: the word before its number.
        """
        return f"{self.title} (58 Pa. Code {chapter} {self.chapter})" if self.chapter else self.title

    def wagers_under(self, rules: Mapping[str, object]) -> tuple[Wager, ...]:
        """Every wager of a table's layout."""
        return self.layout(rules) if self.layout is not None else self.wagers

    def lamps(self, rules: Mapping[str, object]) -> tuple[str, ...]:
        """Every lamp of the panel, under the rules of a table."""
        return self.panel(rules) if self.panel is not None else (*self.areas, *self.indicators)

    def least_payouts(self, rules: Mapping[str, object]) -> Payouts:
        """The regulation's minimum odds for the layout of a table."""
        return Payouts(self.wagers_under(rules), {})

    def payouts(self, config: TableConfig) -> Payouts:
        """The odds of a table."""
        return Payouts(self.wagers_under(config.rules), config.layout.odds)


def words_of(game: Game) -> Words:
    """Sentences for all codes at a game's table."""
    return {**TABLE_WORDS, **game.words}


def in_words(game: Game, rules: Mapping[str, object] | None) -> Callable[[str], str]:
    """What replaces names of the record in a sentence by those that people read: ``straight-17`` by ``17``.

    Args:
        rules: of the table; None if they are not on record: then lamps that only some tables have keep their names.
    """
    lamps = game.lamps(rules or {}) if rules is not None or game.panel is None else ()
    shown = {name: game.area_name(name) for name in (*lamps, *game.areas)}
    shown |= {name: plain(name) for name in (*game.controls, *game.switches)}
    return lambda text: _NAME.sub(lambda name: shown.get(name[0], name[0]), text)
