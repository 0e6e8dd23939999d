"""The events: what happened at a table. Tracking and people's presses make them, and the journal records them.

An event is frozen, and it is the only input of a machine.
"""

from enum import Enum

from controller.events.frozen import Frozen, Recorded
from controller.events.words import NOTHING, Text, text

# Devices, as their health names them.
MIRROR = "mirror"  # the second file of the journal
KEYS = ("keypad", "keyboard", "buttons")
SWITCHES = "switches"  # all key switches and contacts
TAMPER = "tamper"  # the contacts of door and cabinet
SUPPLY = "supply voltage"  # beside the names of contacts, none of which has a space
BATTERY = "clock battery"


def contact_part(contact: str) -> str:
    """A contact of door or cabinet among the devices, one of which may have its name."""
    return f"{contact} contact"


class Event(Recorded):
    """Something that happened."""

    at_ns: int  # monotonic time


def trigger(event: Event) -> str:
    """An event's name in a machine's rows: ``press enter``, ``act void``, ``timer spin-limit``, else its kind."""
    if isinstance(event, Press):
        return f"press {event.control}"
    if isinstance(event, TimerElapsed):
        return f"timer {event.timer}"
    if isinstance(event, Act):
        return f"act {event.act}"
    return event.kind


# -- keys, prompts and people --------------------------------------------------------------------------------------


class Press(Event):
    """A control was pressed, or the floorperson's key switch turned."""

    control: str
    utc_ns: int = 0  # wall time of the press, for ages in hours (§ 539.2(b))
    moving: bool = False  # a wheel with a clapper, when no-more-bets was pressed
    again: bool = False  # within a second of a press of the same control that led to another state
    prompt: str = ""  # the prompt that was open: the press is refused, but for the calls that always count


class Act(Event):
    """An act that was offered (:class:`controller.machine.offers.Offer`), chosen and confirmed."""

    act: str
    argument: str = ""  # code: of the reason, or of what is corrected
    utc_ns: int = 0
    by: str = ""
    """Credential number of the floorperson; empty where the table asks for none, and for the dealer's own act."""
    floor: bool = True  # by the floorperson's key; False for the dealer's own act


class PinPrompt(Event):
    """A prompt asks for digits that may be a PIN, or none does now. After a power cut the rest is discarded."""

    prompt: str  # ``floorperson``, ``log-on``; empty: none
    how: str = ""  # how the prompt before it ended: ``answered``, ``cancelled``, ``expired``


class FloorKeyTurned(Event):
    """The floorperson's key was turned."""

    by: str = ""  # credential number of the floorperson who had identified just before; empty if nobody had


class Identified(Event):
    """A floorperson keyed a credential number and its PIN."""

    number: str


class IdentityRefused(Event):
    """A credential number and a PIN did not belong together, or were keyed before the wait was over."""

    number: str
    """The credential number; ``unknown`` if nobody has what was keyed; empty if it was too early to look at it."""
    failures: int  # wrong PINs in a row
    wait_ns: int  # the time for which no identification is accepted
    log_on: bool = False  # a dealer's, and not a floorperson's


class DealerLoggedOn(Event):
    """A dealer keyed a number; the rounds from now on are this dealer's."""

    utc_ns: int
    number: str  # empty: the dealer logged off


# -- a wheel with a clapper ----------------------------------------------------------------------------------------


class Direction(Enum):
    """Which way the wheel turns, as the players see it."""

    CLOCKWISE = "clockwise"
    COUNTERCLOCKWISE = "counterclockwise"


class Health(Enum):
    OK = "ok"
    SILENT = "silent"
    STUCK = "stuck"
    NOISY = "noisy"
    LOSSY = "lossy"
    GONE = "gone"  # disconnected, as the device itself reports: a pulled cable
    OPEN = "open"  # a contact of door or cabinet
    DEGRADED = "degraded"  # it works, and needs maintenance before it no longer does


class Fault(Frozen):
    """A sensor that cannot be trusted, and why."""

    sensor: str
    health: Health
    found: Text  # the code of the detector that found it

    @property
    def parameters(self) -> dict[str, str | int]:
        """Of an effect's words: ``found`` is another code, whose parameters stand beside it."""
        found = self.found
        return {"sensor": self.sensor, "health": self.health.value, "found": found.code, **found.parameters}


class WheelThrown(Event):
    """The wheel has turned more than half a turn in one direction since it last stood."""

    direction: Direction


class RevolutionCompleted(Event):
    """A further full revolution since the last turning point."""

    number: int
    direction: Direction


class SpinMeasure(Frozen):
    """What a spin tells of a calibrated wheel. It decides nothing."""

    loss_permille: int | None
    """What sections took of the squared speed, over the calibrated loss; None if a hand led the wheel, or if the
    calibration has no loss."""
    clockwise_mdeg: int | None
    """How much later than calibrated pegs struck on average, turning clockwise."""
    counterclockwise_mdeg: int | None
    widest_mdeg: int  # the strike farthest from its place


class WheelRested(Event):
    """The wheel has come to rest. Exactly one of section, boundary, fault is set if ``located``."""

    direction: Direction | None
    travel_counts: int  # counts in one direction since the last turning point
    counts_per_turn: int
    located: bool  # whether the wheel's position is known
    section: int | None = None  # the section at the clapper, an index into the wheel's order
    boundary: int | None = None  # the wheel is between this section of the order and the one before it
    fault: Fault | None = None  # why neither is certain
    touched: Text = NOTHING
    """What a hand did to the wheel after it was thrown, by the code of the detector that found it."""
    measure: SpinMeasure | None = None
    """None for a movement that was no throw, a fault, and a wheel that was not calibrated."""


# -- a roulette wheel ----------------------------------------------------------------------------------------------


class RotorTurned(Event):
    """A roulette wheel's rotor has made its first full turn, or one opposite to the last certain one."""

    direction: Direction


class BallThrown(Event):
    """The ball runs around the track: it has passed the beams often enough to be certain."""

    direction: Direction | None  # None if there is only one beam, or if the direction is in doubt


class BallRevolution(Event):
    """The ball has come back to the first beam that it passed."""

    number: int  # how many times it has come back
    direction: Direction | None
    against: bool | None
    """Whether it runs against the rotor; None unless the rotor has turned one way since before the throw."""


class BallLeftTrack(Event):
    """The ball no longer passes the beams."""

    left_ns: int  # when it last passed one
    revolutions: int  # the number of complete and certain ones
    direction: Direction | None
    rotor: Direction | None
    """The rotor's direction from before the throw until the ball had left; None if it changed or is unknown."""
    fault: Fault | None = None  # why the sensors are not trusted
    early: bool = False  # the ball was still too fast to leave the track by itself

    @property
    def against(self) -> bool | None:
        """Whether the ball ran against the rotor; None if that is not known."""
        return None if None in (self.direction, self.rotor) else self.direction is not self.rotor


class PocketRead(Event):
    """The wheel reader names the pocket in which the ball lies."""

    pocket: str


class ReaderFault(Event):
    """The wheel reader sent something that is not a result."""

    detail: str  # its driver's own words: what was received, or what happened to the port


# -- dice ----------------------------------------------------------------------------------------------------------


class ShakerCycled(Event):
    """The automated shaker has completed a cycle (§ 539.5(c)(2))."""


class ShakerFailed(Event):
    """The automated shaker reports that it failed or malfunctioned (§ 539.7(c))."""


# -- devices and timers --------------------------------------------------------------------------------------------


class SensorHealth(Event):
    """The health of a sensor changed."""

    sensor: str
    health: Health
    found: Text = NOTHING  # why; empty if it is in order

    @classmethod
    def of_device(cls, at_ns: int, device: str, detail: str) -> "SensorHealth":
        """What a driver reports in its own words, which are a parameter; empty once the device works again."""
        return cls(at_ns, device, *((Health.GONE, text("device-gone", detail=detail)) if detail else (Health.OK,)))

    @property
    def parameters(self) -> dict[str, str | int]:
        """Of an effect's words."""
        return Fault(self.sensor, self.health, self.found).parameters


class KeyStuck(Event):
    """A key has been down for longer than a person holds it."""

    control: str


class PanelFault(Event):
    """Read-back disagrees with what was to be lit."""

    dark: tuple[str, ...]  # areas that should be lit and are not
    burning: tuple[str, ...]  # areas that should be dark and are lit
    detail: str = ""  # why the whole panel is not trusted, in its driver's own words; empty if only lamps are


class TimerElapsed(Event):
    """A timer that the machine started is due."""

    timer: str


class MachineFailed(Event):
    """The controller's own code raised while it handled an event. The state did not change."""

    cause: str  # the exception's own words


# -- cabinet and computer ------------------------------------------------------------------------------------------


class CabinetHealth(Event):
    """A door or the cabinet was opened or closed, or the computer's supply or its clock's battery changed."""

    part: str  # :func:`contact_part`, :data:`SUPPLY` or :data:`BATTERY`
    health: Health
    found: Text  # ``opened-now``, ``supply-low``, ``battery-ok``, …
    locks: bool = False  # the table locks until it is in order; if not, it only alerts
    by: str = ""  # credential number of who had identified last, within the time for which that counts


class ClockChecked(Event):
    """The wall time was set, or came into doubt."""

    utc_ns: int  # the table's wall time from now on
    moved_ns: int = 0  # how much later it is than the table had counted; negative if it had counted too fast
    started_utc_ns: int = 0
    """The wall time at which this start of the table began, as counted then: what was stamped since moves, too."""
    doubt: Text = NOTHING  # why the wall time is not certain; empty if it is


# -- terms that a floorperson confirms (§§ 521.7, 521.8) ----------------------------------------------------------

# No game reacts to them: the table's own state follows from them (:mod:`controller.limits.table_state`).


class Limits(Frozen):
    """What the table's sign states: decimals, without redundant zeros."""

    minimum: str
    maximum: str
    payout: str = ""  # the most that is paid out in a round; empty for no limit
    currency: str = ""  # the sign in front of an amount


class House(Frozen):
    """What a table's file says of its play besides limits (§ 521.8(b)), as plain data."""

    rules: dict[str, object]  # the section ``rules``, defaults included
    dice: dict[str, object]  # the section ``dice``
    odds: dict[str, str]  # those above the regulation's minimum, by wager: ``41 to 1``
    symbols: dict[str, str]  # the layout's symbols, by area
    steps: dict[str, str]
    """Wagers are placed in steps of these amounts (§ 521.7(d)): decimals, by wager, or ``every``."""


class Terms(Frozen):
    limits: Limits | None = None
    house: House | None = None


class TermsConfirmed(Event):
    """The floorperson confirmed other terms: those of the house count from the next round on."""

    utc_ns: int
    terms: Terms  # None for what stays
    by: str = ""  # credential number of the floorperson, where the table requires it
    changed: tuple[str, ...] = ()  # where the house's terms are different: ``rules.positions``
    from_utc_ns: int = 0  # wall time at which limits take effect, with the next round
    to_patrons: bool = True
    """The floorperson states that the change was announced to the patrons at the table (§ 521.8(c)(2)(iii)), or
    else that no patron plays, so that it takes effect at once (§ 521.8(c)(1))."""
    from_file: bool = False  # they are those of the table's file


class LimitsWithdrawn(Event):
    """The limits that were announced do not take effect."""

    by: str = ""


class LimitsNotice(Event):
    """The sign has shown the announced limits for a further while (§ 521.8(c)(2)(i), (ii))."""

    lit_ns: int  # for how long in all, whatever the clock was set to; time without power or table does not count


class TermsInEffect(Event):
    """Confirmed terms, or those of the table's file at its first start, count from now on."""

    utc_ns: int
    terms: Terms  # None for what stays
    changed: tuple[str, ...] = ()  # as in :class:`TermsConfirmed`
    anew: bool = False  # the table is closed, and is made ready anew: no wagers lie
    round: int = 0  # the last round, which nothing was played of under other rules


# -- starts of the table -------------------------------------------------------------------------------------------


class TableStarted(Event):
    """The table starts for the first time on an empty journal."""

    utc_ns: int
    version: str
    configuration: str  # SHA-256 of the configuration file, hexadecimal
    software: str = ""  # digest of the software, hexadecimal: that of the release
    terms: Terms | None = None  # those of the table's file
    wheel: str = ""  # serial number of the table's wheel; empty if the file names none
    replaces: tuple[Text, ...] = ()  # the damaged journal that this one replaces, and its mirror
    table: str = ""  # the key ``table`` of its file: a journal is that of one table


class PowerRestored(Event):
    """The table starts again on its journal: after a power cut, a restart or an update."""

    utc_ns: int
    version: str
    configuration: str
    software: str = ""
    terms: Terms | None = None
    wheel: str = ""
    pause_ns: int = 0  # wall time since the last entry of the record; negative if nobody knows


class OnRecord(Enum):
    """What the record of an interrupted round contains."""

    NOTHING = "nothing"  # no open round, or its wagers were returned
    WAGERS = "wagers"  # wagers, but no result
    RESULT = "result"  # a result, settled or not


class RulesChanged(Event):
    """The last round cannot be continued: its entries are decided otherwise now (§ 521.8(b)).

    The decision on this event depends on nothing else.
    """

    version: str  # the version of the present software
    software: str  # its digest, as in :class:`TableStarted`
    configuration: str  # that of the table's file
    version_before: str  # what decided the entry, as its start names it
    software_before: str
    configuration_before: str
    entry: int  # the first entry that is decided otherwise, or cannot be decided
    what: str  # code: what differs, or why the entry cannot be decided now
    round: int  # the last round on record
    on_record: OnRecord
    lit: tuple[str, ...]  # the areas that were lit, according to the record
    of_file: bool = False  # the table's file was changed, and not the software
