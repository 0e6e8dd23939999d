"""Servers for the tests of the floor. A server that is not installed is a failure, which names its package."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from servers import Certificates, Mosquitto, Postgres, running


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """An authority, and certificates of it."""
    return Certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def mosquitto(tmp_path: Path, certificates: Certificates) -> Iterator[Mosquitto]:
    """A broker that runs, of this test alone."""
    broker = Mosquitto(tmp_path / "mosquitto", certificates)
    with running(broker):
        yield broker


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """PostgreSQL, running. Take a database of your own: ``postgres.fresh()``."""
    with TemporaryDirectory(prefix="floor-") as folder:
        cluster = Postgres(Path(folder))
        with running(cluster):
            yield cluster


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database, of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/floor.db"
    cluster: Postgres = request.getfixturevalue("postgres")
    return cluster.fresh()
