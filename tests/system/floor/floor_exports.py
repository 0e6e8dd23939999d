"""What is exported is the same from PostgreSQL as from SQLite, byte by byte."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from exported_floor import exported, fill_awkwardly, stored
from postgres_server import Postgres
from sqlalchemy import Engine, create_engine
from stored_floor import empty

from controller.floor.exports.export_tables import EXPORTS
from controller.floor.store import schema


@pytest.fixture
def engines(postgres: Postgres, tmp_path: Path) -> Iterator[list[Engine]]:
    """Two stores with the same content."""
    made = [empty(tmp_path), create_engine(postgres.fresh())]
    schema.metadata.create_all(made[1])
    for engine in made:
        fill_awkwardly(engine)
    yield made
    for engine in made:
        engine.dispose()


def test_both_stores_give_the_same_csv(engines: list[Engine]) -> None:
    for what in EXPORTS:
        assert stored(engines[0], what) == stored(engines[1], what) != []
        assert exported(engines[0], what) == exported(engines[1], what)
