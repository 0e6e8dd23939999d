"""The documents and charts of the statistics' pages, over HTTP."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from floor_pages import Floor, filled, run
from sqlalchemy import Engine
from stored_floor import MINUTE_MS, NOW_MS, a_round, dealers, empty, insert, sum_up, utc

from controller.floor.queries.scope import DAY_MS
from controller.floor.store.house_days import day_of
from controller.floor.store.retention import KEPT_FROM

TODAY = day_of(NOW_MS)
WEEK = {"first": (TODAY - timedelta(6)).isoformat(), "last": TODAY.isoformat()}
PARTS = ("hours", "voids", "states", "dealers", "rounds")
PICTURES = ("hours", "voids", "phases", "directions")


@pytest.fixture
def engine(engine: Engine) -> Engine:
    filled(engine)
    sum_up(engine)
    dealers(engine)
    return engine


@pytest.mark.parametrize(
    "query", [WEEK, {"hours": "8"}, {"period": "last-year"}, {"hours": "8", "table": "sic-bo-1"}]
)
def test_every_part_and_picture_answers_for_every_period(engine: Engine, query: dict[str, str]) -> None:
    async def exchange(floor: Floor) -> None:
        for part in PARTS:
            assert isinstance(await floor.document(f"/statistics/{part}.json", **query), dict)
        for picture in PICTURES:
            answer = await floor.get(f"/statistics/{picture}.svg", at="7", **query)
            assert (answer.status, answer.kind) == (200, "image/svg+xml")
        for part in ("hours", "colours"):
            assert (await floor.get(f"/statistics/{part}", **query)).status == 404
        assert (await floor.get("/statistics/hours.json", colour="red", **query)).status == 400

    run(engine, exchange)


def test_each_figure_leads_to_the_rounds_that_it_is_made_of(engine: Engine) -> None:
    async def exchange(floor: Floor) -> None:
        for query in (WEEK, {"hours": "8"}):
            found = await floor.document("/statistics.json", by="table", **query)
            times = {"from": found["period"]["since"], "to": found["period"]["until"]}
            for one in found["figures"]:
                of = {**times, "table": one["name"]}
                listed = await floor.document("/statistics/rounds.json", **of)
                assert len(listed["rounds"]) == one["rounds"]
                assert [row["closed_ms"] for row in listed["rounds"]] == sorted(
                    (row["closed_ms"] for row in listed["rounds"]), reverse=True
                )
                for reason, count in one["voids"].items():
                    void = await floor.document("/statistics/rounds.json", reason=reason, **of)
                    assert sum(row["voids"].count(reason) for row in void["rounds"]) == count
                corrected = await floor.document("/statistics/rounds.json", corrected="yes", **of)
                assert sum(row["corrections"] for row in corrected["rounds"]) == one["corrections"]
                void = await floor.document("/statistics/rounds.json", reason="any", **of)
                assert all(row["voids"] for row in void["rounds"])
                spun = await floor.document("/statistics/rounds.json", state="spinning", **of)
                assert len(spun["rounds"]) == one["rounds"]
                assert (await floor.document("/statistics/rounds.json", state="spin", **of))["rounds"] == []

    run(engine, exchange)


def test_long_lists_of_rounds_go_on_from_page_to_page(engine: Engine) -> None:
    same = [a_round("many", number, NOW_MS - MINUTE_MS) for number in range(1, 251)]
    insert(engine, {"rounds": same})

    async def exchange(floor: Floor) -> None:
        seen: list[int] = []
        before = "0"
        while True:
            found = await floor.document("/statistics/rounds.json", table="many", hours="1", before=before)
            seen += [row["number"] for row in found["rounds"]]
            before = str(found["further"])
            if before == "0":
                break
        assert sorted(seen) == list(range(1, 251))
        for wrong in ({"before": "x"}, {"corrected": "no"}):
            assert (await floor.get("/statistics/rounds.json", **wrong)).status == 400

    run(engine, exchange)


def test_figures_of_deleted_rounds_stay_and_the_list_says_that_they_are_gone(engine: Engine) -> None:
    kept = utc(NOW_MS - DAY_MS)
    with engine.begin() as db:
        db.exec_driver_sql("DELETE FROM rounds")
    insert(engine, {"about": [{"key": KEPT_FROM, "value": kept}]})

    async def exchange(floor: Floor) -> None:
        found = await floor.document("/statistics.json", by="table", **WEEK)
        assert (found["rounds"], found["kept_from"]) == (120, kept)
        listed = await floor.document("/statistics/rounds.json", **WEEK)
        assert (listed["rounds"], listed["gone"], listed["kept_from"]) == ([], True, kept)
        assert not (await floor.document("/statistics/rounds.json", hours="2"))["gone"]

    run(engine, exchange)


def test_an_empty_floor_has_documents_and_pictures_without_numbers(tmp_path: Path) -> None:
    engine = empty(tmp_path)
    sum_up(engine)

    async def exchange(floor: Floor) -> None:
        for query in (WEEK, {"hours": "1"}):
            found = await floor.document("/statistics.json", against="before", **query)
            assert (found["figures"], found["before"], found["names"], found["rounds"]) == ([], [], 0, 0)
            for part in PARTS:
                json.dumps(await floor.document(f"/statistics/{part}.json", **query))
            for picture in PICTURES:
                assert b"nothing to show" in (await floor.get(f"/statistics/{picture}.svg", **query)).body

    run(engine, exchange)
    engine.dispose()
