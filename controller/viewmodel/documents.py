"""The documents of the board and of the dealer's screen, and parts of a table's description.

They are sent as JSON objects of their fields. A default is what a page shows while no table is running.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import Enum

from controller.events.frozen import Frozen


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


class Area(Frozen):
    """A wager of the layout, or one that wins."""

    area: str
    """Empty for several that share a line."""
    label: str
    pays: str
    """``4 to 5``, multiplied already; several if they depend on the degree."""
    range: str = ""
    """The totals on which it wins, ``4–10``; empty for a wager whose name says it."""
    most: str = ""
    """``$5,000``: the most that a round pays, where the highest wager would win more."""


class Slide(Frozen):
    """One picture between rounds: a sentence or two, or a list of what wagers pay."""

    title: str
    text: str = ""
    pays: Sequence[Area] = ()


# -- the board -----------------------------------------------------------------------------------------------------


class Amounts(Frozen):
    """Limits, as decimals; an empty one means no limit."""

    minimum: str
    maximum: str
    payout: str
    currency: str


class AnnouncedLimits(Amounts):
    """Limits that are not in effect yet."""

    at: str
    """The time of day at the table's place."""
    effective_ms: int
    """UTC."""


class SignLimits(Amounts):
    """The limits in effect, and the announced ones."""

    pending: AnnouncedLimits | None
    steps: str
    """Further requirements (§ 521.7(d)) as a sentence; empty if there are none."""


class Turned(Frozen):
    """Full turns of the present movement, and the number required."""

    made: int
    of: int


class Turn(Turned):
    """The position of a clapper wheel; while it turns, also an event between two pictures."""

    angle: float
    """The clapper's place along the rim, in turns from the start of the first section: 0 to 1."""
    moving: bool


class Past(Frozen):
    round: int
    label: str
    colour: str
    """``red``, ``black``, ``green``; empty for none."""


class Count(Frozen):
    """How often a result, or one of a group as the red ones, came today."""

    label: str
    count: int
    since: int | None
    """Results since it came last, 0 for the newest one; None if it has not come today."""


class Board(Frozen):
    """What ``/board.events`` sends, with the time.

    Attributes:
        utc_offset_min: minutes by which the local time of the table is ahead of UTC; negative west of Greenwich.
        wins: the winning wagers of the present result, in the order of payment.
        turn: None if it is not known.
        figure: what ``figure.js`` of the game draws; empty for a game without a figure, and for a halted table.
        history: the newest first.
        shares: groups of results that exclude each other, as red, zero and black.
        spins: results of the day.
        cap: the most that is paid out, where the present result may come to more; else empty.
        next_odds: other payout odds, and other rules, that count from the next round on; empty for none.
    """

    utc_offset_min: int
    headline: str
    tone: Tone = Tone.CLOSED
    detail: str = ""
    state: str = "closed"
    round: int = 0
    lit: Sequence[str] = ()
    wins: Sequence[Area] = ()
    result: str = ""
    multiplier: int = 1
    revolutions: Turned | None = None
    turn: Turn | None = None
    limits: SignLimits | None = None
    figure: Mapping[str, object] = field(default_factory=dict)
    history: Sequence[Past] = ()
    counts: Sequence[Count] = ()
    shares: Sequence[Sequence[Count]] = ()
    spins: int = 0
    cap: str = ""
    next_odds: str = ""


# -- the dealer's screen -------------------------------------------------------------------------------------------


class DealerTask(Frozen):
    """What the dealer does next, without what is keyed: the picture shows that."""

    act: str
    """One thing to do, short enough for one line: see :data:`controller.viewmodel.task.LINE`."""
    more: Sequence[str] = ()
    """Why, what else may be pressed, and what comes after it, a phrase each."""


class MenuLine(Frozen):
    control: str
    words: str
    unavailable: str
    """Why it cannot be chosen now; empty if it can."""


class DeviceStatus(Frozen):
    device: str
    state: str
    detail: str


class Age(Frozen):
    """The age of dice or cards."""

    what: str
    age: str
    left: str
    warn: bool


class AlertLine(Frozen):
    text: str
    remedy: str = ""
    age_s: int = 0


class LimitsPrompts(Frozen):
    """Messages to the dealer about limits; each is empty if there is none."""

    asks: str = ""
    announce: str = ""
    """What the dealer announces to the patrons."""


class SeatWager(Frozen):
    """A wager at a position of a card table, once it is decided or chosen."""

    wager: str
    """``initial``, ``tie``, ``war``."""
    outcome: str
    """``won``, ``lost``, ``tied``, ``war``, ``surrendered``."""
    pays: str
    """``10 to 1``; empty for a wager that the present result does not pay."""


class KeyedSeat(Frozen):
    """A position of a card table, or the dealer."""

    seat: str
    """Its number, or ``dealer``."""
    plays: bool
    """It has a wager in this round; the dealer always plays."""
    due: bool
    """What is keyed next is its card or its choice."""
    cards: Sequence[str]
    """The cards dealt to it, the war card last; an empty one is dealt and not keyed yet."""
    wagers: Sequence[SeatWager]


class KeyedNumber(Frozen):
    """The number of a pocket, and its place on the layout."""

    number: str
    """As far as it is keyed; empty for nothing."""
    colour: str
    """``red``, ``black``, ``green``; empty while it is no pocket's number."""
    entered: bool


class Keyed(Frozen):
    """What is keyed, as a picture, with the parts that the game has.

    Attributes:
        words: the same as text, for those who have the page read aloud.
        seats: the dealer, then every position of a card table from the dealer's left.
        dice: in the order in which they are keyed; 0 for one that is not.
        colours: of the dice: ``green``, ``red``; none for dice of one colour.
        positions: the number of those around a dice table, clockwise from the stickperson's left.
        holds: the position that has the dice, or is offered them.
        position: as far as it is keyed.
    """

    words: str
    seats: Sequence[KeyedSeat] = ()
    dice: Sequence[int] = ()
    colours: Sequence[str] = ()
    number: KeyedNumber | None = None
    positions: int = 0
    holds: int = 0
    position: str = ""


class Dealer(Frozen):
    """What the dealer's screen adds to the board.

    Attributes:
        task: what the table waits for, as its machine says it, with one thing to do in front.
        menu: in the order in which it is shown; empty while nobody has to choose.
        keyed: None for a game at which nothing is keyed, and for a table that is halted.
        paid: the winning wagers in the table's order of payment, until they are paid.
        alerts: the newest first.
        dealer: the number of the dealer who is logged on.
    """

    task: DealerTask
    menu: Sequence[MenuLine] = ()
    prompt: str = ""
    entry: str = ""
    keyed: Keyed | None = None
    paid: Sequence[Area] = ()
    health: Sequence[DeviceStatus] = ()
    ages: Sequence[Age] = ()
    alerts: Sequence[AlertLine] = ()
    refused: str = ""
    dealer: str = ""
    limits: LimitsPrompts = field(default_factory=LimitsPrompts)
