"""The floor's pages over HTTP: their addresses, and a store that is slow or unavailable."""

import asyncio
import json
import re
from urllib.parse import quote

import pytest
from contracts.loop import PATIENCE_S
from floor_pages import AWKWARD, Floor, filled, run
from project import ROOT
from sqlalchemy import Engine
from stored_floor import NOW_MS, utc

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


@pytest.mark.parametrize(
    "at", ["0001-01-01", "0001-01-02", "0002-01-01", "0999-12-31T23:00Z", "9999-12-30", "9999-12-31"]
)
def test_any_date_is_answered_or_refused_with_a_sentence(engine: Engine, at: str) -> None:
    async def exchange(floor: Floor) -> None:
        for path in (*FILES, "/statistics.json", "/statistics/phases.svg"):
            for query in ({"from": at}, {"to": at}, {"from": at, "to": "9999-12-30"}):
                answer = await floor.get(path, **query)
                assert answer.status == 200 or "error" in json.loads(answer.body), (path, query, answer.status)
                assert answer.status in (200, 400), (path, query)

    run(engine, exchange)


def test_statistics_cover_what_was_requested(engine: Engine) -> None:
    async def exchange(floor: Floor) -> None:
        found = await floor.document("/statistics.json", by="game", hours="1")
        period = found["period"]
        assert (period["since"], period["until"], period["whole"]) == (utc(NOW_MS - 3_600_000), utc(NOW_MS), "")
        assert sorted(one["name"] for one in found["figures"]) == [
            "casino-war",
            "dreamcatcher",
            "roulette",
            "sic-bo",
        ]
        assert [one["rounds"] for one in found["figures"]] == [30] * 4

    run(engine, exchange)


def test_names_of_tables_and_wheels_are_not_mistaken_for_paths(engine: Engine) -> None:
    async def exchange(floor: Floor) -> None:
        assert (await floor.document(f"/wheels/{AWKWARD}.json"))["wheel"] == AWKWARD
        assert AWKWARD in [one["wheel"] for one in (await floor.document("/wheels.json"))["wheels"]]

    run(engine, exchange)


def test_percent_encoded_names_arrive_over_the_network(engine: Engine) -> None:
    async def exchange(floor: Floor) -> None:
        port = await floor.pages.open("127.0.0.1", 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        target = f"/wheels/{quote(AWKWARD, safe='')}.json"
        writer.write(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["wheel"] == AWKWARD

    run(engine, exchange)


def test_a_port_in_use_is_tried_again_while_the_floor_runs(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("controller.web.opening.RETRY_S", 0.01)

    async def exchange(floor: Floor) -> None:
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

    run(engine, exchange)


def test_every_page_leads_to_the_same_pages() -> None:
    """A page that is added must not be missing in another one's navigation."""
    folder = ROOT / "controller/floor/pages/assets"
    leads = {
        file.name: re.findall(r'<a href="([^"]+)"', nav)
        for file in folder.glob("*.html")
        for nav in re.findall(r"<nav[^>]*>(.*?)</nav>", file.read_text(encoding="utf-8"))
    }
    assert len(leads) > 5
    # The access page is for those who administer: a script adds it for them.
    assert {tuple(one for one in links if one != "/access") for links in leads.values()} == {
        ("/", "/wheels", "/statistics", "/houses")
    }
