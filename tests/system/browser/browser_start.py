"""Pages that are opened while a table cannot start: a damaged journal, a disk that is full."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pages import Page

from controller.configuration.shipped import load_table, shipped_tables
from controller.screens.rounds import Rounds
from controller.screens.server import ScreenServer
from hal.clock import LoopClock

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

WHY = "the journal is damaged: entry 7 does not fit"


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """A loop that runs in a thread of its own."""
    made = asyncio.new_event_loop()
    thread = threading.Thread(target=made.run_forever, name="waiting-table", daemon=True)
    thread.start()
    yield made
    made.call_soon_threadsafe(made.stop)
    thread.join(10)
    made.close()


@pytest.fixture(params=sorted(shipped_tables()))
def address(request: pytest.FixtureRequest, loop: asyncio.AbstractEventLoop, tmp_path: Path) -> Iterator[str]:
    """A table that waits."""

    async def served() -> tuple[ScreenServer, int]:
        file = shipped_tables()[request.param]
        screens = ScreenServer(load_table(file), LoopClock(), Rounds(file, tmp_path / "journal"))
        screens.closed(WHY)
        return screens, await screens.open("127.0.0.1", 0)

    async def closed() -> None:
        screens.close()
        await asyncio.sleep(0)

    screens, port = asyncio.run_coroutine_threadsafe(served(), loop).result(30)
    yield f"http://127.0.0.1:{port}"
    asyncio.run_coroutine_threadsafe(closed(), loop).result(10)


def test_the_board_says_that_the_table_is_closed_and_the_dealers_screen_why(tabs: "Chrome", address: str) -> None:
    board, dealer = Page(tabs, address, "/"), Page(tabs, address, "/dealer")
    assert WHY in dealer.show().role("next").lower()
    assert dealer.errors() == []
    assert board.show().role("headline") == "TABLE IS CLOSED"
    assert board.areas(), "the layout is drawn"
    assert board.errors() == []
