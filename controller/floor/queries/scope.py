"""Which rounds are meant: of which table, wheel, dealer and game, and closed between which times.

The words are those of an address: ``?table=sic-bo-3&from=2026-11-21&to=2026-11-22T06:00Z``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
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
    """A choice of rounds; an empty name means all."""

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
        """From one time to the other."""
        return ms_of(self.until) - ms_of(self.since)

    def conditions(self) -> list[ColumnElement[bool]]:
        """What makes a stored round one of these. Number 0 is what came before the first round, and none itself."""
        named = [rounds.c[name] == getattr(self, name) for name in NAMED if getattr(self, name)]
        return [*named, rounds.c.closed >= self.since, rounds.c.closed < self.until, rounds.c.number > 0]


def scope_of(query: Mapping[str, str], now_ms: int, further: tuple[str, ...] = ()) -> Scope:
    """The rounds that an address means; without times those of the last 24 hours.

    Args:
        further: other words that the address may have.

    Raises:
        ValueError: it has words that mean nothing; a sentence that names them.
    """
    known = (*NAMED, *TIMES, *further)
    for name in query:
        if name not in known:
            raise ValueError(f"'{name[:40]}' is not known here; known are {', '.join(known)}")
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
