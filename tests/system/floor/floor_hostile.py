"""A table with a valid certificate that sends as fast as it can, beside honest ones, on a real broker and floor."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from benchmarks.floor_hostile import ENDS_S, HostileRun, run

TABLES, SECONDS, MOST = 6, 9.0, 6_000


@pytest.fixture(scope="module")
def ran() -> HostileRun:
    with TemporaryDirectory(prefix="floor-") as folder:
        return run(Path(folder), TABLES, SECONDS, MOST)


def test_every_honest_round_is_stored_in_the_end(ran: HostileRun) -> None:
    assert ran.sent > 0
    assert ran.missing == []


def test_honest_alerts_are_stored_while_the_hostile_table_sends(ran: HostileRun) -> None:
    """All that had a third of the time to arrive."""
    waited = [lag for lag in ran.beside.alerts if lag > SECONDS / 3]
    assert len(ran.beside.alerts) > TABLES
    assert waited == []


def test_the_floor_ends_within_five_seconds_under_that_load(ran: HostileRun) -> None:
    assert ran.code == 0
    assert ran.ended_s < ENDS_S
