"""Figures of the stored rounds by table, wheel, game or dealer. The store computes the sums.

Rounds an hour **by the clock** are the rounds that closed within a span of time, divided by its hours, whether or
not anybody played. Rounds an hour **in play** are the same rounds divided by the hours that they were in play: the
sum of the times in their states, without the states in which no table plays (:data:`IDLE`), and
with at most ten minutes (:data:`MOST_MS`) for a state of one round: a table that waits longer waits for players.

A **spin** is here every spin, roll or deal that came to a result or was void; the void rate is the share of
the void. Number 0, which is what a table did before its first round, is no round.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sqlalchemy import BigInteger, Connection, Integer, Text, case, cast, func, literal, select, true

from controller.floor.pages import documents
from controller.floor.queries.scope import HOUR_MS, NAMED, Scope
from controller.floor.store.schema import rounds

BY = NAMED
"""What figures can be grouped by."""
IDLE = frozenset(
    {
        *("closed", "floor-menu", "inspector", "inspecting", "inspection-entry", "inspection-lit"),
        *("inspection-key", "inspection-lamps"),
        *("inspection-shaker", "dice-due", "work", "work-part", "work-credential", "work-witness"),
        *("work-signature", "locating", "confirming", "locked", "malfunction"),
    }
)
"""States of the games in which no table plays."""
MOST_MS = 600_000
"""The longest that a state of a round counts as play."""


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
        return self.voids.total() / self.spins if self.spins else None

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

    Args:
        by: one of :data:`BY`.
    """
    column, where = rounds.c[by], scope.conditions()
    figures: dict[str, Figures] = {}
    sums = select(
        column,
        func.count(),
        func.sum(func.json_array_length(rounds.c.results, type_=Integer)),
        func.sum(func.json_array_length(rounds.c.voids, type_=Integer)),
        func.sum(rounds.c.corrections),
    )
    for name, count, results, voids, corrections in connection.execute(sums.where(*where).group_by(column)):
        spins = int(results) + int(voids)
        figures[name] = Figures(name, scope.span_ms, count, spins, int(corrections))
    for name, reason, count in _voids(connection, scope, by):
        figures[name].voids[reason] += count
    for name, phases, play_ms in _phases(connection, scope, by):
        figures[name].phases, figures[name].play_ms = phases, play_ms
    return [figures[name] for name in sorted(figures)]


def _voids(connection: Connection, scope: Scope, by: str) -> Iterator[tuple[str, str, int]]:
    """Name, reason and count. Grouped by the whole list: few rounds have voids, and few distinct lists occur."""
    column, voids = rounds.c[by], cast(rounds.c.voids, Text)
    query = select(column, voids, func.count()).where(*scope.conditions(), voids != "[]").group_by(column, voids)
    for name, reasons, count in connection.execute(query):
        for reason in json.loads(reasons):
            yield name, reason, count


def _phases(connection: Connection, scope: Scope, by: str) -> Iterator[tuple[str, dict[str, int], int]]:
    """Name, milliseconds by state, and milliseconds in play."""
    column = rounds.c[by]
    phase = func.json_each(rounds.c.phases).table_valued("key", "value", name="phase")
    ms = cast(cast(phase.c.value, Text), BigInteger)
    counted = func.sum(case((ms > MOST_MS, literal(MOST_MS)), else_=ms))
    query = (
        select(column, phase.c.key, func.sum(ms), counted)
        .select_from(rounds.join(phase, true()))
        .where(*scope.conditions())
        .group_by(column, phase.c.key)
    )
    phases: defaultdict[str, dict[str, int]] = defaultdict(dict)
    play_ms: Counter[str] = Counter()
    for name, state, total, capped in connection.execute(query):
        phases[name][state] = int(total)
        play_ms[name] += 0 if state in IDLE else int(capped)
    for name, by_state in phases.items():
        yield name, _longest_first(by_state), play_ms[name]


def _longest_first(phases: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(phases.items(), key=lambda phase: (-phase[1], phase[0])))


def by_the_hour(connection: Connection, scope: Scope) -> dict[str, int]:
    """How many of these rounds closed in each hour, by its beginning: ``2026-11-21T17``."""
    hour = func.substr(rounds.c.closed, 1, 13)
    query = select(hour, func.count()).where(*scope.conditions()).group_by(hour).order_by(hour)
    return {row[0]: row[1] for row in connection.execute(query)}
