"""The screens follow a table through its stops and starts; each viewer gets the newest picture, a slow one too."""

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from asgi import asked
from contracts.loop import PATIENCE_S
from running_session import Runs

from controller.configuration.shipped import load_table, table_path
from controller.runtime.socket import TableSocket, place_of
from controller.screens import service, streams
from controller.screens.service import serve_screens
from controller.screens.streams import Follow, Hub
from hal.wall_time import SetBy

VIEWS: dict[str, dict[str, Any]] = {
    "table": {"title": "one"},
    "board": {"n": 0},
    "dealer": {"next": ""},
    "clock": {"utc_ahead_ms": 5},
}


class Browser:
    """A client of a stream; a busy one reads nothing."""

    def __init__(self, hub: Hub, name: str = "board") -> None:
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.reads, self.left = asyncio.Event(), asyncio.Event()
        self.reads.set()
        self.ended = False
        self._task = asyncio.create_task(Follow(hub.streams[name])({"type": "http"}, self._receive, self._send))  # type: ignore[arg-type]

    async def _receive(self) -> dict[str, Any]:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        await self.reads.wait()
        if message["type"] == "http.response.start":
            return
        if not message.get("more_body"):
            self.ended = True
            return
        name, data = message["body"].decode().strip().split("\n")
        self.events.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))

    @property
    def numbers(self) -> list[int]:
        return [document["n"] for name, document in self.events if name == "picture"]

    async def gone(self) -> None:
        self.left.set()
        await self._task

    async def until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            await asyncio.sleep(0)


def played(exchange: Callable[[Hub], Awaitable[None]]) -> None:
    async def run() -> None:
        await exchange(Hub(VIEWS))

    asyncio.run(asyncio.wait_for(run(), PATIENCE_S))


async def idle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_a_viewer_gets_the_present_picture_at_once_then_each_change() -> None:
    async def exchange(hub: Hub) -> None:
        hub.take({"board": {"n": 1}})
        board, dealer = Browser(hub), Browser(hub, "dealer")
        await idle()
        assert (board.numbers, "dealer" in board.events[0][1]) == ([1], False)
        shown = dealer.events[0][1]
        assert shown["dealer"] == {"next": ""}
        assert shown["utc_ms"] == shown["clock_ms"] + 5
        for number in (2, 3):
            hub.take({"board": {"n": number}})
            await idle()
        hub.turn({"angle": 0.5})
        await idle()
        assert board.numbers == [1, 2, 3]
        assert board.events[-1] == ("turn", {"angle": 0.5})

    played(exchange)


def test_a_slow_viewer_skips_to_the_newest_picture_and_holds_up_nobody() -> None:
    async def exchange(hub: Hub) -> None:
        slow, quick = Browser(hub), Browser(hub)
        await idle()
        slow.reads.clear()
        for number in range(1, 20):
            hub.take({"board": {"n": number}})
            hub.turn({"angle": number / 20})
            await idle()
        assert quick.numbers[-1] == 19
        slow.reads.set()
        await idle()
        assert slow.numbers[-1] == 19
        assert len(slow.events) <= 3

    played(exchange)


def test_an_unchanged_picture_is_sent_again_and_an_end_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "KEEPALIVE_S", 0.001)

    async def exchange(hub: Hub) -> None:
        told: list[int] = []
        hub.viewers_changed.append(lambda: told.append(hub.showing))
        board, dealer = Browser(hub), Browser(hub, "dealer")
        await board.until(lambda: len(board.numbers) > 3)
        assert (hub.showing, hub.viewers) == (1, 2)
        await board.gone()
        await dealer.gone()
        assert (hub.showing, hub.viewers, told[-1]) == (0, 0, 0)

    played(exchange)


def test_another_description_ends_the_streams_so_that_pages_fetch_it() -> None:
    async def exchange(hub: Hub) -> None:
        board = Browser(hub)
        hub.take({"table": {"title": "one"}})
        await idle()
        assert not board.ended
        hub.take({"table": {"title": "two"}})
        await board.until(lambda: board.ended)
        await board.until(lambda: hub.viewers == 0)

    played(exchange)


# -- beside a table ------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(service, "RETRY_S", 0.01)
    return tmp_path / "table.journal"


def test_the_pages_follow_a_table_that_starts_and_stops(
    file: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sign is lit while a board is open, and the record is that of the table."""
    made: list[service.Pages] = []
    original = service.Pages
    monkeypatch.setattr(service, "Pages", lambda *given: made.append(original(*given)) or made[-1])
    caplog.set_level("INFO")
    table = Runs(file, lambda: caplog.text, "dreamcatcher", SetBy.NETWORK, serve=False)
    serving = table.loop.create_task(serve_screens(table.loaded, place_of("", file), file, 0))
    table.until(lambda: "the table does not answer" in caplog.text)
    hub = made[0].hub
    assert "the table does not run" in hub.views["dealer"]["task"]["act"]
    table.start(TableSocket(place_of("", file), file, table.views))
    table.until(lambda: hub.views["board"]["state"] == "locating")
    sign = table.views.table.sign  # type: ignore[union-attr]
    assert not sign.lit()
    board: Any = table.run(lambda: Browser(hub))
    table.until(sign.lit)
    board.left.set()
    table.until(lambda: hub.viewers == 0 and not sign.lit())
    answer = table.loop.run_until_complete(asked(made[0].application, "/rounds.json"))
    assert answer.document["rounds"][0]["round"] == 1
    table.end()
    table.until(lambda: "the table does not run" in hub.views["dealer"]["task"]["act"])
    serving.cancel()
    table.loop.run_until_complete(asyncio.wait({serving}))
    table.close()


def test_the_screens_end_once_the_tables_file_is_another(file: Path, tmp_path: Path) -> None:
    """Their service starts them again with it."""
    own = shutil.copyfile(table_path("sic-bo"), tmp_path / "table.yaml")
    loaded = load_table(own)

    async def run() -> None:
        serving = asyncio.create_task(serve_screens(loaded, place_of("", file), file, 0))
        await asyncio.sleep(0)
        own.write_text(own.read_text() + "\n")
        await serving

    asyncio.run(run())
