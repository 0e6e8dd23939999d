"""The documents that the pages of a table receive: its description, its state, and the answers to requests.

Typed dictionaries are JSON already, so nothing is converted when a picture is made.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Literal, NotRequired, TypedDict

from controller.events.event import Health

# -- what a game draws --------------------------------------------------------------------------------------------


class ClapperSection(TypedDict):
    name: str
    label: str
    colour: int
    """The index of its area in the layout; -1 for a section without an area."""


class RimPocket(TypedDict):
    label: str
    colour: str


class FigureBox(TypedDict):
    """A box of a roulette layout, in any unit; x grows to the right, y upwards."""

    area: str
    """The lamp behind it; empty for none."""
    label: str
    left: float
    bottom: float
    right: float
    top: float
    colour: str
    """``red``, ``black``, ``green``; empty for none."""


class AreaRow(TypedDict):
    title: str
    areas: list[str]


class Equipment(TypedDict):
    """A game's part of the description of a table."""

    wheel: NotRequired[list[ClapperSection]]
    """Clockwise, as ``rim``."""
    rim: NotRequired[list[RimPocket]]
    boxes: NotRequired[list[FigureBox]]
    rows: NotRequired[list[AreaRow]]


GameFigure = Mapping[str, object]
"""What ``figure.js`` of the table's game draws; empty for a game without a figure and for a closed table."""


class Tone(Enum):
    """The colour scheme of a picture."""

    IDLE = "idle"
    OPEN = "open"
    CLOSED = "closed"
    MOVING = "moving"
    RESULT = "result"
    VOID = "void"
    BONUS = "bonus"
    ALARM = "alarm"


# -- the description: /table.json ----------------------------------------------------------------------------------


class PaidLine(TypedDict):
    label: str
    pays: str


class Slide(TypedDict):
    """One picture: a sentence or two, or a list of what wagers pay."""

    title: str
    text: str
    """Empty for a list."""
    pays: list[PaidLine]


class AreaOdds(TypedDict):
    area: str
    label: str
    pays: str
    """``4 to 5``; several if they depend on the degree."""
    range: NotRequired[str]
    """The totals on which it wins, ``4–10``; left out for a wager that says it by its name."""


class Control(TypedDict):
    control: str
    label: str
    device: str


class Description(Equipment):
    """The part of a table that does not change while it runs."""

    table: str
    game: str
    title: str
    areas: list[AreaOdds]
    lamps: list[str]
    figure: str
    controls: list[Control]
    slides: list[Slide]
    """What the board shows while nobody plays."""
    version: str


# -- the state: the streams ----------------------------------------------------------------------------------------


class SignAmounts(TypedDict):
    """Limits, as decimals; an empty one means no limit."""

    minimum: str
    maximum: str
    payout: str


class SignPending(SignAmounts):
    """Announced limits, not in effect yet."""

    at: str
    """The time of day at the table's place."""
    effective_ms: int
    """UTC."""
    currency: NotRequired[str]
    """Of these amounts, if it is another one."""


class SignLimits(SignAmounts):
    """The limits in effect, and the announced ones."""

    currency: str
    pending: SignPending | None
    steps: NotRequired[str]
    """Further requirements (§ 521.7(d)) as a sentence; left out if there are none."""


class Turned(TypedDict):
    """Full turns of the present movement, and the number required."""

    made: int
    of: int


class WheelAngle(TypedDict):
    angle: float
    """Turns along the rim, 0 to 1."""
    moving: bool


class TurnEvent(Turned):
    """An event between two pictures: the present position of a turning wheel."""

    angle: float
    """Turns along the rim, 0 to 1."""


class DeviceStatus(TypedDict):
    device: str
    state: Annotated[str, Health]
    detail: str


class Age(TypedDict):
    what: str
    age: str
    left: str
    warn: bool


class AlertLine(TypedDict):
    text: str
    remedy: str
    age_s: int


class LimitsPrompts(TypedDict):
    """Messages to the dealer about limits; each is empty if there is none."""

    asks: str
    announce: str
    """What the dealer announces to the patrons."""
    file: str


class MenuLine(TypedDict):
    control: str
    words: str
    unavailable: str
    """Why it cannot be chosen now; empty if it can."""


class DealerTask(TypedDict):
    """What the dealer does next, without what is keyed: the picture shows that."""

    act: str
    """One thing to do, short enough for one line: see :data:`controller.viewmodel.task.LINE`."""
    more: list[str]
    """Why, what else may be pressed, and what comes after it, a phrase each."""


class PaidWager(TypedDict):
    area: str
    label: str
    pays: str
    """``35 to 1``, multiplied already."""
    most: str
    """``$5,000``: the most that a round pays, where the highest wager would win more; else empty."""


class SeatWager(TypedDict):
    """A wager at a position of a card table, once it is decided or chosen."""

    wager: str
    """``initial``, ``tie``, ``war``."""
    outcome: Literal["won", "lost", "tied", "war", "surrendered"]
    pays: str
    """``10 to 1``; empty for a wager that the present result does not pay."""


class KeyedSeat(TypedDict):
    """A position of a card table, or the dealer."""

    seat: str
    """Its number, or ``dealer``."""
    plays: bool
    """It has a wager in this round; the dealer always plays."""
    due: bool
    """What is keyed next is its card or its choice."""
    cards: list[str]
    """The cards dealt to it, the war card last; an empty one is dealt and not keyed yet."""
    wagers: list[SeatWager]


class KeyedDie(TypedDict):
    face: int
    """1 to 6; 0 while it is not keyed."""
    colour: str
    """``green``, ``red``; empty for dice of one colour."""


class KeyedNumber(TypedDict):
    """The number of a pocket, and its place on the layout."""

    number: str
    """As far as it is keyed; empty for nothing."""
    colour: str
    """``red``, ``black``, ``green``; empty while it is no pocket's number."""
    entered: bool


class KeyedPosition(TypedDict):
    """A position around a dice table."""

    position: int
    holds: bool
    """It has the dice, or is offered them."""
    keyed: bool


class Keyed(TypedDict):
    """What is keyed, as a picture; of its parts those that the game has."""

    words: str
    """The same as text, for those who have the page read aloud."""
    seats: NotRequired[list[KeyedSeat]]
    """The dealer, then every position of the table from the dealer's left."""
    dice: NotRequired[list[KeyedDie]]
    """In the order in which they are keyed."""
    number: NotRequired[KeyedNumber]
    positions: NotRequired[list[KeyedPosition]]
    """Clockwise from the stickperson's left."""


class Past(TypedDict):
    round: int
    label: str
    colour: str
    """``red``, ``black``, ``green``; empty for none."""


class Count(TypedDict):
    label: str
    count: int
    since: int | None
    """Results since it came last, 0 for the newest one; None if it has not come today."""


class GroupCount(TypedDict):
    """How often results of a group, as the red ones, came today."""

    label: str
    count: int


class PastResults(TypedDict):
    history: list[Past]
    """The newest first."""
    counts: list[Count]
    shares: list[list[GroupCount]]
    """Groups of results that exclude each other, as red, zero and black; empty for a game without any."""
    spins: int
    """Results of the day."""


class DealerPart(TypedDict):
    """What the dealer's screen adds to the board."""

    task: DealerTask
    """What the table waits for, as its machine says it, with one thing to do in front."""
    menu: list[MenuLine]
    """In the order in which it is shown; empty while nobody has to choose."""
    prompt: str
    entry: str
    keyed: Keyed | None
    """None for a game at which nothing is keyed, and for a table that is halted."""
    paid: list[PaidWager]
    """The winning wagers in the table's order of payment, each with the limit of what is paid."""
    health: list[DeviceStatus]
    ages: list[Age]
    alerts: list[AlertLine]
    """The newest first."""
    refused: str
    dealer: str
    """The number of the dealer who is logged on."""
    limits: LimitsPrompts


# -- a picture -----------------------------------------------------------------------------------------------------


class Board(PastResults):
    """What ``/board.events`` sends."""

    utc_offset_min: int
    """Minutes by which the local time of the table is ahead of UTC; negative west of Greenwich."""
    state: str
    round: int
    tone: Annotated[str, Tone]
    headline: str
    detail: str
    lit: list[str]
    wins: list[AreaOdds]
    """The winning wagers of the present result, in the order of payment."""
    result: str
    multiplier: int
    revolutions: Turned | None
    turn: WheelAngle | None
    """None if it is not known."""
    limits: SignLimits | None
    figure: GameFigure
    cap: str
    """The most that is paid out, where the present result may come to more; else empty."""
    next_odds: str
    """Other payout odds, and other rules, that count from the next round on; empty for none."""
