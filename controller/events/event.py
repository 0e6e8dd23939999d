"""The events that tracking passes to a game's machine, and that the journal records.

An event is frozen, has its time (``at_ns``, monotonic nanoseconds) and is a machine's only input. ``kind`` is its
name in the journal.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from controller.events.acts import Act as Act
from controller.events.acts import PromptClosed as PromptClosed
from controller.events.acts import PromptOpened as PromptOpened
from controller.events.clock_checked import ClockChecked as ClockChecked
from controller.events.direction import Direction as Direction
from controller.events.frozen import Frozen
from controller.events.health import Fault as Fault
from controller.events.health import Health as Health
from controller.events.identity import FloorKeyTurned as FloorKeyTurned
from controller.events.identity import Identified as Identified
from controller.events.identity import IdentityRefused as IdentityRefused
from controller.events.limits import FileTerms as FileTerms
from controller.events.limits import HouseRules as HouseRules
from controller.events.limits import LimitsAnnounced as LimitsAnnounced
from controller.events.limits import LimitsInEffect as LimitsInEffect
from controller.events.limits import LimitsNotice as LimitsNotice
from controller.events.limits import LimitsWithdrawn as LimitsWithdrawn
from controller.events.limits import OddsConfirmed as OddsConfirmed
from controller.events.limits import OddsInEffect as OddsInEffect
from controller.events.limits import RulesConfirmed as RulesConfirmed
from controller.events.limits import RulesInEffect as RulesInEffect
from controller.events.roulette import BallLeftTrack as BallLeftTrack
from controller.events.roulette import BallRevolution as BallRevolution
from controller.events.roulette import BallThrown as BallThrown
from controller.events.roulette import PocketRead as PocketRead
from controller.events.roulette import ReaderFault as ReaderFault
from controller.events.roulette import RotorTurned as RotorTurned
from controller.events.rules_changed import OnRecord as OnRecord
from controller.events.rules_changed import RulesChanged as RulesChanged
from controller.events.start import PowerRestored as PowerRestored
from controller.events.start import TableStarted as TableStarted
from controller.events.tamper import ClockBattery as ClockBattery
from controller.events.tamper import SupplyVoltage as SupplyVoltage
from controller.events.tamper import TamperClosed as TamperClosed
from controller.events.tamper import TamperOpened as TamperOpened


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Press(Frozen):
    """A control was pressed, or the floorperson's key switch turned."""

    at_ns: int
    control: str
    utc_ns: int = 0
    """Wall time of the press, for ages in hours (§ 539.2(b))."""
    by: str = ""
    """Credential number of the floorperson who turned the key, where the table asks for it."""
    moving: bool = False  # a wheel with a clapper, when no-more-bets was pressed
    again: bool = False  # within a second of a press of the same control that led to another state
    prompt: str = ""
    """The prompt that was open: the press is refused, but for the calls that always count."""
    kind: Literal["press"] = "press"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WheelThrown(Frozen):
    """The wheel has turned more than half a turn in one direction since it last stood."""

    at_ns: int
    direction: Direction
    kind: Literal["wheel-thrown"] = "wheel-thrown"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RevolutionCompleted(Frozen):
    """A further full revolution since the last turning point."""

    at_ns: int
    number: int
    direction: Direction
    kind: Literal["revolution-completed"] = "revolution-completed"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SpinMeasure(Frozen):
    """What a spin tells of a calibrated wheel. It decides nothing."""

    loss_permille: int | None
    """What sections took of the squared speed, over the calibrated loss; None if a hand led the wheel, or if the
    calibration has no loss."""
    clockwise_mdeg: int | None
    """How much later than calibrated pegs closed the contact on average, turning clockwise."""
    counterclockwise_mdeg: int | None
    widest_mdeg: int
    """The strike farthest from its place."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WheelRested(Frozen):
    """The wheel has come to rest. Exactly one of section, boundary, fault is set if ``located``."""

    at_ns: int
    direction: Direction | None
    travel_counts: int
    """Counts in one direction since the last turning point."""
    counts_per_turn: int
    located: bool
    """Whether the wheel's position is known."""
    section: int | None = None
    """The section at the clapper, an index into the wheel's order."""
    boundary: int | None = None
    """The wheel is between this section of the order and the one before it."""
    fault: Fault | None = None
    """Why neither is certain."""
    abrupt: bool = False
    """The wheel stopped from a speed at which no wheel stops by itself."""
    touched: str = ""
    """What a hand did to the wheel after it was thrown; empty for nothing."""
    detector: str = ""
    """The code of the detector that found the fault or the hand; empty for neither."""
    measure: SpinMeasure | None = None
    """None for a movement that was no throw, a fault, and a wheel that was not calibrated."""
    kind: Literal["wheel-rested"] = "wheel-rested"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SensorHealth(Frozen):
    """The health of a sensor changed."""

    at_ns: int
    sensor: str
    health: Health
    detail: str = ""
    kind: Literal["sensor-health"] = "sensor-health"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class KeyStuck(Frozen):
    """A key has been down for longer than a person holds it."""

    at_ns: int
    control: str
    kind: Literal["key-stuck"] = "key-stuck"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PanelFault(Frozen):
    """Read-back disagrees with what was to be lit."""

    at_ns: int
    dark: tuple[str, ...]
    """Areas that should be lit and are not."""
    burning: tuple[str, ...]
    """Areas that should be dark and are lit."""
    detail: str = ""
    """Why the whole panel is not trusted."""
    kind: Literal["panel-fault"] = "panel-fault"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ShakerCycled(Frozen):
    """The automated shaker has completed a cycle (§ 539.5(c)(2))."""

    at_ns: int
    kind: Literal["shaker-cycled"] = "shaker-cycled"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ShakerFailed(Frozen):
    """The automated shaker reports that it failed or malfunctioned (§ 539.7(c))."""

    at_ns: int
    kind: Literal["shaker-failed"] = "shaker-failed"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TimerElapsed(Frozen):
    """A timer that the machine started is due."""

    at_ns: int
    timer: str
    kind: Literal["timer-elapsed"] = "timer-elapsed"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DealerLoggedOn(Frozen):
    """A dealer keyed a number; the rounds from now on are this dealer's."""

    at_ns: int
    utc_ns: int
    number: str
    """Empty: the dealer logged off."""
    kind: Literal["dealer-logged-on"] = "dealer-logged-on"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MachineFailed(Frozen):
    """The controller's own code raised while it handled an event. The state did not change."""

    at_ns: int
    cause: str
    kind: Literal["machine-failed"] = "machine-failed"


Event = (
    TableStarted
    | PowerRestored
    | RulesChanged
    | Press
    | Act
    | PromptOpened
    | PromptClosed
    | FloorKeyTurned
    | Identified
    | IdentityRefused
    | WheelThrown
    | RevolutionCompleted
    | WheelRested
    | RotorTurned
    | BallThrown
    | BallRevolution
    | BallLeftTrack
    | PocketRead
    | ReaderFault
    | SensorHealth
    | KeyStuck
    | PanelFault
    | ShakerCycled
    | ShakerFailed
    | LimitsAnnounced
    | LimitsWithdrawn
    | LimitsInEffect
    | LimitsNotice
    | OddsConfirmed
    | OddsInEffect
    | RulesConfirmed
    | RulesInEffect
    | DealerLoggedOn
    | ClockChecked
    | TamperOpened
    | TamperClosed
    | SupplyVoltage
    | ClockBattery
    | TimerElapsed
    | MachineFailed
)

AnyEvent = Annotated[Event, Field(discriminator="kind")]
"""An event as the journal reads it back."""


def trigger(event: Event) -> str:
    """An event's name in a machine's rows: ``press enter``, ``act void``, ``timer spin-limit``, else its kind."""
    if isinstance(event, Press):
        return f"press {event.control}"
    if isinstance(event, TimerElapsed):
        return f"timer {event.timer}"
    if isinstance(event, Act):
        return f"act {event.act}"
    return event.kind
