"""The floor's store on SQLite: the contract of every database, and what only a file can do."""

import sqlite3
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

import pytest
from contracts.floor_proof import FloorProofContract
from contracts.floor_settling import FloorSettlingContract
from contracts.floor_store import FloorStoreContract
from contracts.floor_store_cases import opened, rows
from floor_messages import arrived, record
from sqlalchemy import Connection

from controller.floor.ingest.validation import Accepted
from controller.floor.store import presence, schema
from controller.floor.store.store import StoreAwayError, StoreError


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], str]:
    folder, numbers = tmp_path_factory.mktemp("floor"), count()
    return lambda: f"sqlite:///{folder}/{next(numbers)}.db"


class TestSqlite(FloorStoreContract):
    pass


class TestProofOnSqlite(FloorProofContract):
    pass


class TestSettlingOnSqlite(FloorSettlingContract):
    pass


def test_of_two_floors_on_one_store_the_first_ends_and_nothing_is_counted_twice(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/floor.db"
    messages = [arrived(message) for message in record([3, 3, 3, 3])]
    first = opened(url)
    first.take(messages[:2])
    second = opened(url)
    assert second.take(messages[:3]).rounds == 1
    with pytest.raises(StoreError, match="another floor has opened this store"):
        first.take(messages[2:])
    assert second.take(messages).rounds == 1
    assert len(rows(second, schema.rounds)) == 4
    first.close()
    second.close()


def test_a_database_of_something_else_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "floor.db") as db:
        db.execute("CREATE TABLE rounds (beer TEXT)")
    db.close()
    with pytest.raises(StoreError, match="has a table 'rounds' that is not the floor's"):
        opened(f"sqlite:///{tmp_path}/floor.db")
    (tmp_path / "text.db").write_text("no database at all, but text that is long enough to be looked at\n" * 20)
    with pytest.raises(StoreError, match="file is not a database"):
        opened(f"sqlite:///{tmp_path}/text.db")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("floor.db", "no SQLAlchemy URL"),
        ("mysql://root:secret@host/db", "mysql, which is not supported"),
        ("postgresql://u:secret@host:port/db", "no SQLAlchemy URL"),
    ],
)
def test_an_invalid_url_is_refused(url: str, reason: str) -> None:
    with pytest.raises(StoreError, match=reason) as error:
        opened(url)
    assert "secret" not in str(error.value)
    assert not isinstance(error.value, StoreAwayError)


def test_a_folder_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    with pytest.raises(StoreAwayError, match="unable to open database file"):
        opened(f"sqlite:///{tmp_path}/none/floor.db")


def test_a_write_waits_for_another_writer_and_not_for_readers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.floor.store.engine._BUSY_S", 0.05)
    url = f"sqlite:///{tmp_path}/floor.db"
    store = opened(url)
    messages = [arrived(one) for one in record([1, 1])]
    with store.engine.connect() as reader:  # A page that is being made.
        reader.execute(schema.tables.select()).all()
        assert store.take(messages[:1]).rounds == 1
    other = sqlite3.connect(tmp_path / "floor.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreAwayError, match="database is locked"):
        store.take(messages[1:])
    other.execute("COMMIT")
    other.close()
    assert store.take(messages[1:]).rounds == 1
    assert len(rows(store, schema.rounds)) == 2
    store.close()


def test_a_write_during_a_batch_waits_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The batch has read, and has written nothing yet: if another process wrote now, the batch could not."""
    store = opened(f"sqlite:///{tmp_path}/floor.db")
    other = sqlite3.connect(tmp_path / "floor.db", isolation_level=None, timeout=0)
    reasons: list[str] = []
    update = presence.update

    def read_first(db: Connection, messages: Sequence[Accepted]) -> set[str]:
        db.execute(schema.tables.select()).all()
        try:
            other.execute("INSERT INTO about VALUES ('a', 'b')")
        except sqlite3.OperationalError as error:
            reasons.append(str(error))
        return update(db, messages)

    monkeypatch.setattr(presence, "update", read_first)
    assert store.take([arrived(record([1])[0])]).rounds == 1
    assert reasons == ["database is locked"]
    other.close()
    store.close()
