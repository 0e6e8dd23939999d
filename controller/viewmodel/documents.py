"""The documents that the pages of a table receive: what it is, how it stands, and what its acts are answered.

Typed dictionaries, for they are JSON already: nothing is converted when a picture is made. ``python -m
tools.typescript`` writes them down for the scripts of the pages.
"""

from typing import Annotated, TypedDict

from controller.events.event import Health
from controller.viewmodel.bench_documents import Bench, Breakage
from controller.viewmodel.figures import Box, GameFigure, Pocket, Row, Section
from controller.viewmodel.screen import Tone

# -- what a table is: /table.json ----------------------------------------------------------------------------------


class Win(TypedDict):
    """A wager area with its odds."""

    area: str
    label: str
    pays: str
    """``4 to 5``; several if they depend on the degree."""


class Control(TypedDict):
    """A button, key or key switch."""

    control: str
    label: str
    device: str


Move = TypedDict("Move", {"from": str, "on": str, "to": str})
"""A way from state to state, and the event that leads along it."""


class Description(TypedDict):
    """A table, as far as it does not change while it runs."""

    table: str
    game: str
    title: str
    chapter: str
    areas: list[Win]
    lamps: list[str]
    figure: str
    wheel: list[Section] | None
    """Clockwise, as ``rim``."""
    rim: list[Pocket] | None
    boxes: list[Box] | None
    rows: list[Row] | None
    controls: list[Control]
    states: list[str]
    moves: list[Move]
    version: str


class Table(Description):
    """``/table.json``."""

    bench: bool
    touch: list[str]
    """Controls of a touch screen; none if it may not act."""


class BenchTable(Table):
    """``/table.json`` of a bench."""

    breakages: list[Breakage]


# -- how it stands: the streams ------------------------------------------------------------------------------------


class Amounts(TypedDict):
    """Limits. Decimals; an empty one is none."""

    minimum: str
    maximum: str
    payout: str


class Pending(Amounts):
    """Limits that are announced."""

    at: str
    """The time of day at the table's place."""
    effective_ms: int
    """UTC."""


class Limits(Amounts):
    """The limits in effect, and those that are announced."""

    currency: str
    pending: Pending | None


class Turned(TypedDict):
    """Full turns of the present movement, and of how many."""

    made: int
    of: int


class Place(TypedDict):
    """Where a wheel stands or turns."""

    angle: float
    """Turns along the rim, 0 to 1."""
    moving: bool


class TurnEvent(Turned):
    """An event between two pictures: how far a wheel has turned."""

    angle: float
    """Turns along the rim, 0 to 1."""


class Past(TypedDict):
    """A result of the past."""

    round: int
    label: str
    colour: str
    """``red``, ``black``, ``green``; empty for none."""


class Count(TypedDict):
    """How often a result came today."""

    label: str
    count: int


class PastResults(TypedDict):
    """What came before."""

    history: list[Past]
    """The newest first."""
    counts: list[Count]
    spins: int
    """Results of the day."""


class Device(TypedDict):
    """A sensor or device."""

    device: str
    state: Annotated[str, Health]
    detail: str


class Age(TypedDict):
    """How old dice or cards are."""

    what: str
    age: str
    left: str
    warn: bool


class Alert(TypedDict):
    """What wants attention."""

    text: str
    remedy: str
    age_s: int


class LimitsTold(TypedDict):
    """What the dealer is told of limits; empty for nothing."""

    asks: str
    announce: str
    """What the dealer announces to the patrons."""
    file: str


class Dealer(TypedDict):
    """What the dealer's screen shows besides."""

    next: str
    prompt: str
    entry: str
    pays: list[Win]
    health: list[Device]
    ages: list[Age]
    alerts: list[Alert]
    """The newest first."""
    refused: str
    dealer: str
    """The number of who has logged on."""
    limits: LimitsTold


# -- a picture -----------------------------------------------------------------------------------------------------


class Stamps(TypedDict):
    """When a picture was made. Every picture of a stream has them."""

    clock_ms: int
    """Of a clock that only goes forwards."""
    utc_ms: int


class Board(PastResults):
    """What ``/board.events`` sends."""

    state: str
    round: int
    tone: Annotated[str, Tone]
    headline: str
    detail: str
    lit: list[str]
    wins: list[Win]
    """Of the standing result, in the order of payment."""
    result: str
    multiplier: int
    revolutions: Turned | None
    turn: Place | None
    """None if it is not known."""
    limits: Limits | None
    figure: GameFigure


class StampedBoard(Stamps, Board):
    """The same with its time."""


class DealerView(Board):
    """What ``/dealer.events`` sends."""

    dealer: Dealer


class BenchView(DealerView):
    """What ``/bench.events`` sends."""

    bench: Bench


# -- answers -------------------------------------------------------------------------------------------------------


class TouchCode(TypedDict):
    """``/dealer/code``: for this computer's own screen."""

    code: str
    """Empty once it is spent."""
    controls: list[str]


class Paired(TypedDict):
    """``/dealer/pair``: this screen may act."""

    token: str
    controls: list[str]


class Refusal(TypedDict):
    """Why there is no other answer."""

    error: str
    """A sentence."""
