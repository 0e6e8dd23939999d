"""Migrations of the floor's store on SQLite: the contract of every database, the earliest versions, a full disk."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from contracts.floor_migrations import LATEST, FloorMigrationsContract, Load, expected, of_then, stored
from contracts.floor_store_cases import opened, rows

from controller.commands.cli import main
from controller.floor.store import engine, schema
from controller.floor.store.engine import StoreAwayError, open_engine
from controller.runtime import exit_codes
from tests.golden.floor_store import read_dump


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], str]:
    folder, numbers = tmp_path_factory.mktemp("floor"), count()
    return lambda: f"sqlite:///{folder}/{next(numbers)}.db"


@pytest.fixture
def loaded(fresh: Callable[[], str]) -> Load:
    def load(name: str) -> str:
        url = fresh()
        with closing(sqlite3.connect(_file(url))) as db:
            db.executescript(read_dump(f"{name}.sqlite.sql.gz"))
        return url

    return load


def _file(url: str) -> str:
    return url.removeprefix("sqlite:///")


class TestMigrationsOnSqlite(FloorMigrationsContract):
    pass


@pytest.mark.parametrize("version", ["1", "3"])
def test_a_store_of_the_earliest_versions_gets_what_it_lacks_and_keeps_what_it_has(
    loaded: Load, version: str
) -> None:
    """They lacked tables, columns and indices, and not always the same ones."""
    url = loaded("version-4")
    with closing(sqlite3.connect(_file(url))) as db:
        db.execute("DROP TABLE refused_count")
        db.execute("DROP INDEX rounds_by_time")
        db.execute("ALTER TABLE tables DROP COLUMN health")
        db.execute("UPDATE about SET value = ? WHERE key = 'version'", (version,))
        db.commit()
    for _ in range(2):
        store = opened(url)
        assert rows(store, schema.refused_count) == []
        assert {row["health"] for row in rows(store, schema.tables)} == {None}
        store.close()
        assert of_then(url)["rounds"] == expected(LATEST)["rounds"]
    with closing(sqlite3.connect(_file(url))) as db:
        assert db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'rounds_by_time'").fetchone() == (1,)


def test_a_disk_that_is_full_leaves_the_store_as_it_was_and_is_waited_for(
    loaded: Load, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    url = loaded("version-4")
    with closing(sqlite3.connect(_file(url))) as db:
        db.execute("UPDATE about SET value = '3' WHERE key = 'version'")
        db.execute("ALTER TABLE tables DROP COLUMN health")
        db.execute("DROP INDEX rounds_of_dealer")
        db.commit()
        db.execute("VACUUM")
        (pages,) = db.execute("PRAGMA page_count").fetchone()
    before, prepare = stored(url), engine._prepare_sqlite

    def full(connection: Any, record: object) -> None:
        prepare(connection, record)
        connection.execute(f"PRAGMA max_page_count={pages}")

    with monkeypatch.context() as patched:
        patched.setattr(engine, "_prepare_sqlite", full)
        with pytest.raises(StoreAwayError, match="disk is full"):
            open_engine(url)
    assert stored(url) == before
    open_engine(url).dispose()
    assert of_then(url)["rounds"] == expected(LATEST)["rounds"]


def test_a_store_in_one_file_has_no_partitions(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["floor", str(file), "--partition"]) == exit_codes.CONFIGURATION
    assert "SQLite, which has no partitions" in capsys.readouterr().err
    assert not (file.parent / "floor.db").exists()
