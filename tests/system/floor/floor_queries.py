"""What the floor shows is the same from PostgreSQL as from SQLite."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres_server import Postgres
from sqlalchemy import Engine, create_engine
from stored_floor import NOW_MS, a_round, an_alert, empty, fill, insert, utc

from config.floor import FloorConfig
from config.schema import BrokerSection
from controller.floor.queries import details
from controller.floor.queries.overview import Overview
from controller.floor.queries.scope import scope_of
from controller.floor.queries.statistics import BY, statistics
from controller.floor.store import schema
from controller.floor.store.hour_sums import HourSums, begin_sums

CONFIG = FloorConfig(floor="hall", broker=BrokerSection(host="localhost", ca="ca", certificate="crt", key="key"))


@pytest.fixture
def engines(postgres: Postgres, tmp_path: Path) -> Iterator[list[Engine]]:
    """Two stores with the same content."""
    made = [empty(tmp_path), create_engine(postgres.fresh())]
    schema.metadata.create_all(made[1])
    for engine in made:
        fill(engine, tables=8, rounds=90)
        _sum(engine)
        refused = {"table": "", "reason": "topic", "count": 4, "last": utc(NOW_MS)}
        insert(engine, {"refused_count": [refused], "alerts": [an_alert("sic-bo-1", "the panel is dark")]})
    yield made
    for engine in made:
        engine.dispose()


def _sum(engine: Engine) -> None:
    """Make the sums of all rounds: statistics are read from them then."""
    sums, more = HourSums(), True
    with engine.begin() as db:
        begin_sums(db)
    while more:
        with engine.begin() as db:
            more = sums.add_slice(db)
            sums.write(db)


def test_both_stores_give_the_same_figures_documents_and_exports(engines: list[Engine]) -> None:
    shown: list[list[object]] = []
    for engine in engines:
        with engine.connect() as connection:
            results: list[object] = [Overview(CONFIG).make(connection, NOW_MS)]
            results += [statistics(connection, scope_of({}, NOW_MS), by) for by in BY]
            results += [details.table_document(connection, name, NOW_MS) for name in ("roulette-2", "nobody")]
            results += [details.wheels_document(connection, CONFIG)]
            results += [details.wheel_document(connection, CONFIG, "S/roulette-1")]
        shown.append(results)
    assert len(shown[0]) == len(shown[1])
    for sqlite, postgres in zip(*shown, strict=True):
        assert sqlite == postgres
    assert shown[0][0]["totals"]["rounds"] == 8 * 60  # type: ignore[index]


def test_both_stores_return_the_changes_since_the_last_query(engines: list[Engine]) -> None:
    for engine in engines:
        overview = Overview(CONFIG)
        with engine.connect() as connection:
            before = overview.make(connection, NOW_MS)["totals"]["rounds"]
        insert(
            engine, {"rounds": [a_round("roulette-1", 900 + number, NOW_MS, voids=["late"]) for number in range(3)]}
        )
        with engine.connect() as connection:
            document = overview.make(connection, NOW_MS)
        assert document["totals"]["rounds"] == before + 3
        (row,) = [one for one in document["tables"] if one["table"] == "roulette-1"]
        assert row["voids"]["late"] == 3
        assert row["results"][:3] == ["10", "10", "10"]
