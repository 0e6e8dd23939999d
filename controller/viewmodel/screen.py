"""What a game provides to the screens: headlines, labels of results, the figure to draw."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from config.schema import TableConfig
from controller.events.effect import Result, Win
from controller.events.words import spoken as spoken
from controller.machine.game import Game
from controller.machine.registry import find_game, part_of
from controller.tracking.tracker import HeadTracker
from controller.viewmodel.documents import Keyed, Turn, Turned
from controller.viewmodel.documents import Tone as Tone

D = TypeVar("D")


class Headline(NamedTuple):
    """The text that players read."""

    headline: str
    """In capitals, at most about 30 characters."""
    tone: Tone
    detail: str = ""
    """A sentence in smaller letters. It mentions no sensor faults."""


class ResultLabel(NamedTuple):
    """A result as lists of results show it."""

    label: str
    colour: str = ""
    """``red``, ``black``, ``green``; empty for none."""
    counted: tuple[str, ...] = ()
    """The labels under which the day's results count it."""


class TableView(NamedTuple):
    """The present state of a table: everything that a game's part of a picture is made of."""

    config: TableConfig
    state: str
    data: object
    """Of the machine, as the record has it; see :meth:`of`."""
    tracker: HeadTracker | None
    result: Result | None
    """The present result; None if there is none."""
    wins: str
    """A sentence on what wins with it."""
    now_ns: int = 0
    """Monotonic clock."""

    def of(self, kind: type[D]) -> D:
        """The machine's data, for the screen of the game that keeps data of this kind.

        Raises:
            TypeError: the machine is another game's.
        """
        if not isinstance(self.data, kind):
            raise TypeError(f"the screen is of {kind.__name__}, the machine of {type(self.data).__name__}")
        return self.data


TitledRows = Sequence[tuple[str, Sequence[str]]]
Headlines = Mapping[Any, Callable[[TableView], Headline]]
"""Makes the headline, by state."""


class GameScreen(NamedTuple):
    """A game's part of the screens.

    Attributes:
        figure: the name of the picture, by which the board arranges itself: around a ``wheel``, or a wide figure.
        headlines: by state; a state without one gets its name as headline.
        disputes: the states in which the floorperson decides: alerts of these end with a result or a void spin.
        past: a result for the lists; None for one that only completes the result before it.
        labels: the labels that results are counted by, in the order of the layout.
        shares: groups of such labels that exclude each other, whose shares of the day's results are shown.
        words: the text of a result.
        label: the label of an area of the layout; None for the game's name of it.
        ranges: the totals on which an area wins, as text, where its name does not say them.
        offers: whether a table has an area of the game's layout.
        order: the winning wagers of a result, in the order of payment.
        due: those that the dealer pays now, where a settlement has several steps; None for all.
        wager: the name of a winning wager in the list of what is paid; None for that of its area.
        rows: the areas of each row of the layout, with its title; those of no row follow in the layout's order.
        live: what ``figure.js`` draws of the present state.
        entry: the keys entered so far; empty if no entry is expected.
        keyed: what is keyed as a picture, while a round is played; None for a game at which nothing is keyed.
        revolutions: how many a moving wheel or ball has made, and how many it needs; None if none moves.
        turn: the position of a wheel; None if it is not known.
        waits: what is waited for first, as the sensors see it; empty for what the machine waits for.
    """

    figure: str = "plain"
    headlines: Headlines = MappingProxyType({})
    disputes: frozenset[str] = frozenset()
    past: Callable[[Result], ResultLabel | None] = lambda result: ResultLabel(result.label, counted=(result.label,))
    labels: Callable[[TableConfig, Game], tuple[str, ...]] = lambda config, game: ()
    shares: tuple[tuple[str, ...], ...] = ()
    words: Callable[[Result], str] = lambda result: result.label
    label: Callable[[str], str] | None = None
    ranges: Mapping[str, str] = MappingProxyType({})
    offers: Callable[[TableConfig, str], bool] = lambda config, area: True
    order: Callable[[Result], tuple[Win, ...]] = lambda result: result.wins
    due: Callable[[TableView], tuple[Win, ...]] | None = None
    wager: Callable[[str], str] | None = None
    rows: TitledRows = ()
    live: Callable[[TableView], Mapping[str, object]] = lambda view: {}
    entry: Callable[[TableView], str] = lambda view: ""
    keyed: Callable[[TableView], Keyed | None] = lambda view: None
    revolutions: Callable[[TableView], Turned | None] = lambda view: None
    turn: Callable[[HeadTracker | None], Turn | None] = lambda tracker: None
    waits: Callable[[TableView], str] = lambda view: ""


@cache
def screen_of(name: str) -> GameScreen:
    """The ``SCREEN`` of a game's ``screen.py``; a game without one shows the names of its states and its lamps.

    Raises:
        UnknownGameError: there is no such game.
    """
    screen = getattr(part_of(find_game(name), "screen"), "SCREEN", None)
    return screen if isinstance(screen, GameScreen) else GameScreen()


def always(headline: str, tone: Tone, detail: str) -> Callable[[TableView], Headline]:
    """The same headline whenever the table is in a state."""
    return lambda view: Headline(headline, tone, detail)


OPEN = "PLACE YOUR WAGERS"
SHUT = "TABLE IS CLOSED"
WAIT = "ONE MOMENT PLEASE"
CALLED = "the floorperson has been called"
UNDETERMINED = "the result could not be determined"
"""Replaces a cause that concerns sensors, which players are not shown."""
SOON = "the next round opens soon"
PAID = "winning wagers are paid"
NO_MORE = "NO MORE BETS"
WAGERS_OPEN = "wagers are open until the dealer calls no more bets"
CORRECTED = "RESULT IS CORRECTED"

called = always(WAIT, Tone.ALARM, CALLED)
closed = always(SHUT, Tone.IDLE, "the table opens after the floorperson's inspection")
halted = always(SHUT, Tone.ALARM, CALLED)


def settling(detail: str, headline: Callable[[Result], str]) -> Callable[[TableView], Headline]:
    """Shows the result; without one, that the round is over.

    Args:
        detail: empty for what wins.
        headline: of a result.
    """
    return lambda view: settled(view, detail or view.wins, headline)


def settled(view: TableView, detail: str, headline: Callable[[Result], str]) -> Headline:
    """As :func:`settling`, at a moment."""
    if view.result is None:
        return Headline("ROUND IS OVER", Tone.IDLE, SOON)
    return Headline(headline(view.result), Tone.RESULT, detail)
