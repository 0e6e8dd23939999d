"""Keys of a table and its floor, made once."""

from pathlib import Path

import pytest
from signed_record import Keys


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    return Keys(Path(tmp_path_factory.mktemp("keys")))
