"""A round as its entries say it was, and the place of those entries in the record."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

WheelDirection = Literal["clockwise", "counterclockwise", ""]


class Stop(NamedTuple):
    """Where a wheel stopped in a spin that counts."""

    position: int
    """An index into the wheel's order."""
    of: int
    """Sections or pockets of the wheel."""
    label: str
    direction: WheelDirection
    """Of the wheel; empty: not known."""


class RoundAlert(NamedTuple):
    """An alert of an entry."""

    seq: int
    hash: str
    part: int
    """Its place among the effects of the entry, from 0."""
    at: str
    round: int
    text: str
    remedy: str


class RoundSummary(NamedTuple):
    """A round that is over. Lists are shortened to what a message holds, from their end on."""

    game: str
    seq: int
    """The last entry: it opens the next round."""
    hash: str
    number: int
    """0 is what came before the first round."""
    opened: str
    """Wall time, as in the journal."""
    closed: str
    wheel: str
    """Serial number; empty: none is on record."""
    dealer: str
    """Logged on when the round closed; empty: none."""
    spins: Sequence[Stop]
    results: Sequence[str]
    voids: Sequence[str]
    returned: Sequence[str]
    corrections: int
    phases: Mapping[str, int]
    """Milliseconds in each state."""
    alerts: Sequence[RoundAlert]
    replaces: str
    """The damaged journal that this record replaces, as text."""
