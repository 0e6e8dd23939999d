"""Tables that run in an event loop, on a journal of the test's folder."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from running_session import Runs

from hal.wall_time import SetBy


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The journal of the tables; it is not there yet."""
    (tmp_path / "card").mkdir()
    return tmp_path / "card" / "table.journal"


@pytest.fixture
def runs(file: Path, caplog: pytest.LogCaptureFixture) -> Iterator[Callable[..., Runs]]:
    """Starts a Dreamcatcher table; keywords are those of ``Runs``. What runs at the end is stopped."""
    made: list[Runs] = []

    def make(set_by: SetBy = SetBy.NETWORK, **how: object) -> Runs:
        caplog.clear()
        made.append(Runs(file, lambda: caplog.text, "dreamcatcher", set_by, **how))  # type: ignore[arg-type]
        return made[-1]

    caplog.set_level(logging.INFO)
    yield make
    for one in made:
        if not one.task.done():
            one.end()
        one.close()
