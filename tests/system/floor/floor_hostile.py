"""A table with a valid certificate that sends as fast as it can, beside honest ones, on a real broker and floor."""

from pathlib import Path
from statistics import median
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


def test_an_honest_alert_does_not_wait_at_the_floor_for_what_the_hostile_table_sent(ran: HostileRun) -> None:
    """It waits for a slice and its transaction; a queue in the order of arrival had minutes of work before it."""
    assert len(ran.beside.turns) > TABLES
    assert median(ran.beside.turns) < SECONDS / 3


def test_an_honest_alert_does_not_wait_before_the_floor_takes_it(ran: HostileRun) -> None:
    """Neither at the broker nor unread: it has a connection of its own, and what has arrived is taken at once."""
    assert median(ran.beside.alerts) - median(ran.beside.turns) < SECONDS / 6


def test_no_honest_round_or_alert_is_stored_twice_or_lost(ran: HostileRun) -> None:
    assert ran.doubled == 0
    assert ran.lost == []


def test_the_floor_ends_within_five_seconds_under_that_load(ran: HostileRun) -> None:
    assert ran.code == 0
    assert ran.ended_s < ENDS_S
