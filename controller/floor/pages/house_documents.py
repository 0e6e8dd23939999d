"""The document of the page that shows the houses of a group: ``/houses.json``."""

from typing import TypedDict


class HouseRow(TypedDict):
    """A house, as its messages and its tables show it."""

    house: str
    floor: str
    """What the house calls its floor; empty while it has said nothing of itself."""
    software: str
    online: bool
    changed_ms: int | None
    """Since when it is online, or not; None while it has said nothing of itself, as the next three."""
    heard_ms: int | None
    ahead_ms: int | None
    """How far its clock is ahead of this floor's."""
    oldest_ms: int | None
    """When the oldest round that waits to be relayed closed; None if none waits."""
    waiting: int
    """Rounds that were still to be relayed when it was heard last."""
    tables: int
    tables_online: int
    rounds: int
    """That closed in the last 24 hours, in whole hours."""
    alerts: int
    """Active ones, of the house and of its tables."""


class HousesDocument(TypedDict):
    """``/houses.json``."""

    floor: str
    houses: list[HouseRow]
    utc_ms: int
