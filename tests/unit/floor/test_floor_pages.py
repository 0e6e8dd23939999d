"""The floor's pages over HTTP: their addresses, and a store that is slow or unavailable."""

import json

import pytest
from floor_pages import AWKWARD, Floor, filled, run
from sqlalchemy import Engine

from controller.web.routes import GUARDS


@pytest.fixture
def engine(engine: Engine) -> Engine:
    return filled(engine)


PAGES = ("/", "/wheels", "/statistics", "/tables/roulette-1", f"/wheels/{AWKWARD}")
DOCUMENTS = (
    "/floor.json",
    "/wheels.json",
    "/statistics.json",
    "/houses.json",
    "/tables/roulette-1.json",
    f"/wheels/{AWKWARD}.json",
)
PICTURES = (
    *("/tables/roulette-1/hours.svg", "/tables/roulette-1/phases.svg", f"/wheels/{AWKWARD}/rose.svg"),
    "/statistics/phases.svg",
)
FILES = ("/export/rounds.csv", "/export/spins.csv", "/export/alerts.csv", "/statistics.csv")


def test_every_page_document_picture_and_export_has_its_address_and_security_headers(engine: Engine) -> None:
    async def exchange(floor: Floor) -> None:
        for kinds, paths in {
            "text/html": PAGES,
            "application/json": (*DOCUMENTS, "/table.json"),
            "image/svg+xml": PICTURES,
            "text/csv": FILES,
        }.items():
            for path in paths:
                answer = await floor.get(path)
                assert answer.status == 200, path
                assert answer.kind.startswith(kinds), path
                assert set(GUARDS) <= set(answer.headers), path

    run(engine, exchange)


def test_a_missing_page_is_404_with_one_sentence_and_escapes_the_request(engine: Engine) -> None:
    async def exchange(floor: Floor) -> None:
        for path in (
            "/tables/nobody",
            "/wheels/<b>none</b>",
            "/tables/",
            "/wheels/",
            "/wheelsX",
            "/tables/a/b/c",
        ):
            answer = await floor.get(path)
            assert answer.status == 404, path
            assert answer.kind.startswith("text/html")
            assert b"<b>" not in answer.body
            assert set(GUARDS) <= set(answer.headers)
        assert "no table called &#x27;nobody&#x27;" in (await floor.get("/tables/nobody")).body.decode()
        for path in ("/tables/nobody/hours.svg", "/tables/nobody/phases.svg", "/wheels/none/rose.svg"):
            assert (await floor.get(path)).status == 404, path
        for path in ("/tables/nobody.json", "/wheels/none.json", "/statistics/x", "/export/rounds.xml", "/export/"):
            answer = await floor.get(path)
            assert answer.status == 404, path
            assert json.loads(answer.body)["error"]
        assert (await floor.get("/nothing")).status == 404

    run(engine, exchange)


def test_the_floor_answers_only_to_its_own_host_names(engine: Engine) -> None:
    async def exchange(floor: Floor) -> None:
        assert (await floor.get("/", {"host": "floor.example"})).status == 200
        for path in ("/", "/floor.json", "/export/rounds.csv"):
            assert (await floor.get(path, {"host": "evil.example"})).status == 421

    run(engine, exchange)


def test_an_invalid_address_is_refused_and_says_what_is_wrong(engine: Engine) -> None:
    async def exchange(floor: Floor) -> None:
        for path in ("/statistics.json", "/statistics.csv"):
            answer = await floor.get(path, by="colour")
            assert answer.status == 400
            assert "'by'" in json.loads(answer.body)["error"]
        for path in (*FILES, "/statistics.json"):
            assert "'tabel'" in json.loads((await floor.get(path, tabel="x")).body)["error"]
        assert (await floor.get("/export/rounds.csv", by="table")).status == 400
        for hours in ("0", "-1", "x", "9" * 30, "1.5"):
            assert "'hours'" in json.loads((await floor.get("/statistics.json", hours=hours)).body)["error"]

    run(engine, exchange)
