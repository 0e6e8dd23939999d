"""The floor's store on a real PostgreSQL: the contract of every database, and a server that goes away."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from contracts.floor_proof import FloorProofContract
from contracts.floor_settling import FloorSettlingContract
from contracts.floor_store import FloorStoreContract
from contracts.floor_store_cases import opened, rows
from floor_messages import arrived, record, spin
from postgres_server import Postgres
from servers import running

from controller.floor.store import schema
from controller.floor.store.store import StoreAwayError


@pytest.fixture(scope="module")
def fresh(postgres: Postgres) -> Callable[[], str]:
    return postgres.fresh


class TestProofOnPostgres(FloorProofContract):
    pass


class TestSettlingOnPostgres(FloorSettlingContract):
    pass


class TestPostgres(FloorStoreContract):
    pass


def test_a_server_that_goes_away_is_waited_for_and_nothing_is_lost() -> None:
    """Stopped between two batches, and killed in all its connections: each round is stored once in the end."""
    messages = [arrived(one) for one in record([2] * 3, spins=[spin(4)])]
    with TemporaryDirectory(prefix="floor-") as folder:
        server = Postgres(Path(folder))
        with running(server):
            store = opened(server.fresh())
            assert store.take(messages[:1]).rounds == 1
            server.stop()
            with pytest.raises(StoreAwayError):
                store.take(messages[1:2])
            server.start()
            assert store.take(messages[1:2]).rounds == 1
            assert store.take(messages).rounds == 1
            assert [row["seq"] for row in rows(store, schema.rounds)] == [2, 4, 6]
            assert rows(store, schema.wheels)[0]["spins"] == 3
            store.close()


def test_a_server_that_is_not_there_yet_is_waited_for() -> None:
    with pytest.raises(StoreAwayError, match="cannot be used"):
        opened("postgresql+psycopg://floor:secret@127.0.0.1:1/floor")


def test_a_password_is_not_shown() -> None:
    with pytest.raises(StoreAwayError) as error:
        opened("postgresql+psycopg://floor:secret@127.0.0.1:1/floor")
    assert "secret" not in str(error.value)
