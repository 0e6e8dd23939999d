"""How a table stands, whatever is played on it: the limits on its sign, those announced, and the dealer.

Pure: events come in, a new standing comes out. It is kept in each checkpoint of the journal beside the machine's
state, so that it is known again after a restart at the cost of one round.
"""

from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from controller.events.event import DealerLoggedOn, Event, LimitsAnnounced, LimitsInEffect, LimitsWithdrawn
from controller.statechart.snapshots import read_back


@dataclass(frozen=True, slots=True)
class Amounts:
    """Limits: decimals in the currency's unit, written without needless zeros."""

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
    """What the record says of a table itself."""

    limits: Amounts | None = None
    """In effect; None while none are on record."""
    pending: AnnouncedLimits | None = None
    dealer: str = ""
    """Who has logged on; empty for nobody."""

    def take(self, event: Event) -> "TableState":
        """The standing after an event; this very one after an event that is none of its business."""
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
        """All of it, for the journal."""
        data: dict[str, object] = _STANDING.dump_python(self, mode="json")
        return data


_STANDING = TypeAdapter(TableState)


def restored(snapshot: object) -> TableState:
    """A standing as a snapshot kept it.

    Raises:
        ValueError: the snapshot is none, or a field of it, which is named, is missing, unknown or of another type.
    """
    return read_back(_STANDING, snapshot, "standing")
