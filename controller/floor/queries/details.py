"""The documents of one table and one wheel of the floor. Times are milliseconds, UTC."""

from collections.abc import Sequence
from dataclasses import replace
from math import log10
from typing import Any

from sqlalchemy import Connection, Row, func, select

from config.floor import FloorConfig
from controller.fairness.chi_square import chi_square
from controller.floor.pages import documents
from controller.floor.queries.overview import Json, active_alerts, alert_rows, table_row, table_select, title_of
from controller.floor.queries.recent import Recent
from controller.floor.queries.scope import DAY_MS, Scope
from controller.floor.queries.statistics import Figures, by_the_hour, statistics
from controller.floor.queries.times import ms_of, utc_of
from controller.floor.store.schema import disputed, records, rounds, tables, wheel_counts, wheels

LAST = 50
"""How many rounds and alerts of a table are listed."""
_SUMMED = ("table", "wheel", "dealer")
_DIGITS = 15


# -- a table -------------------------------------------------------------------------------------------------------


def last_day(table: str, now_ms: int) -> Scope:
    """The rounds of the last 24 hours."""
    return Scope(utc_of(now_ms - DAY_MS), utc_of(now_ms), table=table)


def is_known(connection: Connection, table: str) -> bool:
    """Whether any message of a table was ever received."""
    return connection.execute(select(tables.c.table).where(tables.c.table == table)).first() is not None


def table_document(connection: Connection, table: str, now_ms: int) -> documents.TableDocument | None:
    """A table with its figures of the last 24 hours; None if no message of it was ever received."""
    row = connection.execute(table_select().where(tables.c.table == table)).first()
    if row is None:
        return None
    scope, latest = last_day(table, now_ms), alert_rows(connection, LAST, table, ended=True)
    active = alert_rows(connection, LAST, table)
    recent = Recent(table)
    recent.look(connection, now_ms)
    return {
        **table_row(row, recent.of(table), active_alerts(connection)[table]),
        "software": row.software,
        "statistics": {f"by_{by}": [one.document() for one in statistics(connection, scope, by)] for by in _SUMMED},
        "hours": hours(connection, scope),
        "told": active + [alert for alert in latest if not alert["stands"]],
        "records": _records(connection, table, _state(connection, table)),
        "rounds": last_rounds(connection, table),
        "utc_ms": now_ms,
    }


def hours(connection: Connection, scope: Scope) -> list[tuple[str, int]]:
    """Rounds by the hour in which they closed, UTC, from the first to the last hour of a span."""
    counts, names = by_the_hour(connection, scope), []
    first, last = ms_of(scope.since), ms_of(scope.until)
    for at in range(first - first % 3_600_000, last, 3_600_000):
        names.append(utc_of(at)[:13])
    return [(name, counts.get(name, 0)) for name in names]


def phases(connection: Connection, table: str, now_ms: int) -> list[Figures]:
    """The figures of the last 24 hours of a table, and then of each dealer there."""
    scope = last_day(table, now_ms)
    whole = [replace(one, name="all rounds") for one in statistics(connection, scope, "table")]
    dealers = statistics(connection, scope, "dealer")
    return whole + [replace(one, name=f"dealer {one.name}" if one.name else "nobody logged on") for one in dealers]


def last_rounds(connection: Connection, table: str) -> list[documents.PlayedRound]:
    """The last rounds of a table, the newest first."""
    columns = ("number", "opened", "closed", "results", "voids", "returned", "corrections", "dealer", "wheel")
    query = select(*(rounds.c[name] for name in (*columns, "seq", "checked")))
    newest = query.where(rounds.c.table == table, rounds.c.number > 0)
    rows = connection.execute(newest.order_by(rounds.c.closed.desc(), rounds.c.id.desc()).limit(LAST))
    return [_played(row) for row in rows]


def _played(row: Row[Any]) -> documents.PlayedRound:
    return {
        "number": row.number,
        "opened": row.opened,
        "closed": row.closed,
        "results": row.results,
        "voids": row.voids,
        "returned": row.returned,
        "corrections": row.corrections,
        "dealer": row.dealer,
        "wheel": row.wheel,
        "seq": row.seq,
        "checked": row.checked,
        "opened_ms": ms_of(row.opened),
        "closed_ms": ms_of(row.closed),
    }


def _state(connection: Connection, table: str) -> Json:
    state = connection.execute(select(tables.c.state).where(tables.c.table == table)).scalar()
    return state or {}


def _records(connection: Connection, table: str, state: Json) -> list[documents.StoredRecord]:
    """How much of each record of a table is stored, the present one first."""
    disputed_counts: dict[str, int] = {
        row[0]: row[1]
        for row in connection.execute(
            select(disputed.c.record, func.count()).where(disputed.c.table == table).group_by(disputed.c.record)
        )
    }
    rows = connection.execute(
        select(records).where(records.c.table == table).order_by(records.c.begun.desc(), records.c.record)
    )
    record_documents = [_record(row, state, disputed_counts.get(row.record, 0)) for row in rows]
    return sorted(record_documents, key=lambda record: not record["present"])


def _record(row: Row[Any], state: Json, disputed_rounds: int) -> documents.StoredRecord:
    present = state.get("record") == row.record
    return {
        "record": row.record,
        "present": present,
        "complete_to": row.seq,
        "deleted_to": row.deleted_to,
        "awaited": max(0, state["handed_over"] - row.seq) if present else 0,
        "disputed": disputed_rounds,
        "begun_ms": ms_of(row.begun),
        "replaces": row.replaces,
    }


# -- wheels --------------------------------------------------------------------------------------------------------


def wheels_document(connection: Connection, config: FloorConfig) -> documents.Wheels:
    """All wheels, those with the most evidence against them first."""
    rows = connection.execute(select(wheels).order_by(wheels.c.evidence.desc(), wheels.c.wheel))
    return {"floor": config.floor, "wheels": [_wheel(row, config.fairness.odds) for row in rows]}


def wheel_document(connection: Connection, config: FloorConfig, wheel: str) -> documents.WheelDocument | None:
    """A wheel with its counts; None if none of its spins is stored."""
    found = connection.execute(select(wheels).where(wheels.c.wheel == wheel)).first()
    if found is None:
        return None
    counts = _counts(connection, wheel, found.of)
    totals = [sum(counted) for counted in zip(*counts.values(), strict=True)] or [0] * found.of
    test = chi_square(totals)
    return {
        **_wheel(found, config.fairness.odds),
        "floor": config.floor,
        "labels": _labels(found.labels, found.of),
        "counts": counts,
        "totals": totals,
        "chi_square": {"statistic": round(test.statistic, 2), "degrees": test.degrees, "p": test.p},
    }


def _wheel(row: Row[Any], odds: int) -> documents.WheelRow:
    return {
        "wheel": row.wheel,
        "game": row.game,
        "title": title_of(row.game),
        "of": row.of,
        "spins": row.spins,
        "evidence": round(row.evidence, 3),
        "evidence_words": evidence_words(row.evidence),
        "highest": round(row.highest, 3),
        "highest_words": evidence_words(row.highest),
        "odds": odds,
        "threshold": round(log10(odds), 3),
        "alarmed_ms": ms_of(row.alarmed) if row.alarmed else None,
        "suspicion": row.suspicion,
    }


def evidence_words(evidence: float) -> str:
    """Evidence as text.

    Args:
        evidence: log10 of an e-value; an e-value of 12 is odds of 12 to 1 against equal sections.
    """
    if evidence <= 0:
        return "nothing speaks against equal sections"
    if evidence >= _DIGITS:
        odds = f"10^{evidence:.0f}"
    else:
        odds = f"{10**evidence:,.0f}" if evidence >= 1 else f"{10**evidence:.1f}"
    return f"{odds} to 1 against equal sections"


def _counts(connection: Connection, wheel: str, of: int) -> dict[str, list[int]]:
    """Spins by direction and position."""
    counts: dict[str, list[int]] = {}
    columns = (wheel_counts.c.direction, wheel_counts.c.position, wheel_counts.c.count)
    for direction, position, count in connection.execute(select(*columns).where(wheel_counts.c.wheel == wheel)):
        if position < of:
            counts.setdefault(direction, [0] * of)[position] = count
    return dict(sorted(counts.items()))


def _labels(labels: Sequence[str], of: int) -> list[str]:
    """A label for every position, empty where none has been seen."""
    return [*labels[:of], *[""] * (of - len(labels))]
