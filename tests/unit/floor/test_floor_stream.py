"""The floor's overview as a stream, and the assets of its pages."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from contracts.loop import PATIENCE_S
from floor_pages import HOST, LINK, Floor, filled, run
from sqlalchemy import Engine, create_engine
from stored_floor import a_table, an_alert, insert

from controller.floor.pages import live
from controller.web.http import Follow, Request


@pytest.fixture
def engine(engine: Engine) -> Engine:
    return filled(engine)


# -- the overview's stream -----------------------------------------------------------------------------------------


class Viewer:
    """A viewer of the stream."""

    backlog = 0

    def __init__(self) -> None:
        self.pictures: list[dict[str, Any]] = []

    def send(self, data: bytes) -> None:
        self.pictures.append(json.loads(data.decode().partition("data: ")[2].partition("\n")[0]))

    def drop(self) -> None:
        pass


def open_stream(floor: Floor) -> Viewer:
    viewer = Viewer()
    answer = floor.pages.site(Request("GET", "/floor.events", headers=HOST))
    assert isinstance(answer, Follow)
    answer.on_join(viewer)
    return viewer


async def pass_(floor: Floor, ns: int) -> None:
    """Time passes, and the store's queries finish meanwhile."""
    floor.clock.advance_to(floor.clock.now_ns() + ns)
    async with asyncio.timeout(PATIENCE_S):
        while floor.pages.live.reading:
            await asyncio.sleep(0)
            await asyncio.sleep(0.001)
    floor.clock.advance_to(floor.clock.now_ns() + 50_000_000)


def test_a_viewer_gets_the_overview_at_once_and_changes_within_a_second(engine: Engine) -> None:
    async def exchange(floor: Floor) -> None:
        viewer = open_stream(floor)
        assert viewer.pictures[-1]["tables"] is None, "the store has not been read yet"
        await pass_(floor, 1)
        picture = viewer.pictures[-1]
        assert len(picture["tables"]) == 4
        assert picture["link"] == LINK
        insert(engine, {"tables": [a_table("new")], "alerts": [an_alert("new", "attention")]})
        floor.pages.changed()
        await pass_(floor, live.APART_NS)
        assert viewer.pictures[-1]["tables"][0]["table"] == "new"
        assert "attention" in [one["text"] for one in viewer.pictures[-1]["alerts"]]

    run(engine, exchange)


def test_an_unavailable_store_is_shown_and_the_pages_keep_working(engine: Engine, tmp_path: Path) -> None:
    away = create_engine(f"sqlite:///{tmp_path}/none.db")  # It has no tables.

    async def exchange(floor: Floor) -> None:
        viewer = open_stream(floor)
        await pass_(floor, 1)
        assert "cannot be read" in viewer.pictures[-1]["store"]
        for path in ("/tables/roulette-1.json", "/wheels.json", "/statistics.json", "/export/rounds.csv"):
            answer = await floor.get(path)
            assert answer.status == 503
            assert "cannot be read" in json.loads(answer.body)["error"]
        assert (await floor.get("/")).status == 200
        assert "cannot be read" in (await floor.document("/floor.json"))["store"]
        # It is available again.
        from controller.floor.store import schema

        schema.metadata.create_all(away)
        insert(away, {"tables": [a_table("back")]})
        await pass_(floor, live.APART_NS)
        await pass_(floor, live.APART_NS)
        assert viewer.pictures[-1]["store"] == ""
        assert [one["table"] for one in viewer.pictures[-1]["tables"]] == ["back"]

    try:
        run(away, exchange)
    finally:
        away.dispose()
