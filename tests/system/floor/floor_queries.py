"""What the floor shows is the same from PostgreSQL as from SQLite."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from postgres_server import Postgres
from sqlalchemy import Engine, create_engine, select
from stored_floor import NOW_MS, a_round, an_alert, dealers, empty, fill, insert, sum_up, utc

from config.floor import FloorConfig
from config.schema import BrokerSection
from controller.floor.queries import details
from controller.floor.queries.dealer_spins import dealer_spins, findings, rows
from controller.floor.queries.house_hours import rounds_by_hour
from controller.floor.queries.listed_rounds import RoundFilter, listed_rounds
from controller.floor.queries.overview import Overview
from controller.floor.queries.period import of_days, period_of
from controller.floor.queries.period_figures import PeriodFigures, period_figures
from controller.floor.queries.scope import DAY_MS, Scope, scope_of
from controller.floor.queries.state_times import state_times
from controller.floor.queries.statistics import BY, statistics
from controller.floor.store import schema
from controller.floor.store.house_days import day_of
from controller.floor.store.period_sums import PeriodSums
from controller.messages.models import RoundClosed

CONFIG = FloorConfig(floor="hall", broker=BrokerSection(host="localhost", ca="ca", certificate="crt", key="key"))


@pytest.fixture
def engines(postgres: Postgres, tmp_path: Path) -> Iterator[list[Engine]]:
    """Two stores with the same content."""
    made = [empty(tmp_path), create_engine(postgres.fresh())]
    schema.metadata.create_all(made[1])
    for engine in made:
        fill(engine, tables=8, rounds=90)
        sum_up(engine)
        dealers(engine)
        dealers(engine, NOW_MS - 40 * DAY_MS)
        refused = {"table": "", "reason": "topic", "count": 4, "last": utc(NOW_MS)}
        insert(engine, {"refused_count": [refused], "alerts": [an_alert("sic-bo-1", "the panel is dark")]})
    yield made
    for engine in made:
        engine.dispose()


def test_both_stores_give_the_same_figures_documents_and_exports(engines: list[Engine]) -> None:
    shown: list[list[object]] = []
    for engine in engines:
        with engine.connect() as connection:
            results: list[object] = [Overview(CONFIG).make(connection, NOW_MS)]
            results += [statistics(connection, scope_of({}, NOW_MS), by) for by in BY]
            results += [details.table_document(connection, name, NOW_MS) for name in ("roulette-2", "nobody")]
            results += [details.wheels_document(connection, CONFIG)]
            results += [details.wheel_document(connection, CONFIG, "S/roulette-1")]
        shown.append(results)
    assert len(shown[0]) == len(shown[1])
    for sqlite, postgres in zip(*shown, strict=True):
        assert sqlite == postgres
    assert shown[0][0]["totals"]["rounds"] == 8 * 60  # type: ignore[index]


def test_both_stores_give_the_same_statistics_of_days_months_and_years(engines: list[Engine]) -> None:
    shown: list[list[object]] = []
    today = day_of(NOW_MS)
    for engine in engines:
        results: list[object] = []
        with engine.connect() as connection:
            for back in (0, 6, 40, 100, 400):
                period = of_days(Scope("", ""), today - timedelta(days=back), today + timedelta(days=1), NOW_MS)
                results += [period_figures(connection, period, by) for by in BY]
                results += [period_figures(connection, period, "table", "SIC"), rounds_by_hour(connection, period)]
                results += [state_times(connection, period)]
                spins = dealer_spins(connection, period.days)
                results += [rows(spins), findings(spins, 10_000)]
            hours = period_of({"hours": "2"}, NOW_MS).scope
            for which in (RoundFilter(), RoundFilter("sensor"), RoundFilter("any", "result", before=200)):
                listed, further = listed_rounds(connection, hours, which)
                results.append(([{**one, "id": 0} for one in listed], bool(further)))
        shown.append(results)
    for sqlite, postgres in zip(*shown, strict=True):
        assert sqlite == postgres
    figures = shown[0][0]
    assert isinstance(figures, PeriodFigures)
    assert figures.rounds == 8 * 90


def test_two_processes_that_add_to_the_same_sums_lose_nothing(postgres: Postgres) -> None:
    """As workers on one store do, each with rounds of other tables of the same game, dealer and day."""
    url = postgres.fresh()
    engine = create_engine(url)
    schema.metadata.create_all(engine)
    sum_up(engine)

    def work(table: str) -> None:
        own, days = create_engine(url), PeriodSums()
        for number in range(1, 41):
            with own.begin() as db:
                row = a_round(table, number, NOW_MS, dealer="100")
                days.count(db, RoundClosed.model_construct(**row))
                days.write(db)
        own.dispose()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, ("one", "two", "three", "four")))
    with engine.connect() as connection:
        sums = schema.period_sums.c
        query = select(sums.kind, sums.name, sums.rounds).where(sums.period == "2026")
        found = {(kind, name): rounds for kind, name, rounds in connection.execute(query)}
    engine.dispose()
    assert found["game", "dreamcatcher"] == found["dealer", "100"] == 160
    assert {found["table", name] for name in ("one", "two", "three", "four")} == {40}
