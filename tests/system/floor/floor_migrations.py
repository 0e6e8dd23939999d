"""Migrations of the floor's store on a real PostgreSQL: the contract of every database."""

from collections.abc import Callable

import pytest
from contracts.floor_migrations import FloorMigrationsContract, Load
from postgres_server import Postgres

from tests.golden.floor_store import read_dump


@pytest.fixture(scope="module")
def fresh(postgres: Postgres) -> Callable[[], str]:
    return postgres.fresh


@pytest.fixture(scope="module")
def loaded(postgres: Postgres) -> Load:
    return lambda name: postgres.load(read_dump(f"{name}.postgres.sql.gz"))


class TestMigrationsOnPostgres(FloorMigrationsContract):
    pass
