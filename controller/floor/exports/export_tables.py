"""What the floor exports as CSV: four tables, each with its columns and the rows of the store.

The pages and ``floor --export`` both take them from here.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column as StoreColumn
from sqlalchemy import ColumnElement, Connection, Row

from controller.floor.queries.scope import HOUR_MS, HOUSE, NAMED, TIMES, Scope
from controller.floor.queries.times import ms_of, utc_of
from controller.floor.store.hour_sums import HOUR_LENGTH
from controller.floor.store.schema import alerts, hour_sums, rounds
from controller.messages.topics import house_itself

Cells = tuple[Any, ...]
"""A row: as many values as the table has columns. Times are text as in the store."""


@dataclass(frozen=True, slots=True)
class ExportTable:
    """Something that can be exported.

    Attributes:
        parameters: what its scope may be chosen by.
        read: the columns of the store that its rows are made from.
        order: of the rows; it is the same in each export.
        conditions: what selects the rows of a scope.
        cells: the rows that one of the store's makes.
        of_rounds: whether retention of rounds takes some of it.
        of_sums: whether it is complete only once the store has its sums.
    """

    name: str
    columns: tuple[str, ...]
    parameters: tuple[str, ...]
    read: tuple[StoreColumn[Any], ...]
    order: tuple[StoreColumn[Any], ...]
    conditions: Callable[[Scope, Connection], list[ColumnElement[bool]]]
    cells: Callable[[Row[Any]], Iterable[Cells]]
    of_rounds: bool = False
    of_sums: bool = False


def _one(row: Row[Any]) -> Iterable[Cells]:
    return (tuple(row),)


def _spins(row: Row[Any]) -> Iterable[Cells]:
    """The spins that count of a round, in their order."""
    of_round: Cells = tuple(row)
    return [
        (*of_round[:-1], place, spin["position"], spin["of"], spin["label"], spin["direction"])
        for place, spin in enumerate(of_round[-1], 1)
    ]


def _sums(row: Row[Any]) -> Iterable[Cells]:
    of_hour: Cells = tuple(row)
    phases = of_hour[-1]
    parts: list[dict[str, int]] = [{state: amounts[part] for state, amounts in phases.items()} for part in range(3)]
    return ((f"{of_hour[0]}:00:00.000Z", *of_hour[1:-1], *parts),)


def _alert_conditions(scope: Scope, _db: Connection) -> list[ColumnElement[bool]]:
    of_table = [alerts.c.table == scope.table] if scope.table else []
    if scope.house:
        of_table.append(alerts.c.table.startswith(house_itself(scope.house), autoescape=True))
    return [*of_table, alerts.c.received >= scope.since, alerts.c.received < scope.until]


def hours_within(scope: Scope) -> tuple[str, str]:
    """The first hour that begins in a scope, and the first that does not end in it, as the store has them.

    Sums are of hours, and one that is cut would look like a whole one.
    """
    first_ms = -(-ms_of(scope.since) // HOUR_MS) * HOUR_MS
    after_ms = ms_of(scope.until) // HOUR_MS * HOUR_MS
    return utc_of(first_ms)[:HOUR_LENGTH], utc_of(after_ms)[:HOUR_LENGTH]


def _sum_conditions(scope: Scope, _db: Connection) -> list[ColumnElement[bool]]:
    first, after = hours_within(scope)
    return [*scope.named(hour_sums), hour_sums.c.hour >= first, hour_sums.c.hour < after]


def _of(table: Any, names: Iterable[str]) -> tuple[StoreColumn[Any], ...]:
    return tuple(table.c[name] for name in names)


_ROUND_COLUMNS = (
    *("table", "record", "first", "seq", "hash", "number", "game", "opened", "closed", "wheel", "dealer"),
    *("results", "voids", "returned", "corrections", "phases", "checked"),
)
ROUNDS = ExportTable(
    "rounds",
    _ROUND_COLUMNS,
    (*NAMED, HOUSE, *TIMES),
    _of(rounds, _ROUND_COLUMNS),
    (rounds.c.closed, rounds.c.table, rounds.c.id),
    Scope.conditions,
    _one,
    of_rounds=True,
)
"""Every round, without its entries: those are read with ``journal`` at the table."""

_OF_SPIN = ("table", "record", "seq", "number", "game", "closed", "wheel", "dealer", "checked")
SPINS = ExportTable(
    "spins",
    (*_OF_SPIN, "spin", "position", "of", "label", "direction"),
    (*NAMED, HOUSE, *TIMES),
    (*_of(rounds, _OF_SPIN), rounds.c.spins),
    (rounds.c.closed, rounds.c.table, rounds.c.id),
    Scope.conditions,
    _spins,
    of_rounds=True,
)
"""Every spin of a wheel that counts: where it stopped. ``spin`` is its place in its round, from 1."""

_ALERT_COLUMNS = ("id", "table", "kind", "at", "round", "text", "remedy", "received", "ended")
ALERTS = ExportTable(
    "alerts",
    _ALERT_COLUMNS,
    ("table", HOUSE, *TIMES),
    _of(alerts, _ALERT_COLUMNS),
    (alerts.c.received, alerts.c.id),
    _alert_conditions,
    _one,
)
"""Every alert that the floor received in the span of time and has not deleted."""

_OF_HOUR = ("hour", "table", "game", "dealer", "wheel", "rounds", "spins", "corrections", "voids")
SUMS = ExportTable(
    "sums",
    (*_OF_HOUR, "phases_ms", "play_ms", "phase_rounds"),
    (*NAMED, HOUSE, *TIMES),
    _of(hour_sums, (*_OF_HOUR, "phases")),
    tuple(hour_sums.primary_key.columns),
    _sum_conditions,
    _sums,
    of_sums=True,
)
"""The sums of each whole hour in the span of time. ``play_ms`` counts ten minutes of a state of a round at most."""

EXPORTS: Mapping[str, ExportTable] = {one.name: one for one in (ROUNDS, SPINS, ALERTS, SUMS)}
