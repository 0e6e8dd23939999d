"""The documents that the pages of a table receive: its description, its state, and the answers to requests.

Typed dictionaries are JSON already, so nothing is converted when a picture is made.
"""

from typing import Annotated, NotRequired, TypedDict

from controller.events.event import Health
from controller.viewmodel.bench_documents import Bench, InjectableFault
from controller.viewmodel.dealer_documents import DealerTask, Keyed, PaidWager
from controller.viewmodel.figures import AreaRow, ClapperSection, FigureBox, GameFigure, RimPocket
from controller.viewmodel.past_documents import PastResults
from controller.viewmodel.screen import Tone
from controller.viewmodel.slides import Slide

# -- the description: /table.json ----------------------------------------------------------------------------------


class AreaOdds(TypedDict):
    """A wager area with its odds."""

    area: str
    label: str
    pays: str
    """``4 to 5``; several if they depend on the degree."""
    range: NotRequired[str]
    """The totals on which it wins, ``4–10``; left out for a wager that says it by its name."""


class Control(TypedDict):
    """A button, key or key switch."""

    control: str
    label: str
    device: str


class House(TypedDict):
    """Whose table it is."""

    name: str
    colour: str
    """Of titles and lines, ``#rrggbb``; empty for that of the pages."""
    logo: str
    """The address of its logo; empty for none."""


Move = TypedDict("Move", {"from": str, "on": str, "to": str})
"""A transition from state to state, and the event that triggers it."""


class Description(TypedDict):
    """The part of a table that does not change while it runs."""

    table: str
    game: str
    title: str
    areas: list[AreaOdds]
    lamps: list[str]
    figure: str
    wheel: list[ClapperSection] | None
    """Clockwise, as ``rim``."""
    rim: list[RimPocket] | None
    boxes: list[FigureBox] | None
    rows: list[AreaRow] | None
    controls: list[Control]
    slides: list[Slide]
    """What the board shows while nobody plays."""
    version: str


class TableDescription(Description):
    """``/table.json``."""

    bench: bool
    house: House | None


class BenchTable(TableDescription):
    """``/table.json`` of a bench."""

    breakages: list[InjectableFault]
    moves: list[Move]


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
    """The position of a wheel at rest or in motion."""

    angle: float
    """Turns along the rim, 0 to 1."""
    moving: bool


class TurnEvent(Turned):
    """An event between two pictures: the present position of a turning wheel."""

    angle: float
    """Turns along the rim, 0 to 1."""


class DeviceStatus(TypedDict):
    """A sensor or device."""

    device: str
    state: Annotated[str, Health]
    detail: str


class Age(TypedDict):
    """The age of dice or cards."""

    what: str
    age: str
    left: str
    warn: bool


class AlertLine(TypedDict):
    """An active alert."""

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
    """An entry of the menu in which a person chooses now."""

    control: str
    words: str
    unavailable: str
    """Why it cannot be chosen now; empty if it can."""


class FloorLine(TypedDict):
    """Whether the floor hears the table."""

    heard: bool
    words: str


class DealerPart(TypedDict):
    """What the dealer's screen adds to the board."""

    next: str
    """What the table waits for, as its machine says it: everything in one sentence."""
    task: DealerTask
    """The same, with one thing to do in front."""
    menu: list[MenuLine]
    """In the order in which it is shown; empty while nobody has to choose."""
    prompt: str
    entry: str
    keyed: Keyed | None
    """None for a game at which nothing is keyed, and for a table that is halted."""
    pays: list[AreaOdds]
    paid: list[PaidWager]
    """The same wagers in the table's order of payment, each with the limit of what is paid."""
    health: list[DeviceStatus]
    ages: list[Age]
    alerts: list[AlertLine]
    """The newest first."""
    refused: str
    dealer: str
    """The number of the dealer who is logged on."""
    limits: LimitsPrompts


class DealerPage(DealerPart):
    """The same on a page."""

    floor: FloorLine | None
    """None for a table without a broker."""


# -- a picture -----------------------------------------------------------------------------------------------------


class PictureTimes(TypedDict):
    """The time at which a picture was made; every picture of a stream has both."""

    clock_ms: int
    """Monotonic clock."""
    utc_ms: int


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
    cap: NotRequired[str]
    """The most that is paid out, where the present result may come to more."""
    next_odds: NotRequired[str]
    """Other payout odds, and other rules, that count from the next round on."""


class DealerView(Board):
    """What ``/dealer.events`` sends."""

    dealer: DealerPage


class BenchView(DealerView):
    """What ``/bench.events`` sends."""

    bench: Bench
