"""What a game says of itself to the screens: headlines, results as lists show them, the figure that is drawn."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from config.schema import TableConfig
from controller.events.effect import Result, Win
from controller.statechart.game import Game
from controller.tracking.tracker import HeadTracker
from controller.viewmodel.figures import Equipment, GameFigure

D = TypeVar("D")


class Tone(Enum):
    """The mood of a picture."""

    IDLE = "idle"
    OPEN = "open"
    CLOSED = "closed"
    MOVING = "moving"
    RESULT = "result"
    VOID = "void"
    BONUS = "bonus"
    ALARM = "alarm"


@dataclass(frozen=True, slots=True)
class Headline:
    """What the players read."""

    headline: str
    """In capitals, at most about 30 characters."""
    tone: Tone
    detail: str = ""
    """A sentence in smaller letters. Players are told of no sensors."""


@dataclass(frozen=True, slots=True)
class ResultLabel:
    """A result as lists of results show it."""

    label: str
    colour: str = ""
    """``red``, ``black``, ``green``; empty for none."""
    counted: tuple[str, ...] = ()
    """What it counts for among the results of the day."""


@dataclass(frozen=True, slots=True)
class TableView:
    """A table at a moment: everything that a game's part of a picture is made of."""

    config: TableConfig
    state: str
    data: object
    """Of the machine, as the record has it; see :meth:`of`."""
    tracker: HeadTracker | None
    result: Result | None
    """The result that stands."""
    wins: str
    """What wins by it, in words."""
    past: tuple[ResultLabel, ...]
    """The results of this round so far."""

    def of(self, kind: type[D]) -> D:
        """The machine's data, for the screen of the game that keeps data of this kind.

        Raises:
            TypeError: the machine is another game's.
        """
        if not isinstance(self.data, kind):
            raise TypeError(f"the screen is of {kind.__name__}, the machine of {type(self.data).__name__}")
        return self.data


@dataclass(frozen=True, slots=True)
class WheelPosition:
    """Where a wheel stands or turns."""

    angle: float
    """The clapper's place along the rim, in turns from the start of the first section."""
    moving: bool
    made: int
    """Full turns of the present movement."""
    of: int


@dataclass(frozen=True, slots=True)
class Lifetime:
    """How long dice or cards may be used."""

    what: str
    warn_ns: int
    retire_ns: int


Headlines = Mapping[str, Callable[[TableView], Headline]]
"""What the players read, by state."""


def spoken(name: str) -> str:
    """A name of the record as people write it: ``two-dice-1-4`` as ``two dice 1-4``."""
    words = ""
    for before, part in zip(("", *name.split("-")), name.split("-"), strict=False):
        words += ("-" if before[-1:].isdigit() and part[:1].isdigit() else " ") + part
    return words[1:]


def _no_equipment(_: object) -> Equipment:
    return {}


def _no_figure(_: object) -> GameFigure:
    return {}


@dataclass(frozen=True)
class GameScreen:
    """A game on the screens.

    Attributes:
        figure: the name of the picture, by which the board arranges itself: around a ``wheel``, or a wide figure.
        says: by state; a state without words gets a headline of its name.
        standing: the states in which a result stands once there is one; None, in all, until the next round opens.
        past: a result for the lists; None for one that is no more than the end of the last.
        labels: that results are counted by, in the order of the layout.
        words: a result's own words.
        label: what stands on an area of the layout.
        name: an area in a sentence.
        offers: whether a table has an area of the game's layout.
        order: the winning wagers in the order of payment.
        extras: of the table's description: ``wheel``, ``rim``, ``boxes``, ``rows``.
        live: the figure at a moment.
        blank: the figure of a table of which nothing is known.
        entry: what is keyed, as it is keyed; empty if nothing is asked.
        revolutions: how many a running wheel or ball has made, and of how many; None if none runs.
        turn: where a wheel stands or turns; None if that is not known.
        lifetime: of dice or cards.
    """

    figure: str = "plain"
    says: Headlines | None = None
    standing: frozenset[str] | None = None
    past: Callable[[Result], ResultLabel | None] = lambda result: ResultLabel(result.label, counted=(result.label,))
    labels: Callable[[TableConfig, Game], tuple[str, ...]] = lambda config, game: ()
    words: Callable[[Result], str] = lambda result: result.label
    label: Callable[[str], str] = spoken
    name: Callable[[str], str] = spoken
    offers: Callable[[TableConfig, str], bool] = lambda config, area: True
    order: Callable[[Result], tuple[Win, ...]] = lambda result: result.wins
    extras: Callable[[TableConfig], Equipment] = _no_equipment
    live: Callable[[TableView], GameFigure] = _no_figure
    blank: Callable[[TableConfig], GameFigure] = _no_figure
    entry: Callable[[TableView], str] = lambda scene: ""
    revolutions: Callable[[TableView], tuple[int, int] | None] = lambda scene: None
    turn: Callable[[HeadTracker | None], WheelPosition | None] = lambda tracker: None
    lifetime: Callable[[TableConfig], Lifetime | None] = lambda config: None


CORRECTING = "correcting"
"""The state in which a result is being corrected, in every game that has one."""


def always(headline: str, tone: Tone, detail: str) -> Callable[[TableView], Headline]:
    """The same words whenever the table is in a state."""
    says = Headline(headline, tone, detail)
    return lambda scene: says


OPEN = "PLACE YOUR WAGERS"
SHUT = "TABLE IS CLOSED"
WAIT = "ONE MOMENT PLEASE"
CALLED = "the floorperson has been called"
UNSEEN = "nobody could say beyond doubt how it ended"
"""In place of a cause that is of the sensors, of which players are not told."""

called = always(WAIT, Tone.ALARM, CALLED)
"""The table needs the floorperson."""
closed = always(SHUT, Tone.IDLE, "it opens after the floorperson's inspection")
attended = always(WAIT, Tone.IDLE, "the floorperson is at the table")
looked_at = always(WAIT, Tone.IDLE, "the floorperson looks at the result")
HALTED = Headline(SHUT, Tone.ALARM, CALLED)
"""What the players read when the table does nothing more."""


def settling(detail: str, headline: Callable[[Result], str]) -> Callable[[TableView], Headline]:
    """A result stands; without one, the round is over."""

    def says(scene: TableView) -> Headline:
        if scene.result is None:
            return Headline("ROUND IS OVER", Tone.IDLE, "the next round opens soon")
        return Headline(headline(scene.result), Tone.RESULT, detail or scene.wins)

    return says
