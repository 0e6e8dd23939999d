"""What is exported is the same from PostgreSQL as from SQLite, in every format, byte by byte."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from exported_floor import exported, fill_awkwardly, stored
from postgres_server import Postgres
from sqlalchemy import Engine, create_engine, event
from stored_floor import empty

from controller.floor.exports.export_file import FORMATS
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


def test_both_stores_give_the_same_files(engines: list[Engine], tmp_path: Path) -> None:
    for what in EXPORTS:
        assert stored(engines[0], what) == stored(engines[1], what) != []
        for format_ in FORMATS:
            files = [
                exported(engine, what, tmp_path / f"{what}-{engine.dialect.name}.{format_}").read_bytes()
                for engine in engines
            ]
            assert files[0] == files[1], (what, format_)


def test_rows_come_from_the_server_some_at_a_time(engines: list[Engine], tmp_path: Path) -> None:
    cursors = []
    event.listen(engines[1], "before_cursor_execute", lambda _, cursor, *__: cursors.append(type(cursor).__name__))
    exported(engines[1], "rounds", tmp_path / "rounds.csv")
    assert "ServerCursor" in cursors
