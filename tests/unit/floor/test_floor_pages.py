"""The floor's pages over HTTP: who gets what, and that the store may be slow or away."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from contracts.loop import PATIENCE_S
from floor_pages import Floor, run
from sqlalchemy import Engine
from stored_floor import NOW_MS, empty, fill, insert, utc

from controller.web.routes import GUARDS

HOST = {"host": "127.0.0.1:8080"}
AWKWARD = "A/7 #1?<b>&%2F.json"
LINK = {"connected": True, "since_utc_ms": NOW_MS, "detail": "", "messages": 3}


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = empty(tmp_path)
    fill(made, tables=4, rounds=30)
    wheel = {"wheel": AWKWARD, "game": "roulette", "of": 3, "labels": [], "spins": 1, "evidence": 0.5}
    more = {"highest": 2.0, "suspicion": "", "alarmed": None}
    insert(made, {"wheels": [wheel | more]})
    yield made
    made.dispose()


PAGES = ("/", "/wheels", "/statistics", "/tables/roulette-1", f"/wheels/{AWKWARD}")
DOCUMENTS = (
    "/floor.json",
    "/wheels.json",
    "/statistics.json",
    "/tables/roulette-1.json",
    f"/wheels/{AWKWARD}.json",
)
PICTURES = (
    *("/tables/roulette-1/hours.svg", "/tables/roulette-1/phases.svg", f"/wheels/{AWKWARD}/rose.svg"),
    "/statistics/phases.svg",
)
FILES = ("/export/rounds.csv", "/export/rounds.json", "/export/statistics.csv", "/export/statistics.json")


def test_every_page_document_picture_and_export_has_its_address_and_the_guards(engine: Engine) -> None:
    async def talk(floor: Floor) -> None:
        for kinds, paths in {
            "text/html": PAGES,
            "application/json": (*DOCUMENTS, "/table.json"),
            "image/svg+xml": PICTURES,
            "text/": FILES[::2],
            "application/": FILES[1::2],
        }.items():
            for path in paths:
                answer = await floor.get(path)
                assert answer.status == 200, path
                assert answer.kind.startswith(kinds), path
                assert set(GUARDS) <= set(answer.headers), path

    run(engine, talk)


def test_what_is_not_there_is_not_found_with_a_sentence_and_no_markup_of_anybody_elses(engine: Engine) -> None:
    async def talk(floor: Floor) -> None:
        for path in ("/tables/nobody", "/wheels/<b>none</b>", "/tables/", "/wheels/", "/wheelsX", "/tables/a/b/c"):
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

    run(engine, talk)


def test_the_floor_answers_to_its_own_names_only(engine: Engine) -> None:
    async def talk(floor: Floor) -> None:
        assert (await floor.get("/", {"host": "floor.example"})).status == 200
        for path in ("/", "/floor.json", "/export/rounds.csv"):
            assert (await floor.get(path, {"host": "evil.example"})).status == 421

    run(engine, talk)


def test_an_address_that_cannot_be_meant_is_refused_and_says_what_is_wrong(engine: Engine) -> None:
    async def talk(floor: Floor) -> None:
        for path in ("/statistics.json", "/export/statistics.csv"):
            answer = await floor.get(path, by="colour")
            assert answer.status == 400
            assert "'by'" in json.loads(answer.body)["error"]
        for path in (*FILES, "/statistics.json"):
            assert "'tabel'" in json.loads((await floor.get(path, tabel="x")).body)["error"]
        assert (await floor.get("/export/rounds.csv", by="table")).status == 400
        for hours in ("0", "-1", "x", "9" * 30, "1.5"):
            assert "'hours'" in json.loads((await floor.get("/statistics.json", hours=hours)).body)["error"]

    run(engine, talk)


def test_statistics_cover_what_was_asked_for(engine: Engine) -> None:
    async def talk(floor: Floor) -> None:
        found = await floor.document("/statistics.json", by="game", hours="1")
        assert (found["from"], found["to"]) == (utc(NOW_MS - 3_600_000), utc(NOW_MS))
        assert [one["name"] for one in found["figures"]] == ["casino-war", "dreamcatcher", "roulette", "sic-bo"]
        assert [one["rounds"] for one in found["figures"]] == [30] * 4

    run(engine, talk)


def test_names_of_tables_and_wheels_are_told_apart_from_addresses(engine: Engine) -> None:
    async def talk(floor: Floor) -> None:
        assert (await floor.document(f"/wheels/{AWKWARD}.json"))["wheel"] == AWKWARD
        assert AWKWARD in [one["wheel"] for one in (await floor.document("/wheels.json"))["wheels"]]

    run(engine, talk)


def test_percent_encoded_names_arrive_over_the_network(engine: Engine) -> None:
    async def talk(floor: Floor) -> None:
        port = await floor.pages.open("127.0.0.1", 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        target = f"/wheels/{quote(AWKWARD, safe='')}.json"
        writer.write(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["wheel"] == AWKWARD

    run(engine, talk)


def test_an_address_that_is_taken_is_tried_again_and_the_floor_goes_on(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("controller.floor.pages.server.RETRY_S", 0.01)

    async def talk(floor: Floor) -> None:
        other = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
        port = other.sockets[0].getsockname()[1]
        await floor.pages.keep_open("127.0.0.1", port)
        assert "see screens:" in caplog.text
        other.close()
        await other.wait_closed()
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                except OSError:
                    await asyncio.sleep(0.01)
                else:
                    break
        writer.close()
        await writer.wait_closed()

    run(engine, talk)
