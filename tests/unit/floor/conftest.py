"""A floor's store with nothing in it, and a floor's file."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import trustme
from project import ROOT
from sqlalchemy import Engine
from stored_floor import empty

EXAMPLE = ROOT / "config/floors/floor.yaml"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = empty(tmp_path)
    yield made
    made.dispose()


@pytest.fixture
def file() -> Iterator[Path]:
    """A floor's file whose broker is a port without a listener. Names of files have at most 80 characters."""
    with TemporaryDirectory(prefix="floor-") as folder:
        yield _floor_file(Path(folder))


def _floor_file(tmp_path: Path) -> Path:
    authority = trustme.CA()
    own = authority.issue_cert("floor")
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    own.cert_chain_pems[0].write_to_path(str(tmp_path / "floor.pem"))
    own.private_key_pem.write_to_path(str(tmp_path / "floor.key"))
    text = EXAMPLE.read_text().replace("/etc/table-controller-floor", str(tmp_path))
    text = text.replace("/var/lib/table-controller-floor", str(tmp_path))
    text = text.replace("broker.floor.example", "127.0.0.1").replace("# port: 8883", "port: 1")
    record = f"record:\n  file: {tmp_path}/floor.record\n"
    (tmp_path / "floor.yaml").write_text(text + record)
    return tmp_path / "floor.yaml"
