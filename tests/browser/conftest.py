"""One browser for all tests of a run; benches and tabs for each test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import chromium
import pytest
from pages import BenchPage, Page
from selenium.webdriver import Chrome
from served import ServedBench

Serve = Callable[..., ServedBench]
Open = Callable[..., Page]


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    chrome = chromium.start(tmp_path_factory.mktemp("profile"))
    yield chrome
    chrome.quit()


@pytest.fixture
def bench() -> Iterator[Serve]:
    """Starts the bench of a game, and ends it."""
    served: list[ServedBench] = []

    def serve(game: str, seed: int = 1, journal: Path | None = None, port: int = 0) -> ServedBench:
        served.append(ServedBench(game, seed, journal, port))
        return served[-1]

    yield serve
    for one in served:
        assert one.close() == 0, "SIGTERM is how a bench is ended"


@pytest.fixture
def tabs(browser: Chrome, bench: Serve) -> Iterator[Chrome]:
    """The browser; tabs that a test opens are closed after it, before its benches end."""
    first = browser.current_window_handle
    browser.get_log("browser")  # type: ignore[no-untyped-call]
    yield browser
    for tab in browser.window_handles:
        if tab != first:
            browser.switch_to.window(tab)
            browser.close()
    browser.switch_to.window(first)


@pytest.fixture
def open_bench(tabs: Chrome) -> Callable[..., BenchPage]:
    """Opens a bench's page."""

    def show(bench: ServedBench, size: chromium.Size = chromium.SIZES["screen"]) -> BenchPage:
        return BenchPage(tabs, bench.address, size)

    return show


@pytest.fixture
def open_page(tabs: Chrome) -> Open:
    """Opens another page of a bench."""

    def show(bench: ServedBench, path: str, size: chromium.Size = chromium.SIZES["screen"]) -> Page:
        return Page(tabs, bench.address, path, size)

    return show
