"""The houses of a group for their page: whether each is there, how far behind it is, what of it is an alert."""

from collections import Counter
from typing import Any

from sqlalchemy import Connection, RowMapping, func, select

from controller.floor.pages.house_documents import HouseRow, HousesDocument
from controller.floor.queries.overview import active_alerts
from controller.floor.queries.times import ms_of, utc_of
from controller.floor.store import schema
from controller.floor.store.hour_sums import HOUR_LENGTH
from controller.floor.store.schema import houses
from controller.messages.topics import house_of

DAY_MS = 86_400_000

_tables = schema.tables.c
_sums = schema.hour_sums.c


def houses_document(db: Connection, floor: str, now_ms: int) -> HousesDocument:
    """Every house that said anything of itself, or of a table; by name."""
    said = {row["house"]: row for row in db.execute(select(houses)).mappings()}
    tables, online = Counter[str](), Counter[str]()
    for table, is_online in db.execute(select(_tables.table, _tables.online)):
        tables[house_of(table)] += 1
        online[house_of(table)] += is_online
    rounds, alerts = _by_house(_rounds(db, now_ms)), _by_house(active_alerts(db))
    names = sorted((set(said) | set(tables)) - {""})
    of_house = {"tables": tables, "tables_online": online, "rounds": rounds, "alerts": alerts}
    rows = [_row(name, said.get(name), {what: counts[name] for what, counts in of_house.items()}) for name in names]
    return {"floor": floor, "houses": rows, "utc_ms": now_ms}


def _rounds(db: Connection, now_ms: int) -> dict[str, int]:
    """How many rounds of each table closed in the last 24 hours."""
    since = utc_of(now_ms - DAY_MS)[:HOUR_LENGTH]
    query = select(_sums.table, func.sum(_sums.rounds)).where(_sums.hour >= since).group_by(_sums.table)
    return {table: int(count) for table, count in db.execute(query)}


def _by_house(counts: dict[str, int]) -> Counter[str]:
    found = Counter[str]()
    for table, count in counts.items():
        found[house_of(table)] += count
    return found


def _row(name: str, said: RowMapping | None, counts: dict[str, int]) -> HouseRow:
    row: dict[str, Any] = dict(said) if said is not None else {}
    return {
        "house": name,
        "floor": row.get("floor", ""),
        "software": row.get("software", ""),
        "online": row.get("online", False),
        "changed_ms": _ms(row.get("changed")),
        "heard_ms": _ms(row.get("heard")),
        "ahead_ms": row.get("ahead_ms"),
        "oldest_ms": _ms(row.get("oldest")),
        "waiting": row.get("waiting", 0),
        "tables": counts["tables"],
        "tables_online": counts["tables_online"],
        "rounds": counts["rounds"],
        "alerts": counts["alerts"],
    }


def _ms(utc: str | None) -> int | None:
    return ms_of(utc) if utc else None
