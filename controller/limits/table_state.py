"""The state of a table that is independent of its game: the terms in effect, the dealer, how far the round is.

Pure: an event yields a new state. Each checkpoint of the journal contains the :class:`TableState` beside the
machine's, so that a restart reads no more than one round to restore both. The progress begins with the round.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from pydantic import TypeAdapter

from controller.events.effect import RoundOpened
from controller.events.event import (
    BallLeftTrack,
    BallRevolution,
    BallThrown,
    DealerLoggedOn,
    Event,
    House,
    Identified,
    IdentityRefused,
    Limits,
    LimitsNotice,
    LimitsWithdrawn,
    PinPrompt,
    PocketRead,
    PowerRestored,
    Press,
    RevolutionCompleted,
    RulesChanged,
    ShakerCycled,
    TableStarted,
    Terms,
    TermsConfirmed,
    TermsInEffect,
    WheelRested,
    WheelThrown,
)
from controller.events.record import Outcome, Record
from controller.machine.snapshots import read_back


@dataclass(frozen=True, slots=True)
class AnnouncedLimits:
    """Limits that were announced and are not in effect yet (§ 521.8(c)(2))."""

    limits: Limits
    announced_utc_ns: int
    from_utc_ns: int
    """Wall time from which on they take effect, with the next round."""
    lit_ns: int = 0
    """For how long the sign has shown them, as far as it is on record."""


@dataclass(frozen=True, slots=True)
class TableState:
    limits: Limits | None = None
    """In effect; None while none are on record."""
    pending: AnnouncedLimits | None = None
    house: House | None = None
    """In effect; None before the first start."""
    next_house: House | None = None
    """Confirmed, and in effect from the next round on."""
    file: Limits | None = None
    """Those of the table's file when the floorperson last confirmed them, or at the first start."""
    dealer: str = ""
    """The number of the dealer who is logged on; empty for none."""
    table: str = ""
    """The table whose journal this is, as its first start says."""
    wheel: str = ""
    """Serial number of the wheel, as the last start says; empty for none."""
    wrong_pins: int = 0
    """Consecutive wrong PINs: they delay the next identification."""
    wrong_log_ons: int = 0
    """Those of dealers: they delay the next log-on."""
    prompt: str = ""
    """The prompt that asks for digits which may be a PIN; empty if none is open."""

    def take(self, event: Event) -> "TableState":
        """The state after an event; the same object if the event does not concern it."""
        match event:
            case DealerLoggedOn(number=""):  # Who logs off has keyed no PIN.
                return replace(self, dealer="")
            case DealerLoggedOn(number=number):
                return replace(self, dealer=number, wrong_log_ons=0)
            case IdentityRefused(failures=failures, log_on=True):
                return replace(self, wrong_log_ons=failures)
            case IdentityRefused(failures=failures):
                return replace(self, wrong_pins=failures)
            case Identified():
                return replace(self, wrong_pins=0)
            case PinPrompt(prompt=prompt):
                return replace(self, prompt=prompt)
            case TableStarted() | PowerRestored():
                after = self if self.wheel == event.wheel else replace(self, wheel=event.wheel)
                if isinstance(event, TableStarted):
                    after = replace(after, table=event.table)
                if self.house is None and event.terms is not None:  # The file's terms count at the first start.
                    after = replace(after, file=event.terms.limits, house=event.terms.house)
                return after
            case TermsConfirmed():
                return self._confirmed(event)
            case TermsInEffect(terms=Terms(limits, house)):
                after = self if limits is None else replace(self, limits=limits, pending=None)
                return after if house is None else replace(after, house=house, next_house=None)
            case LimitsWithdrawn():
                return replace(self, pending=None)
            case LimitsNotice(lit_ns=lit_ns) if self.pending is not None:
                return replace(self, pending=replace(self.pending, lit_ns=lit_ns))
        return self

    def _confirmed(self, event: TermsConfirmed) -> "TableState":
        limits, house = event.terms.limits, event.terms.house
        after = self
        if house is not None:
            after = replace(after, next_house=None if house == self.house else house)
        if limits is not None:
            pending = AnnouncedLimits(limits, event.utc_ns, event.from_utc_ns)
            after = replace(after, pending=pending, file=limits if event.from_file else self.file)
        return after

    def snapshot(self) -> dict[str, object]:
        """The state as JSON values, for the journal."""
        data: dict[str, object] = _ADAPTER.dump_python(self, mode="json")
        return data


_ADAPTER = TypeAdapter(TableState)


def restored(snapshot: object) -> TableState:
    """The table state of a snapshot.

    Raises:
        ValueError: it is no snapshot, or a field, which the message names, is missing, unknown or of another type.
    """
    return read_back(_ADAPTER, snapshot, "standing")


# -- whether a round is in progress, and since when the table is quiet ---------------------------------------------

OPEN = "bets-open"
"""The state in which wagers are placed, in every game. A football game returns to it after each throw."""
_FLOOR_KEY = "floor-key"
_ACCEPTED = Outcome.ACCEPTED.value
_THROWN = (WheelThrown, BallThrown, ShakerCycled)
_MOVED = (WheelRested, RevolutionCompleted, BallRevolution, BallLeftTrack, PocketRead)
_STARTED = (TableStarted, PowerRestored, RulesChanged)
_ACTIVE = (Press, *_THROWN, *_MOVED, *_STARTED)
"""What people do at a table, and starts: nobody knows what was done before. A rotor may turn while nobody plays."""
QUIET_NS = 60_000_000_000
"""Where nobody plays, nothing is keyed or thrown for this long."""


class RoundProgress(NamedTuple):
    """How far the round is. It begins with the first key or throw while wagers are open, and ends where the machine
    opens the next one. A transition to :data:`OPEN` from elsewhere (the floor menu, locating a wheel) begins none.
    """

    state: str = ""
    opened: bool = False
    begun: bool = False
    """Something has been keyed or thrown since then."""
    active_ns: int = 0
    """Monotonic time of what was last keyed or thrown, the floorperson's key apart, or of the round's opening."""

    def take(self, record: Record) -> "RoundProgress":
        event = record.event
        active_ns = event.at_ns if _is_active(event) else self.active_ns
        if RoundOpened in map(type, record.effects):
            return RoundProgress(record.state, True, active_ns=event.at_ns)
        accepted = record.outcome == _ACCEPTED
        begun = self.begun or (self.state == OPEN and accepted and _begins_round(event))
        if (record.state, begun, active_ns) == (self.state, self.begun, self.active_ns):
            return self
        return RoundProgress(record.state, self.opened, begun, active_ns)

    @property
    def idle(self) -> bool:
        """Wagers are open and nothing has been keyed or thrown: nobody may be playing only at such a time."""
        return self.opened and self.state == OPEN and not self.begun

    def quiet_in_ns(self, now_ns: int) -> int:
        """For how long nothing may happen yet until the table counts as quiet; 0 if it does."""
        return max(0, self.active_ns + QUIET_NS - now_ns)


def _is_active(event: Event) -> bool:
    return isinstance(event, _ACTIVE) and not (isinstance(event, Press) and event.control == _FLOOR_KEY)


def _begins_round(event: Event) -> bool:
    if isinstance(event, Press):
        return event.control != _FLOOR_KEY
    return isinstance(event, _THROWN)
