"""Rounds in partitions, by pg_partman in a real PostgreSQL: the store's contracts, change-over, clocks, pruning."""

from collections.abc import Callable, Iterator
from datetime import date

import pytest
from contracts.floor_migrations import LATEST, expected, of_then
from contracts.floor_store_cases import active_alerts, opened, rows
from floor_messages import LATER_NS, arrived, record
from postgres_server import Postgres
from sqlalchemy import text

from controller.floor.store import partitioning, schema
from controller.floor.store.engine import open_engine
from controller.floor.store.partitions import (
    extension,
    is_partitioned,
    make_month,
    partitions,
)
from controller.floor.store.store import Store
from tests.golden.floor_store import read_dump

DAY = 24 * 60
"""Minutes."""


def partitioned(postgres: Postgres, *months: date) -> str:
    """The URL of a new store in partitions: those of the present time, and those of some months."""
    url = postgres.fresh_with_partman()
    engine = open_engine(url)
    with engine.begin() as db:
        partman = extension(db)
        assert partman is not None
        for month in months:
            make_month(db, partman, month)
    engine.dispose()
    return url


@pytest.fixture(scope="module")
def fresh(postgres: Postgres) -> Callable[[], str]:
    return lambda: partitioned(postgres, date(2026, 2, 1), date(2026, 3, 1))


@pytest.fixture
def store(fresh: Callable[[], str]) -> Iterator[Store]:
    made = opened(fresh())
    yield made
    made.close()


def by_partition(store: Store) -> dict[str, int]:
    """How many rounds each partition has that has any, by month."""
    query = text("SELECT tableoid::regclass::text, count(*) FROM rounds GROUP BY 1")
    with store.engine.connect() as db:
        months = {one.name: f"{one.since:%Y-%m}" if one.since else "default" for one in partitions(db)}
        return {months[row[0]]: int(row[1]) for row in db.execute(query)}


# -- one round, one place --------------------------------------------------------------------------------------


def test_rounds_of_two_months_are_one_chain(store: Store) -> None:
    sent = record([2] * 8, begins=28 * DAY, apart=DAY)  # March has 31 days; April has no partition.
    store.take([arrived(one, LATER_NS * 2) for one in (*sent[:2], *sent[4:])])
    assert [alert["text"][:14] for alert in active_alerts(store, "gap")] == ["entries 5 to 8"]
    store.take([arrived(one, LATER_NS * 2) for one in sent[2:4]])
    assert active_alerts(store, "gap") == []
    assert by_partition(store) == {"2026-03": 2, "default": 6}
    again = store.take([arrived(one, LATER_NS * 2) for one in sent])
    assert (again.rounds, again.repeats, again.disputed) == (0, 8, 0)


# -- the change-over -------------------------------------------------------------------------------------------


@pytest.fixture
def whole(postgres: Postgres) -> str:
    """A store of the previous version's dump, brought to this one, in one table; its database has the extension."""
    url = postgres.load(read_dump(f"version-{LATEST}.postgres.sql.gz"))
    postgres.execute(url, "CREATE SCHEMA partman", "CREATE EXTENSION pg_partman SCHEMA partman")
    open_engine(url).dispose()
    return url


def change_over(url: str) -> list[str]:
    """Change a store over; returns what was said."""
    said: list[str] = []
    engine = open_engine(url)
    try:
        with engine.begin() as db:
            partitioning.change_over(db, said.append)
    finally:
        engine.dispose()
    return said


def test_a_store_in_one_table_is_changed_over_with_every_round(postgres: Postgres, whole: str) -> None:
    postgres.execute(whole, "CREATE ROLE reports", "GRANT SELECT ON rounds TO reports")
    said = change_over(whole)
    assert of_then(whole) == expected(LATEST)
    count = len(expected(LATEST)["rounds"])
    assert said[-1].startswith(f"{count} rounds are in partitions from 20")
    assert f"of {count} rounds" in said[0]
    store = opened(whole)
    assert len(by_partition(store)) > 1
    with store.engine.connect() as db:
        assert is_partitioned(db)
        readable = text("SELECT has_table_privilege('reports', 'rounds', 'SELECT')")
        assert db.execute(readable).scalar_one()
        closed_on = text("SELECT count(*) FROM rounds WHERE closed_on <> substr(closed, 1, 10)::date")
        assert db.execute(closed_on).scalar_one() == 0
    sent = record([2] * 3, table="new", salt="new")
    assert store.take([arrived(one, LATER_NS * 2) for one in sent]).rounds == 3
    assert len({row["id"] for row in rows(store, schema.rounds)}) == count + 3
    store.close()
