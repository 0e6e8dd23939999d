"""The screens beside a running table: they follow it over its socket, through its stops and starts."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest
from asgi import asked
from running_session import Runs

from controller.configuration.shipped import load_table, table_path
from controller.runtime.socket import TableSocket, place_of
from controller.screens import service
from controller.screens.service import serve_screens
from controller.screens.streams import Follow
from hal.wall_time import SetBy


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
    left = asyncio.Event()

    async def look() -> None:
        async def receive() -> dict[str, Any]:
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(_: Any) -> None:
            pass

        await Follow(hub.streams["board"])({"type": "http"}, receive, send)  # type: ignore[arg-type]

    looking = table.loop.create_task(look())
    table.until(sign.lit)
    left.set()
    table.until(lambda: looking.done() and not sign.lit())
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
