"""A floor's store with nothing in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine
from stored_floor import empty


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = empty(tmp_path)
    yield made
    made.dispose()
