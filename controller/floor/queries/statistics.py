"""Figures of the stored rounds by table, wheel, game or dealer.

Rounds an hour **by the clock** are the rounds that closed within a span of time, divided by its hours, whether or
not anybody played. Rounds an hour **in play** are the same rounds divided by the hours that they were in play: the
sum of the times in their states, without the states in which no table plays (:data:`IDLE`), and
with at most ten minutes (:data:`MOST_MS`) for a state of one round: a table that waits longer waits for players.

A **spin** is here every spin, roll or deal that came to a result or was void; the void rate is the share of
the void. Number 0, which is what a table did before its first round, is no round.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, Integer, Text, cast, func, select

from controller.floor.pages import documents
from controller.floor.queries.scope import HOUR_MS, HOUSE, NAMED, Scope
from controller.floor.queries.spans import SpanEnd, outward, spans
from controller.floor.store.hour_sums import HOUR_LENGTH, MOST_MS, RoundSums, unsummed
from controller.floor.store.period_sums import IDLE
from controller.floor.store.retention import kept_from
from controller.floor.store.schema import hour_sums, rounds
from controller.messages.topics import house_of

__all__ = ["BY", "IDLE", "MOST_MS", "Figures", "by_the_hour", "kept_scope", "statistics"]

BY = (*NAMED, HOUSE)
"""What figures can be grouped by."""
_NONE = "[]"
_AT_ONCE = 5_000
"""How many rounds the database sends at a time."""


@dataclass(slots=True)
class Figures:
    """Figures of the rounds of one table, wheel, game or dealer."""

    name: str
    """Of the table, wheel, game or dealer; empty for rounds without a wheel's serial number or without a dealer."""
    span_ms: int
    """The requested span of time."""
    rounds: int = 0
    spins: int = 0
    """Spins, rolls or deals, the void ones included."""
    corrections: int = 0
    """Entries that were corrected."""
    voids: Counter[str] = field(default_factory=Counter)
    """Void spins or rolls by reason."""
    phases: dict[str, int] = field(default_factory=dict)
    """Milliseconds by state, the longest first."""
    play_ms: int = 0
    """How long the rounds were in play."""
    void_spins: int = 0
    """Void spins or rolls, where their reasons are not given."""

    @property
    def an_hour(self) -> float:
        """Rounds an hour by the clock."""
        return self.rounds * HOUR_MS / self.span_ms

    @property
    def an_hour_in_play(self) -> float | None:
        """Rounds an hour in play; None if there was none."""
        return self.rounds * HOUR_MS / self.play_ms if self.play_ms else None

    @property
    def void_rate(self) -> float | None:
        """Void spins as a share of all spins; None if there was no spin."""
        return (self.voids.total() or self.void_spins) / self.spins if self.spins else None

    @property
    def corrections_per_1000(self) -> float | None:
        """Corrected entries per thousand rounds; None if there was no round."""
        return self.corrections * 1000 / self.rounds if self.rounds else None

    def document(self) -> documents.FiguresRow:
        """The figures as JSON."""
        return {
            "name": self.name,
            "rounds": self.rounds,
            "spins": self.spins,
            "an_hour": _digits(self.an_hour),
            "an_hour_in_play": _digits(self.an_hour_in_play),
            "play_ms": self.play_ms,
            "voids": dict(self.voids.most_common()),
            "void_rate": _digits(self.void_rate, 5),
            "corrections": self.corrections,
            "corrections_per_1000": _digits(self.corrections_per_1000),
            "phases": self.phases,
        }


def _digits(value: float | None, digits: int = 2) -> float | None:
    return value if value is None else round(value, digits)


def statistics(connection: Connection, scope: Scope, by: str) -> list[Figures]:
    """Figures of these rounds, sorted by name; names without a round are absent.

    Whole hours are read from their sums, and only what a span has of the hours at its ends from the rounds. A store
    whose rounds are not all in the sums yet is asked for all rounds. Where rounds were deleted, the ends of a span
    are those of whole hours (:func:`kept_scope`).

    Args:
        by: one of :data:`BY`.
    """
    scope = kept_scope(connection, scope)
    sums = _summed(connection, scope, by)
    return [_figures(name, scope.span_ms, sums[name]) for name in sorted(sums) if sums[name].rounds]


def statistics_by_table(connection: Connection, scope: Scope) -> dict[tuple[str, str, str], tuple[int, int, int]]:
    """Of tables, games and states: rounds that had it, milliseconds, and those of at most ten minutes a round."""
    found: dict[tuple[str, str, str], tuple[int, int, int]] = {}
    scope = kept_scope(connection, scope)
    for game in [scope.game] if scope.game else sorted(_summed(connection, scope, "game")):
        for table, sums in _summed(connection, replace(scope, game=game), "table").items():
            for state, times in sums.times.items():
                found[table, game, state] = (times, sums.phases[state], sums.capped[state])
    return found


def _summed(connection: Connection, scope: Scope, by: str) -> dict[str, RoundSums]:
    sums: defaultdict[str, RoundSums] = defaultdict(RoundSums)
    hours, edges = spans(scope) if unsummed(connection) == 0 else (None, [SpanEnd(scope.since, scope.until, 1)])
    if hours is not None:
        for row in _of_hours(connection, scope, by, *hours):
            sums[_name(row[0], by)].merge(*row[1:])
    for edge in edges:
        of_edge = scope.between(edge.since, edge.until)
        for name, results, voids, corrections, phases in _of_rounds(connection, of_edge, by):
            reasons = [] if voids == _NONE else json.loads(voids)
            sums[_name(name, by)].add(results, reasons, corrections, json.loads(phases), edge.sign)
    return sums


def _column(by: str) -> str:
    """A house is in its tables' names."""
    return "table" if by == HOUSE else by


def _name(found: str, by: str) -> str:
    return house_of(found) if by == HOUSE else found


def kept_scope(connection: Connection, scope: Scope) -> Scope:
    """A scope as it can be answered: ends before the time from which on rounds are kept are made whole hours."""
    kept = kept_from(connection)
    since = outward(scope.since, -1) if scope.since < kept else scope.since
    until = outward(scope.until, 1) if scope.until < kept else scope.until
    return scope.between(since, until)


def _of_hours(connection: Connection, scope: Scope, by: str, since: str, until: str) -> Iterable[Sequence[Any]]:
    """The sums of the hours from one to another, the last one not included."""
    texts = [cast(hour_sums.c[name], Text) for name in ("voids", "phases")]
    columns = [hour_sums.c[name] for name in (_column(by), "rounds", "spins", "corrections")]
    within = (hour_sums.c.hour >= since, hour_sums.c.hour < until)
    return connection.execute(select(*columns, *texts).where(*scope.named(hour_sums), *within))


def _of_rounds(connection: Connection, scope: Scope, by: str) -> Iterable[Sequence[Any]]:
    """Of each round: name, number of results, voids, corrections, phases."""
    results = func.json_array_length(rounds.c.results, type_=Integer)
    columns = (
        rounds.c[_column(by)],
        results,
        cast(rounds.c.voids, Text),
        rounds.c.corrections,
        cast(rounds.c.phases, Text),
    )
    query = select(*columns).where(*scope.conditions(connection))
    return connection.execute(query.execution_options(yield_per=_AT_ONCE))


def _figures(name: str, span_ms: int, sums: RoundSums) -> Figures:
    phases = {state: sums.phases[state] for state, times in sums.times.items() if times}
    return Figures(
        name,
        span_ms,
        sums.rounds,
        sums.spins,
        sums.corrections,
        Counter({reason: count for reason, count in sums.voids.items() if count}),
        dict(sorted(phases.items(), key=lambda phase: (-phase[1], phase[0]))),
        sum(sums.capped[state] for state in phases if state not in IDLE),
    )


def by_the_hour(connection: Connection, scope: Scope) -> dict[str, int]:
    """How many of these rounds closed in each hour, by its beginning: ``2026-11-21T17``."""
    hour = func.substr(rounds.c.closed, 1, HOUR_LENGTH)
    query = select(hour, func.count()).where(*scope.conditions(connection)).group_by(hour).order_by(hour)
    return {row[0]: row[1] for row in connection.execute(query)}
