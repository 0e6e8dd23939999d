"""The scope of a query: rounds of a table, wheel, dealer or game that closed between two times.

Its parameters are those of an address: ``?table=sic-bo-3&from=2026-11-21&to=2026-11-22T06:00Z``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import ColumnElement

from controller.floor.queries.times import ms_of, utc_of
from controller.floor.store.schema import rounds

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
NAMED = ("table", "wheel", "dealer", "game")
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

    @property
    def span_ms(self) -> int:
        """The length of the span of time, in milliseconds."""
        return ms_of(self.until) - ms_of(self.since)

    def between(self, since: str, until: str) -> "Scope":
        """The same rounds of another span of time."""
        return replace(self, since=since, until=until)

    def conditions(self) -> list[ColumnElement[bool]]:
        """The WHERE conditions. Number 0 is the time before the first round and not a round itself."""
        named = [rounds.c[name] == getattr(self, name) for name in NAMED if getattr(self, name)]
        return [*named, rounds.c.closed >= self.since, rounds.c.closed < self.until, rounds.c.number > 0]


def scope_of(
    query: Mapping[str, str], now_ms: int, further: tuple[str, ...] = (), known: tuple[str, ...] = (*NAMED, *TIMES)
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
    names = {name: query.get(name, "") for name in NAMED}
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
