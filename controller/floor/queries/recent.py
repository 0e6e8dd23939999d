"""The last hour of every table and its last results, updated from the store.

The store numbers rounds in the order of arrival. Each update reads only the rounds since the previous one, so an
overview of a thousand tables costs as much as what is new, not as the whole history.
"""

import json
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, Connection, Integer, Text, cast, func, select

from controller.floor.queries.scope import HOUR_MS
from controller.floor.queries.times import utc_of
from controller.floor.store.partitions import closed_between
from controller.floor.store.schema import rounds

RESULTS = 10
"""How many of a table's last results are shown."""
_NONE = "[]"


@dataclass(frozen=True, slots=True, order=True)
class _Round:
    closed: str
    spins: int
    voids: str
    """The reasons as the store has them, JSON."""


@dataclass(slots=True)
class LastHour:
    """The rounds of a table within the last hour."""

    rounds: int = 0
    """That closed in it."""
    spins: int = 0
    """Spins, rolls or deals, the void ones included."""
    voids: Counter[str] = field(default_factory=Counter)
    """Void ones by reason."""
    results: tuple[str, ...] = ()
    """The last ones, however old; the newest first."""
    _rounds: list[_Round] = field(default_factory=list)

    @property
    def void_rate(self) -> float | None:
        """Void spins as a share of all spins; None if there was no spin."""
        return self.voids.total() / self.spins if self.spins else None

    def add(self, one: _Round) -> None:
        """Count a round; they need not come in order."""
        insort(self._rounds, one)
        self._count(one, 1)

    def forget(self, since: str) -> None:
        """Remove the rounds that closed before ``since``."""
        if not self._rounds or self._rounds[0].closed >= since:
            return
        end = bisect_left(self._rounds, since, key=lambda one: one.closed)
        for one in self._rounds[:end]:
            self._count(one, -1)
        del self._rounds[:end]

    def _count(self, one: _Round, sign: int) -> None:
        self.rounds += sign
        self.spins += sign * one.spins
        if one.voids != _NONE:
            for reason in json.loads(one.voids):
                self.voids[reason] += sign
                if not self.voids[reason]:
                    del self.voids[reason]


class Recent:
    """The last hour of every table. Not thread-safe: one thread at a time may use it.

    Args:
        table: of this table alone; empty for all.
    """

    def __init__(self, table: str = "") -> None:
        self._mine = (rounds.c.table == table,) if table else ()
        self._tables: dict[str, LastHour] = {}
        self._last = 0
        """The number of the last round that was read."""

    def look(self, connection: Connection, now_ms: int) -> None:
        """Read the rounds that were stored since the last call."""
        since = utc_of(now_ms - HOUR_MS)
        # The newest number first: rounds stored during the read are read the next time.
        newest = connection.execute(select(func.max(rounds.c.id)).where(*self._mine)).scalar() or 0
        if self._last == 0:
            touched = self._begin(connection, since, newest)
        else:
            touched = self._take(connection, since, newest) if newest > self._last else set()
        self._last = newest
        for table in touched:
            self.of(table).results = _results(connection, table)
        for one in self._tables.values():
            one.forget(since)

    def of(self, table: str) -> LastHour:
        """The last hour of a table, as of the last :meth:`look`."""
        return self._tables.setdefault(table, LastHour())

    def _begin(self, connection: Connection, since: str, newest: int) -> set[str]:
        self._read(connection, (*closed_between(connection, since), rounds.c.id <= newest))
        return set(connection.execute(select(rounds.c.table).where(*self._mine).distinct()).scalars())

    def _take(self, connection: Connection, since: str, newest: int) -> set[str]:
        new = (*self._mine, rounds.c.id > self._last, rounds.c.id <= newest)
        self._read(connection, (*new, *closed_between(connection, since)))
        return set(connection.execute(select(rounds.c.table).where(*new).distinct()).scalars())

    def _read(self, connection: Connection, where: Iterable[ColumnElement[bool]]) -> None:
        results = func.json_array_length(rounds.c.results, type_=Integer)
        void = func.json_array_length(rounds.c.voids, type_=Integer)
        query = select(rounds.c.table, rounds.c.closed, results + void, cast(rounds.c.voids, Text))
        played = (*self._mine, *where, rounds.c.number > 0)
        for table, closed, spins, voids in connection.execute(query.where(*played)):
            self.of(table).add(_Round(closed, spins, _NONE if voids == _NONE else voids))


def _results(connection: Connection, table: str) -> tuple[str, ...]:
    query = (
        select(rounds.c.results)
        .where(rounds.c.table == table, cast(rounds.c.results, Text) != _NONE)
        .order_by(rounds.c.closed.desc(), rounds.c.id.desc())
        .limit(RESULTS)
    )
    labels = [label for (of_round,) in connection.execute(query) for label in reversed(of_round)]
    return tuple(labels[:RESULTS])
