"""The floor's pages in Chromium: they keep to their own policy, everything fits, and the first one stays fresh."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from chromium import SIZES, resize
from contracts.floor_figures import PAGES
from filled_floor import create, fill
from floor_browser import Browser
from sqlalchemy import Engine, create_engine, update

from controller.floor import schema

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = create_engine(f"sqlite:///{tmp_path}/floor.db")
    create(made)
    fill(made, 12, 26)
    yield made
    made.dispose()


@pytest.fixture
def address(engine: Engine) -> Iterator[str]:
    """Of the pages, which a thread serves."""
    listener, loop = socket.create_server(("127.0.0.1", 0)), asyncio.new_event_loop()
    serving = loop.create_task(Browser(engine).pages.serve_on(listener))
    thread = threading.Thread(target=loop.run_until_complete, args=(asyncio.wait([serving]),))
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    loop.call_soon_threadsafe(serving.cancel)
    thread.join()
    loop.close()


def test_each_page_fits_and_breaks_none_of_its_own_rules(tabs: "Chrome", address: str) -> None:
    for size in (SIZES[0], (420, 900)):
        resize(tabs, size)
        for path in PAGES:
            tabs.get(address + path)
            assert tabs.get_log("browser") == [], path  # type: ignore[no-untyped-call]
            wide = tabs.execute_script("return document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, (path, size)
            for chart in tabs.find_elements("css selector", "svg.pygal-chart"):
                assert chart.rect["height"] > 100, path


def test_the_first_page_shows_what_is_new_without_being_loaded_again(
    tabs: "Chrome", address: str, engine: Engine
) -> None:
    tabs.get(address)
    tabs.execute_script("window.stays = 1")
    assert "locked" not in tabs.find_element("tag name", "main").text
    with engine.begin() as db:
        db.execute(update(schema.tables).values(state="locked"))
    tabs.set_script_timeout(60)
    tabs.execute_async_script(
        "const done = arguments[0]; new MutationObserver(() => done()).observe(document.body, {childList: true})"
    )
    assert "locked" in tabs.find_element("tag name", "main").text
    assert tabs.execute_script("return window.stays") == 1
