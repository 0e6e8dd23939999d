"""The parts that every view of a game shares: lamps, parts of the screen, and signs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from rich.text import Text

from config.schema import TableConfig
from controller.bench.terminal.history import BenchHistory
from controller.bench.terminal.keys import Binding
from controller.odds.wagers import to_one
from controller.runtime.table import Table
from controller.statechart.game import Game
from hal.mock.world import World


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs of the screen."""

    marker: str
    """The clapper, above the wheel."""
    believed: str
    """Where the table believes the clapper to be."""
    left: str
    right: str
    peg: str
    lit: str
    dark: str


SIGNS = Signs(marker="▼", believed="▲", left="◀", right="▶", peg="│", lit="●", dark="○")
ASCII_SIGNS = Signs(marker="v", believed="^", left="<", right=">", peg="|", lit="*", dark=".")
"""For terminals without other characters."""
WRONG = "!"
"""A lamp that is not as the table set it."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """An area of the layout."""

    area: str
    label: str
    pays: str
    lit: bool
    commanded: bool
    """Whether the table has set it to be lit."""


@dataclass(frozen=True, slots=True)
class ViewPart:
    """A titled part of the screen. ``width`` is that of its longest row, for a part at the side."""

    title: str
    rows: tuple[Text, ...]
    width: int = 0


class GameBoard(Protocol):
    """A frozen snapshot of what a game shows. Equal boards look the same."""

    def top(self, width: int, tall: bool, signs: Signs) -> list[ViewPart]:
        """Parts across the screen, with this inner width; ``tall`` on a high screen."""

    def side(self, signs: Signs) -> ViewPart | None:
        """A narrow part beside results and log."""


@dataclass(frozen=True, slots=True)
class BoardInput:
    """A table, its simulated hardware and its history: the input of a frame."""

    config: TableConfig
    game: Game
    table: Table
    world: World
    watch: BenchHistory


@dataclass(frozen=True)
class View:
    """How the bench shows a game, with the keys of its actions."""

    board: Callable[[BoardInput], GameBoard]
    bindings: tuple[Binding, ...]
    """Keys in addition to those of the table's own controls."""
    note: str = ""
    """The line below the keys in the help."""


def lamps_of(scene: BoardInput) -> tuple[Lamp, ...]:
    """Every lamp, in the order of the layout."""
    symbols, payouts = scene.config.layout.symbols, scene.game.payouts(scene.config)
    burning, commanded = scene.world.panel.lit(), frozenset(scene.table.machine.lit)

    def lamp(area: str) -> Lamp:
        pays = scene.watch.pays.get(area) if area in commanded else None
        odds = pays or (to_one(payouts.odds(area)) if area in payouts.areas else "")
        return Lamp(area, symbols.get(area, area), odds, area in burning, area in commanded)

    return tuple(map(lamp, scene.game.lamps(scene.config.rules)))


def lamp_text(lamp: Lamp, label: str, width: int, signs: Signs) -> Text:
    """A lamp in ``width`` columns: sign and label; bright, and marked by more than colour, if it is lit."""
    sign = signs.lit if lamp.lit else signs.dark
    if lamp.lit != lamp.commanded:
        sign, style = WRONG, "bold #ffffff on #b02020"
    else:
        style = "bold #000000 on #f5e050" if lamp.lit else "dim"
    return Text(f"{sign}{label}".ljust(width)[:width], style=style, no_wrap=True)
