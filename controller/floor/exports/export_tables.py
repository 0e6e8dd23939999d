"""What the floor exports: four tables, each with its columns, their types, and the rows of the store.

The pages and ``floor --export`` both take them from here, and each format writes the same rows.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from sqlalchemy import Column as StoreColumn
from sqlalchemy import ColumnElement, Connection, Row

from controller.floor.exports.whole_hours import hours_within
from controller.floor.queries.scope import HOUSE, NAMED, TIMES, Scope
from controller.floor.store.schema import alerts, hour_sums, rounds
from controller.messages.topics import house_itself

Cells = tuple[Any, ...]
"""A row: as many values as the table has columns. Times are text as in the store."""


class ColumnKind(Enum):
    """What a column holds, and the Python type of its values."""

    TEXT = "text"
    NAME = "text of which there are few different ones"
    WHOLE = "int of 64 bits"
    YES_NO = "bool"
    TIME = "text, UTC to the millisecond"
    TEXTS = "list of text"
    AMOUNTS = "dict from text to int"


@dataclass(frozen=True, slots=True)
class ExportColumn:
    """A column of an export."""

    name: str
    kind: ColumnKind
    nullable: bool = False
    """Whether it may be without a value; such a column holds no empty text."""


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
    columns: tuple[ExportColumn, ...]
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


def _sum_conditions(scope: Scope, _db: Connection) -> list[ColumnElement[bool]]:
    first, after = hours_within(scope)
    return [*scope.named(hour_sums), hour_sums.c.hour >= first, hour_sums.c.hour < after]


def _columns(*groups: tuple[ColumnKind, str]) -> tuple[ExportColumn, ...]:
    return tuple(ExportColumn(name, kind) for kind, names in groups for name in names.split())


def _of(table: Any, names: Iterable[str]) -> tuple[StoreColumn[Any], ...]:
    return tuple(table.c[name] for name in names)


_ROUND_COLUMNS = _columns(
    (ColumnKind.NAME, "table record"),
    (ColumnKind.WHOLE, "first seq"),
    (ColumnKind.TEXT, "hash"),
    (ColumnKind.WHOLE, "number"),
    (ColumnKind.NAME, "game"),
    (ColumnKind.TIME, "opened closed"),
    (ColumnKind.NAME, "wheel dealer"),
    (ColumnKind.TEXTS, "results voids returned"),
    (ColumnKind.WHOLE, "corrections"),
    (ColumnKind.AMOUNTS, "phases"),
    (ColumnKind.YES_NO, "checked"),
)
ROUNDS = ExportTable(
    "rounds",
    _ROUND_COLUMNS,
    (*NAMED, HOUSE, *TIMES),
    _of(rounds, (one.name for one in _ROUND_COLUMNS)),
    (rounds.c.closed, rounds.c.table, rounds.c.id),
    Scope.conditions,
    _one,
    of_rounds=True,
)
"""Every round, without its entries: those are read with ``journal`` at the table."""

_OF_SPIN = "table record seq number game closed wheel dealer checked"
SPINS = ExportTable(
    "spins",
    _columns(
        (ColumnKind.NAME, "table record"),
        (ColumnKind.WHOLE, "seq number"),
        (ColumnKind.NAME, "game"),
        (ColumnKind.TIME, "closed"),
        (ColumnKind.NAME, "wheel dealer"),
        (ColumnKind.YES_NO, "checked"),
        (ColumnKind.WHOLE, "spin position of"),
        (ColumnKind.NAME, "label direction"),
    ),
    (*NAMED, HOUSE, *TIMES),
    (*_of(rounds, _OF_SPIN.split()), rounds.c.spins),
    (rounds.c.closed, rounds.c.table, rounds.c.id),
    Scope.conditions,
    _spins,
    of_rounds=True,
)
"""Every spin of a wheel that counts: where it stopped. ``spin`` is its place in its round, from 1."""

_NULLABLE = ("ended", "escalated", "acknowledged", "acknowledged_by", "reason")
_ALERT_COLUMNS = tuple(
    ExportColumn(one.name, one.kind, one.name in _NULLABLE)
    for one in _columns(
        (ColumnKind.WHOLE, "id"),
        (ColumnKind.NAME, "table kind"),
        (ColumnKind.TIME, "at"),
        (ColumnKind.WHOLE, "round"),
        (ColumnKind.TEXT, "text remedy"),
        (ColumnKind.TIME, "received ended escalated acknowledged"),
        (ColumnKind.NAME, "acknowledged_by"),
        (ColumnKind.TEXT, "reason"),
    )
)
ALERTS = ExportTable(
    "alerts",
    _ALERT_COLUMNS,
    ("table", HOUSE, *TIMES),
    _of(alerts, (one.name for one in _ALERT_COLUMNS)),
    (alerts.c.received, alerts.c.id),
    _alert_conditions,
    _one,
)
"""Every alert that the floor received in the span of time and has not deleted."""

SUMS = ExportTable(
    "sums",
    _columns(
        (ColumnKind.TIME, "hour"),
        (ColumnKind.NAME, "table game dealer wheel"),
        (ColumnKind.WHOLE, "rounds spins corrections"),
        (ColumnKind.AMOUNTS, "voids phases_ms play_ms phase_rounds"),
    ),
    (*NAMED, HOUSE, *TIMES),
    _of(
        hour_sums,
        ("hour", "table", "game", "dealer", "wheel", "rounds", "spins", "corrections", "voids", "phases"),
    ),
    tuple(hour_sums.primary_key.columns),
    _sum_conditions,
    _sums,
    of_sums=True,
)
"""The sums of each whole hour in the span of time. ``play_ms`` counts ten minutes of a state of a round at most."""

EXPORTS: Mapping[str, ExportTable] = {one.name: one for one in (ROUNDS, SPINS, ALERTS, SUMS)}
