"""The scope of a query: rounds of a house, table, wheel, dealer or game that closed between two times.

Its parameters are those of an address: ``?table=sic-bo-3&from=2026-11-21&to=2026-11-22T06:00Z``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, Connection, Table

from controller.floor.queries.times import ms_of, utc_of
from controller.floor.store.partitions import closed_between
from controller.floor.store.schema import rounds
from controller.messages.topics import house_itself

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
NAMED = ("table", "wheel", "dealer", "game")
HOUSE = "house"
"""Selects the tables of one house at a group's floor; it is in their names, and no column."""
TIMES = ("from", "to")


@dataclass(frozen=True, slots=True)
class Scope:
    """A selection of rounds; an empty name selects all."""

    since: str
    """UTC, as in the store: rounds that closed then or later."""
    until: str
    """Rounds that closed before."""
    table: str = ""
    wheel: str = ""
    dealer: str = ""
    game: str = ""
    house: str = ""

    @property
    def span_ms(self) -> int:
        """The length of the span of time, in milliseconds."""
        return ms_of(self.until) - ms_of(self.since)

    def between(self, since: str, until: str) -> "Scope":
        """The same rounds of another span of time."""
        return replace(self, since=since, until=until)

    def named(self, of: Table) -> list[ColumnElement[bool]]:
        """The WHERE conditions on names, of a table with their columns."""
        named = [of.c[name] == getattr(self, name) for name in NAMED if getattr(self, name)]
        return [*named, of.c.table.startswith(house_itself(self.house), autoescape=True)] if self.house else named

    def conditions(self, db: Connection) -> list[ColumnElement[bool]]:
        """The WHERE conditions. Number 0 is the time before the first round and not a round itself."""
        return [*self.named(rounds), *closed_between(db, self.since, self.until), rounds.c.number > 0]


def scope_of(
    query: Mapping[str, str],
    now_ms: int,
    further: tuple[str, ...] = (),
    known: tuple[str, ...] = (*NAMED, HOUSE, *TIMES),
) -> Scope:
    """The scope that an address selects; without times that of the last 24 hours.

    Args:
        further: other parameters that the address may have.
        known: those of the scope that it may have.

    Raises:
        ValueError: a parameter is unknown or has no meaning; the message names it.
    """
    for name in query:
        if name not in (*known, *further):
            raise ValueError(f"unknown parameter '{name[:40]}'; known are {', '.join((*known, *further))}")
    until_ms = _ms("to", query["to"]) if "to" in query else now_ms
    since_ms = _ms("from", query["from"]) if "from" in query else until_ms - DAY_MS
    if since_ms >= until_ms:
        raise ValueError("'from' must be before 'to'")
    names = {name: query.get(name, "") for name in (*NAMED, HOUSE)}
    return Scope(utc_of(since_ms), utc_of(until_ms), **names)


def _ms(name: str, text: str) -> int:
    try:
        at = datetime.fromisoformat(text)
        at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
        ms = round(at.timestamp() * 1000)
        utc_of(ms + DAY_MS), utc_of(ms - DAY_MS)
    except (ValueError, OverflowError):
        example = "2026-11-21, or 2026-11-21T17:42:14Z"
        raise ValueError(f"'{name}' is no time: write it as {example} (a + before hours is written %2B)") from None
    return ms
