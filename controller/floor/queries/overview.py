"""The overview of all tables: active alerts first, then the state of each table. Times are milliseconds, UTC."""

import json
import re
from collections import Counter
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Text, case, cast, func, select

from config.floor import FloorConfig
from controller.events.words import plain
from controller.floor.pages import documents
from controller.floor.queries.recent import LastHour, Recent
from controller.floor.queries.times import ms_of
from controller.floor.store.alerts import SEVERITY
from controller.floor.store.schema import alerts, refused_count, tables
from controller.machine.registry import UnknownGameError, find_game

MOST_ALERTS = 100
"""How many alerts are listed; all active ones are counted."""
MOST_OF_A_TABLE = 10
"""How many of one kind of one table are listed, so that a table cannot push others off the page."""
MOST_REFUSED = 50
"""How many kinds of refused messages are listed, by table and reason."""

_DIGITS = re.compile(r"([0-9]+)")

Json = dict[str, Any]
"""What a table sent, as the store has it."""


class Overview:
    """Makes the document of all tables. Not thread-safe: one thread at a time may use it."""

    def __init__(self, config: FloorConfig) -> None:
        self._floor = config.floor
        self._recent = Recent()

    def make(self, connection: Connection, now_ms: int) -> documents.OverviewDocument:
        """The floor as the store has it; without the time at which it was made."""
        self._recent.look(connection, now_ms)
        active, gravest = active_alerts(connection), _gravest(connection)
        rows = [table_row(row, self._recent.of(row.table), active[row.table]) for row in _tables(connection)]
        least = len(SEVERITY)
        rows.sort(key=lambda row: (gravest.get(row["table"], least), -row["alerts"], _natural(row["table"])))
        refused, refusals = _refused(connection)
        return {
            "floor": self._floor,
            "totals": {
                "tables": len(rows),
                "online": sum(row["online"] for row in rows),
                "playing": sum(row["online"] and row["running"] for row in rows),
                "standing_alerts": active.total(),
                "rounds": sum(row["rounds_an_hour"] for row in rows),
                "refused": refusals,
            },
            "alerts": alert_rows(connection, MOST_ALERTS, of_a_table=MOST_OF_A_TABLE),
            "tables": rows,
            "refused": refused,
        }


def _natural(name: str) -> list[str | int]:
    """A sort key that puts ``sic-bo-9`` before ``sic-bo-10``."""
    return [int(part) if part.isdecimal() else part for part in _DIGITS.split(name)]


def table_row(row: Row[Any], hour: LastHour, active: int) -> documents.TableRow:
    """The state of a table.

    Args:
        row: of the store's ``tables``.
        active: how many of its alerts are active.
    """
    state = _parsed(row.state) or {}
    name = state.get("state", "")
    return {
        "table": row.table,
        "game": row.game,
        "title": title_of(row.game),
        "online": row.online,
        "running": row.running,
        "heard_ms": ms_of(row.heard),
        "changed_ms": ms_of(row.changed),
        "state": name,
        "state_words": plain(name),
        "round": state.get("round", 0),
        "limits": _limits(state.get("limits")),
        "results": list(hour.results),
        "rounds_an_hour": hour.rounds,
        "voids": dict(hour.voids.most_common()),
        "void_rate": None if hour.void_rate is None else round(hour.void_rate, 4),
        "health": _health(row.health),
        "alerts": active,
        "dealer": state.get("dealer", ""),
        "wheel": state.get("wheel", ""),
    }


@cache
def title_of(game: str) -> str:
    """The game's title; of a game that this floor does not know, its name."""
    try:
        return find_game(game).title
    except UnknownGameError:
        return plain(game)


def alert_rows(
    connection: Connection,
    most: int,
    table: str = "",
    ended: bool = False,
    of_a_table: int | None = None,
    id_: int | None = None,
) -> list[documents.AlertRow]:
    """Alerts: the gravest kinds first, within a kind each table's newest one before any other's second.

    Args:
        table: of this table alone; empty for all.
        ended: also those that have ended; then the newest first, whatever they are.
        of_a_table: how many at most of one kind of one table.
        id_: the one of this number alone.
    """
    newest = (alerts.c.received.desc(), alerts.c.id.desc())
    place = func.row_number().over(partition_by=(alerts.c.table, alerts.c.kind), order_by=newest).label("place")
    chosen = select(alerts, place)
    if table:
        chosen = chosen.where(alerts.c.table == table)
    if id_ is not None:
        chosen = chosen.where(alerts.c.id == id_)
    if not ended:
        chosen = chosen.where(alerts.c.ended.is_(None))
    found = chosen.subquery()
    latest = (found.c.received.desc(), found.c.id.desc())
    query = select(found).order_by(*(() if ended else (_severity(found.c.kind), found.c.place)), *latest)
    if of_a_table is not None:
        query = query.where(found.c.place <= of_a_table)
    query = query.limit(most)
    return [
        {
            "id": row.id,
            "table": row.table,
            "kind": row.kind,
            "at_ms": ms_of(row.at),
            "round": row.round,
            "text": row.text,
            "remedy": row.remedy,
            "stands": row.ended is None,
        }
        for row in connection.execute(query)
    ]


def _severity(kind: ColumnElement[str]) -> ColumnElement[int]:
    """The place of a kind of alert in :data:`SEVERITY`."""
    return case({name: place for place, name in enumerate(SEVERITY)}, value=kind, else_=len(SEVERITY))


def _gravest(connection: Connection) -> dict[str, int]:
    """The gravest kind of active alert of each table that has any, as its place in :data:`SEVERITY`."""
    query = select(alerts.c.table, func.min(_severity(alerts.c.kind))).where(alerts.c.ended.is_(None))
    return {row[0]: row[1] for row in connection.execute(query.group_by(alerts.c.table))}


def _tables(connection: Connection) -> list[Row[Any]]:
    return list(connection.execute(table_select()))


def table_select() -> Any:
    """Selects the store's ``tables``; the messages of a table stay text until they are parsed."""
    columns = (column for column in tables.c if column.name not in ("state", "health"))
    return select(*columns, cast(tables.c.state, Text).label("state"), cast(tables.c.health, Text).label("health"))


def _parsed(text: str | None) -> Json | None:
    """A message; None if the store has none."""
    message: Json | None = json.loads(text) if text else None
    return message


def _limits(limits: Json | None) -> documents.TableLimits | None:
    if limits is None:
        return None
    pending = limits.get("pending")
    announced: documents.TablePending | None = (
        {**_amounts(pending), "effective_ms": ms_of(pending["effective"])} if pending else None
    )
    return {**_amounts(limits), "currency": limits.get("currency", "$"), "pending": announced}


def _amounts(limits: Json) -> documents.TableAmounts:
    return {
        "minimum": limits.get("minimum", ""),
        "maximum": limits.get("maximum", ""),
        "payout": limits.get("payout", ""),
    }


def _health(text: str | None) -> list[documents.FaultyDevice]:
    """The devices that are not ok."""
    message = _parsed(text) or {}
    return [device for device in message.get("devices", []) if device["state"] != "ok"]


def active_alerts(connection: Connection) -> Counter[str]:
    """How many alerts are active, by table."""
    query = select(alerts.c.table, func.count()).where(alerts.c.ended.is_(None)).group_by(alerts.c.table)
    return Counter({row[0]: row[1] for row in connection.execute(query)})


def _refused(connection: Connection) -> tuple[list[documents.RefusedMessages], int]:
    """The latest kinds of refused messages, and how many messages were refused in all."""
    total = connection.execute(select(func.sum(refused_count.c.count))).scalar()
    query = select(refused_count).order_by(refused_count.c.last.desc()).limit(MOST_REFUSED)
    kinds: list[documents.RefusedMessages] = [
        {"table": row["table"], "reason": row["reason"], "count": row["count"], "last_ms": ms_of(row["last"])}
        for row in connection.execute(query).mappings()
    ]
    return kinds, int(total or 0)
