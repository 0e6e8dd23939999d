"""A small sample of ``python -m benchmarks.floor``: tables, a broker and a floor of which each is lost once."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from benchmarks.floor import run
from benchmarks.floor_figures import figures, markdown
from benchmarks.floor_plan import Plan
from benchmarks.floor_run import Ran

TABLES = 20


@pytest.fixture(scope="module", params=["sqlite", "postgresql", "workers"])
def ran(request: pytest.FixtureRequest) -> Ran:
    workers = 2 if request.param == "workers" else 0
    minutes = 10 if workers else 4  # Until others have the tables of a worker that was killed.
    plan = Plan(TABLES, minutes, seed=1, speed=10, postgresql=request.param != "sqlite", workers=workers)
    with TemporaryDirectory(prefix="floor-") as folder:
        return run(plan, Path(folder))


def test_every_round_is_stored_once_whatever_failed(ran: Ran) -> None:
    difference = ran.difference
    assert difference.missing == []
    assert difference.twice == []
    assert difference.other == []
    assert difference.rounds == len(ran.stored) > 10 * TABLES


def test_no_gap_is_left_and_nothing_was_refused(ran: Ran) -> None:
    assert ran.difference.alerts == []
    assert ran.difference.disputed == 0
    assert ran.difference.refused == {}
    assert figures(ran).passed


def test_every_table_has_a_record_of_its_own(ran: Ran) -> None:
    assert ran.difference.records == TABLES


def test_the_tables_of_a_killed_worker_are_taken_within_ten_seconds(ran: Ran) -> None:
    if ran.plan.workers:
        assert ran.takeover_s is not None
        assert ran.takeover_s < 10
        assert set(ran.outages) == {"broker", "floor", "network", "database"}
    else:
        assert ran.takeover_s is None


@pytest.mark.parametrize("what", ["broker", "floor", "network"])
def test_rounds_recorded_in_an_outage_arrived_after_it(ran: Ran, what: str) -> None:
    """Otherwise there was no outage."""
    from_s, until_s = ran.outages[what]
    late = [
        one
        for one in ran.stored
        if from_s < one.closed_s < until_s - 0.5 and (what != "network" or one.table in ran.cut_off)
    ]
    assert late
    if ran.plan.workers and what == "floor":
        assert any(one.closed_s + one.lag_s < until_s for one in late)  # The other worker goes on.
        return
    assert all(one.closed_s + one.lag_s > until_s for one in late)


def test_the_figures_are_those_of_the_run(ran: Ran) -> None:
    found = figures(ran)
    assert found.rounds == found.usual.rounds + sum(
        lag.rounds for lag in (found.broker_down, found.floor_down, found.network_down)
    )
    assert found.messages > found.rounds
    assert found.floor_mb > 1
    assert found.broker_mb > 1
    assert f"| rounds closed | {found.rounds} |" in markdown([found])
