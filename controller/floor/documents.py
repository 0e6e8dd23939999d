"""The content of the floor's pages, read from its database: what a template shows and ``?format=json`` returns.

Each page is a function of the database, the floor's time, the address's query, and names of its path.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, Connection, Executable, Select, case, cast, func, select, text

from controller.events.words import NO_WORDS, Words
from controller.floor import figures, schema
from controller.floor.figures import BY, Period, QueryError, Scope, midnight, scope_of, utc_text
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError
from controller.journal.record import of_entry, record_line
from controller.machine.game import words_of
from controller.machine.registry import UnknownGameError, find_game

Document = dict[str, Any]
Query = Mapping[str, str]

MOST_ALERTS = 100
MOST_NAMES = 1000
"""Rows of figures; the ones with the most rounds."""
MOST_ENTRIES = 2000
_HEALTH_DAYS = 60
_OF_WHEEL = 'WHERE "table" = :table AND wheel = :wheel AND sections = :sections'
_alerts, _tables, _sums = schema.alerts.c, schema.tables.c, schema.sums.c


class MissingError(LookupError):
    """There is no such table, wheel or round; the text says so. All functions for one of them raise it."""


def overview(connection: Connection, now: datetime, _: Query) -> Document:
    """All tables, those with alerts first."""
    alerts = _standing().limit(MOST_ALERTS)
    tables = _rows(connection, _overview_query(now))
    refused = _rows(connection, select(schema.refused).order_by(schema.refused.c.last.desc()).limit(MOST_ALERTS))
    tables.sort(key=lambda row: (not row["alerts"], not _is_silent(row), row["table"]))
    return {
        "totals": {
            "tables": len(tables),
            "silent": sum(map(_is_silent, tables)),
            "alerts": sum(row["alerts"] for row in tables),
            "rounds_today": sum(row["rounds_today"] for row in tables),
            "refused_messages": sum(row["count"] for row in refused),
        },
        "alerts": _rows(connection, alerts),
        "tables": tables,
        "refused": refused,
    }


def _overview_query(now: datetime) -> Select[Any]:
    standing = _alerts.ended.is_(None)
    alerts = select(_alerts.table, func.count().label("n")).where(standing).group_by(_alerts.table).subquery()
    sums = [
        cast(func.sum(case((_sums.what == what, _sums["count"]), else_=0)), BigInteger).label(what)
        for what in ("round", "void")
    ]
    hours = (_sums.what.in_(("round", "void")), _sums.hour >= utc_text(midnight(now))[:13])
    today = select(_sums.table, *sums).where(*hours).group_by(_sums.table).subquery()
    counts = {"alerts": alerts.c.n, "rounds_today": today.c.round, "voids_today": today.c.void}
    columns = [func.coalesce(column, 0).label(name) for name, column in counts.items()]
    joined = schema.tables.outerjoin(alerts, alerts.c.table == _tables.table)
    return select(schema.tables, *columns).select_from(joined.outerjoin(today, today.c.table == _tables.table))


def table(connection: Connection, now: datetime, _: Query, name: str) -> Document:
    """One table: its state, its alerts, its last 24 hours and its latest rounds."""
    found = _one(connection, select(schema.tables).where(_tables.table == name), f"There is no table '{name}'.")
    records, refused = schema.records, schema.refused
    recent = now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    scope = Scope(Period(recent - timedelta(hours=24), recent, ""), {"table": name})
    ended = select(schema.alerts).where(_alerts.table == name, _alerts.ended.is_not(None))
    return {
        "table": found,
        "alerts": _rows(connection, _standing().where(_alerts.table == name).limit(MOST_ALERTS)),
        "ended_alerts": _rows(connection, ended.order_by(_alerts.ended.desc()).limit(10)),
        "hours": figures.rounds_by_time(connection, scope),
        "figures": figures.figures(connection, scope, "dealer"),
        "rounds": figures.listed_rounds(connection, scope)[:20],
        "records": _rows(connection, select(records).where(records.c.table == name).order_by(records.c.id.desc())),
        "refused": _rows(connection, select(refused).where(refused.c.table == name)),
    }


def wheels(connection: Connection, _now: datetime, _: Query) -> Document:
    """All wheels, those with the most evidence against them first."""
    order = (schema.wheels.c.highest.desc(), schema.wheels.c.wheel)
    return {"wheels": _rows(connection, select(schema.wheels).order_by(*order).limit(MOST_NAMES))}


def wheel(connection: Connection, now: datetime, _: Query, name: str) -> Document:
    """One wheel, at each table that has had it: stops, evidence, and measures by day."""
    of_name = select(schema.wheels).where(schema.wheels.c.wheel == name).order_by(schema.wheels.c.spins.desc())
    _one(connection, of_name, f"There is no wheel '{name}'.")
    return {"wheel": name, "wheels": [_wheel(connection, row, now) for row in _rows(connection, of_name)]}


def _wheel(connection: Connection, row: Document, now: datetime) -> Document:
    since = utc_text(midnight(now) - timedelta(days=_HEALTH_DAYS))[:10]
    key = {"table": row["table"], "wheel": row["wheel"], "sections": row["sections"], "since": since}
    by_section = text(f"SELECT * FROM wheel_sections {_OF_WHEEL} ORDER BY position")
    days = text(f"SELECT * FROM wheel_health {_OF_WHEEL} AND day >= :since ORDER BY day DESC")
    return row | {
        "by_section": [one | {"expected": float(one["expected"])} for one in _rows(connection, by_section, key)],
        "health": _rows(connection, days, key),
    }


def figures_of(connection: Connection, now: datetime, query: Query) -> Document:
    """The figures of a period."""
    scope, by = scope_of(query, now), query.get("by") or BY[0]
    if by not in BY:
        raise QueryError(f"There are no figures by '{by}'. Use {', '.join(BY)}.")
    found = figures.figures(connection, scope, by)
    return {
        **_described(scope),
        "by": by,
        "names": len(found),
        "rounds": sum(one["rounds"] for one in found),
        "rounds_by_time": figures.rounds_by_time(connection, scope),
        "figures": found[:MOST_NAMES],
    }


def rounds_of(connection: Connection, now: datetime, query: Query) -> Document:
    """The rounds of a period, a page of the list."""
    scope, void = scope_of(query, now), query.get("void", "")
    found = figures.listed_rounds(connection, scope, void, query.get("before", ""))
    older = figures.place_of(found[-1]) if len(found) == figures.MOST_ROUNDS else ""
    return {**_described(scope), "void": void, "rounds": found, "older": older}


def _described(scope: Scope) -> Document:
    since, until, name = scope.period
    times = {"since": since, "until": until, "last_day": until - timedelta(seconds=1)}
    named = {by: scope.named.get(by, "") for by in BY}
    return {**{key: utc_text(time) for key, time in times.items()}, "period": name, **named}


def round_of(connection: Connection, _now: datetime, _: Query, record: int, number: int) -> Document:
    """One round with its entries."""
    rounds, entries = schema.rounds.c, schema.entries.c
    key = (rounds.record_id == record, rounds.number == number)
    missing = f"There is no round {number} of record {record}, or it was deleted."
    found = _one(connection, select(schema.rounds).where(*key), missing)
    of_round = (entries.record_id == record, entries.seq >= found["first"], entries.seq <= found["last"])
    query = select(schema.entries).where(*of_round).order_by(entries.seq).limit(MOST_ENTRIES)
    words = _words(found["game"])
    return {
        "round": found,
        "entries": [row | {"text": _sentence(row, words)} for row in _rows(connection, query)],
    }


def _words(game: str) -> Words:
    try:
        return words_of(find_game(game))
    except UnknownGameError:
        return NO_WORDS


def _sentence(row: Document, words: Words) -> str:
    """An entry as text; its body if this version cannot read it."""
    entry = Entry(**{name: row[name] for name in Entry._fields})
    try:
        return record_line(of_entry(entry), words)
    except JournalDamagedError:
        return entry.body


def _standing() -> Select[Any]:
    """Alerts that stand: those that the floor found before those of the tables, the newest first."""
    order = (case((_alerts.kind == "table", 1), else_=0), _alerts.at.desc(), _alerts.id.desc())
    return select(schema.alerts).where(_alerts.ended.is_(None)).order_by(*order)


def _is_silent(row: Mapping[str, Any]) -> bool:
    return not (row["online"] and row["running"])


def _one(connection: Connection, query: Select[Any], missing: str) -> Document:
    found = connection.execute(query.limit(1)).mappings().first()
    if found is None:
        raise MissingError(missing)
    return dict(found)


def _rows(connection: Connection, query: Executable, values: Document | None = None) -> list[Document]:
    return [dict(row) for row in connection.execute(query, values).mappings()]
