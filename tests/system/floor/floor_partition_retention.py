"""What retention deletes where the rounds are in partitions: whole months, and what must stay of them stays."""

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from contracts.floor_store_cases import Lopsided, active_alerts, rows
from floor_messages import NOON_NS, arrived, record
from postgres_server import Postgres
from sqlalchemy import text

from config.floor import RetentionSection
from controller.floor.record.floor_record import FloorRecord
from controller.floor.store import schema
from controller.floor.store.engine import open_engine
from controller.floor.store.partitions import extension, make_month, partitions
from controller.floor.store.store import Store
from controller.messages.models import RoundClosed
from hal.mock.clock import VirtualClock

DAY = 24 * 60
"""Minutes."""
DAY_NS = 86_400_000_000_000
MONTHS = [date(2026, month, 1) for month in range(3, 8)]
NOW_NS = NOON_NS + 75 * DAY_NS
"""2026-05-15, noon."""


@pytest.fixture
def kept() -> Iterator[FloorRecord]:
    made = FloorRecord(None, VirtualClock())
    yield made
    made.close()


@pytest.fixture
def store(postgres: Postgres, kept: FloorRecord) -> Iterator[Store]:
    """Rounds are kept for 20 days, and the months of spring 2026 have partitions."""
    url = postgres.fresh_with_partman()
    engine = open_engine(url)
    with engine.begin() as db:
        partman = extension(db)
        assert partman is not None
        for month in MONTHS:
            make_month(db, partman, month)
    engine.dispose()
    made = Store(url, evidence=Lopsided, retention=RetentionSection(rounds_days=20), record=kept)
    yield made
    made.close()


def messages(table: str = "big-six-1", days: int = 75, **fields: Any) -> list[RoundClosed]:
    """A round a day from the 2nd of March on; number 0 at its noon."""
    return record([2] * days, table=table, salt=table, apart=DAY, **fields)


def taken(store: Store, sent: list[RoundClosed], now_ns: int = NOW_NS) -> int:
    return store.take([arrived(one, now_ns + DAY_NS) for one in sent]).rounds


def keep_up(store: Store, now_ns: int = NOW_NS, slices: int = 8) -> None:
    for _ in range(slices):
        store.upkeep({}, now_ns)


def months_there(store: Store) -> set[str]:
    with store.engine.connect() as db:
        return {f"{one.since:%Y-%m}" for one in partitions(db) if one.since is not None and one.since in MONTHS}


def numbers(store: Store, table: str) -> list[int]:
    return sorted(row["number"] for row in rows(store, schema.rounds, schema.rounds.c.table == table))


def test_what_must_stay_of_a_dropped_month_moves_to_the_default_partition(store: Store) -> None:
    silent, gaps = messages("silent", 10), messages("gaps", 12)
    taken(store, [*silent[:10], *gaps[:3], *gaps[5:8]])
    forked = messages("forked", 4)
    taken(store, [*forked, *messages("forked", 4, changed_from=2)])
    keep_up(store)
    assert "2026-03" not in months_there(store)
    assert numbers(store, "silent") == [9]
    assert numbers(store, "gaps") == [2, 5, 6, 7]
    assert numbers(store, "forked") == [0, 1, 2, 3]
    with store.engine.connect() as db:
        places = set(db.execute(text("SELECT DISTINCT tableoid::regclass::text FROM rounds")).scalars())
        assert places == {one.name for one in partitions(db) if one.since is None}
    # Each chain goes on from there, and what may go later goes.
    other = messages("silent", 12, changed_from=9)
    assert store.take([arrived(other[10], NOW_NS)]).disputed == 1
    assert taken(store, gaps[3:5]) == 2
    assert [alert["table"] for alert in active_alerts(store, "gap")] == []
    more = messages("gaps", 75)
    assert more[7].hash == gaps[7].hash
    assert taken(store, more[8:]) == 67
    keep_up(store, NOW_NS + DAY_NS)
    assert numbers(store, "gaps") == list(range(30, 75))
    assert {row["deleted_to"] for row in rows(store, schema.records, schema.records.c.table == "gaps")} == {60}
    assert numbers(store, "forked") == [0, 1, 2, 3]
