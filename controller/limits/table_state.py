"""The state of a table that is independent of its game: the limits in effect, those announced, and the dealer.

Pure: an event yields a new state. Each checkpoint of the journal contains it beside the machine's state, so that a
restart reads no more than one round to restore it.
"""

from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from controller.events.event import DealerLoggedOn, Event, LimitsAnnounced, LimitsInEffect, LimitsWithdrawn
from controller.statechart.snapshots import read_back


@dataclass(frozen=True, slots=True)
class Amounts:
    """Limits: decimals in the currency's unit, written without redundant zeros."""

    minimum: str
    maximum: str
    payout: str = ""
    """The most that is paid out in a round; empty for no limit."""


@dataclass(frozen=True, slots=True)
class AnnouncedLimits:
    """Limits that were announced and are not in effect yet (§ 521.8(c)(2))."""

    amounts: Amounts
    announced_utc_ns: int
    from_utc_ns: int
    """Wall time at which they take effect."""

    @property
    def notice_ns(self) -> int:
        """How long ahead they were announced."""
        return self.from_utc_ns - self.announced_utc_ns


@dataclass(frozen=True, slots=True)
class TableState:
    """The recorded state of a table."""

    limits: Amounts | None = None
    """In effect; None while none are on record."""
    pending: AnnouncedLimits | None = None
    dealer: str = ""
    """The number of the dealer who is logged on; empty for none."""

    def take(self, event: Event) -> "TableState":
        """The state after an event; the same object if the event does not concern it."""
        if isinstance(event, LimitsInEffect):
            return replace(self, limits=Amounts(event.minimum, event.maximum, event.payout), pending=None)
        if isinstance(event, LimitsAnnounced):
            announced = Amounts(event.minimum, event.maximum, event.payout)
            return replace(self, pending=AnnouncedLimits(announced, event.utc_ns, event.from_utc_ns))
        if isinstance(event, LimitsWithdrawn):
            return replace(self, pending=None)
        if isinstance(event, DealerLoggedOn):
            return replace(self, dealer=event.number)
        return self

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
