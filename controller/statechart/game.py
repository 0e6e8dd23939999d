"""What a game tells the rest of the program: its layout, its controls, its odds, and how to build its machine."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from config.problems import Finding
from config.schema import Section, TableConfig
from controller.drawing.layouts import Drawing
from controller.odds.exact import WagerReturn
from controller.odds.wagers import Payouts, Wager
from controller.statechart.any_machine import AnyMachine


class NoRules(Section):
    """The section ``rules`` of a game that has nothing of its own to say."""


@dataclass(frozen=True)
class Game:
    """A game: what its folder offers to the rest of the program."""

    name: str
    title: str
    chapter: str
    """The chapter of 58 Pa. Code that rules it; empty for a game by the rules of the house."""
    wagers: tuple[Wager, ...]
    """Every wager of the game, on the area of the same name, in the order of the layout."""
    controls: frozenset[str]
    """The buttons and keys that the dealer needs."""
    switches: frozenset[str]
    """The key switches and contacts that the table needs."""
    machine: Callable[[TableConfig], AnyMachine]
    returns: Callable[[Payouts, Mapping[str, object]], list[WagerReturn]]
    """The exact return of every wager, from the game's own scoring, under the rules of a table."""
    wheel: tuple[str, ...] = ()
    """The sections clockwise around the rim, for a game with a clapper wheel."""
    wheel_clause: str = ""
    pockets: Callable[[Mapping[str, object]], tuple[str, ...]] | None = None
    """The pockets clockwise around the rotor under the rules of a table, for a game with a roulette wheel."""
    dice: bool = False
    symbols: bool = False
    """Whether approved symbols may be shown in place of the areas' own."""
    indicators: tuple[str, ...] = ()
    """Lamps beside those of the wagers."""
    layout: Callable[[Mapping[str, object]], tuple[Wager, ...]] | None = None
    """The wagers under the rules of a table, for a game with more than one layout."""
    panel: Callable[[Mapping[str, object]], tuple[str, ...]] | None = None
    """All lamps under the rules of a table, for a game whose lamps are not those of its areas."""
    drawing: Callable[[Mapping[str, object]], Drawing] | None = None
    """Wheel and layout under the rules of a table, for a game whose layout is no plain list of areas."""
    columns: int = 4
    """How many areas stand beside one another where the layout is drawn."""
    guide: tuple[str, ...] = ()
    """How the game is played, in the words of the patron's gaming guide (§ 521.9(b))."""
    rules: type[Section] | None = None
    """What the section ``rules`` of a table's file may say, for a game that has something of its own to say."""
    demands: Callable[[TableConfig], Iterable[Finding]] | None = None
    """What else is wrong with a table's file, for a game whose rules and devices must fit one another."""

    @property
    def equipment(self) -> str:
        """The kind of equipment whose screen and bench a game shares; empty if it has everything of its own."""
        return "clapper_wheel" if self.wheel else "dice" if self.dice else ""

    @property
    def areas(self) -> tuple[str, ...]:
        return tuple(wager.area for wager in self.wagers)

    def headed(self, chapter: str = "Chapter") -> str:
        """The title, with what rules the game behind it.

        Args:
            chapter: the word for it.
        """
        return f"{self.title} (58 Pa. Code {chapter} {self.chapter})" if self.chapter else self.title

    def wagers_under(self, rules: Mapping[str, object]) -> tuple[Wager, ...]:
        """Every wager of a table's layout."""
        return self.layout(rules) if self.layout is not None else self.wagers

    def lamps(self, rules: Mapping[str, object]) -> tuple[str, ...]:
        """Every lamp of the panel, under the rules of a table."""
        return self.panel(rules) if self.panel is not None else (*self.areas, *self.indicators)

    def least_payouts(self, rules: Mapping[str, object]) -> Payouts:
        """The regulation's least odds for the layout of a table."""
        return Payouts(self.wagers_under(rules), {})

    def payouts(self, config: TableConfig) -> Payouts:
        """The odds of a table."""
        return Payouts(self.wagers_under(config.rules), config.layout.odds)
