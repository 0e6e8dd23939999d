"""What the floor shows is the same from PostgreSQL as from SQLite."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres_server import Postgres
from sqlalchemy import Engine, create_engine
from stored_floor import NOW_MS, an_alert, dealers, empty, fill, insert, sum_up, utc

from config.floor import FloorConfig
from config.schema import BrokerSection
from controller.floor.queries import details
from controller.floor.queries.overview import Overview
from controller.floor.queries.scope import DAY_MS, scope_of
from controller.floor.queries.statistics import BY, statistics
from controller.floor.store import schema

CONFIG = FloorConfig(floor="hall", broker=BrokerSection(host="localhost", ca="ca", certificate="crt", key="key"))


@pytest.fixture
def engines(postgres: Postgres, tmp_path: Path) -> Iterator[list[Engine]]:
    """Two stores with the same content."""
    made = [empty(tmp_path), create_engine(postgres.fresh())]
    schema.metadata.create_all(made[1])
    for engine in made:
        fill(engine, tables=8, rounds=90)
        sum_up(engine)
        dealers(engine)
        dealers(engine, NOW_MS - 40 * DAY_MS)
        refused = {"table": "", "reason": "topic", "count": 4, "last": utc(NOW_MS)}
        insert(engine, {"refused_count": [refused], "alerts": [an_alert("sic-bo-1", "the panel is dark")]})
    yield made
    for engine in made:
        engine.dispose()


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
