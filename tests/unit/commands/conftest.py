"""Tables' files in the test's folder, which is the present one, with their journals beside them."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from controller.configuration.shipped import shipped_tables


@pytest.fixture
def table_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Makes the file of a game's shipped table with other sections. Its journal is ``table.journal``."""
    monkeypatch.chdir(tmp_path)  # A table's file may not hold a path that is as long as those of tests.

    def make(game: str, **changed: object) -> Path:
        document = yaml.safe_load(shipped_tables()[game].read_text(encoding="utf-8"))
        document |= {"journal": {"file": "table.journal"}, **changed}
        (tmp_path / "table.yaml").write_text(yaml.safe_dump(document), encoding="utf-8")
        return tmp_path / "table.yaml"

    return make
