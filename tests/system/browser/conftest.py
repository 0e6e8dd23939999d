"""One browser for all tests of a run; benches and tabs for each test.

Selenium is loaded only where a browser is asked for: pytest reads this file whichever tests it looks for.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from chromium import Size
    from pages import BenchPage, Page
    from selenium.webdriver import Chrome
    from served import ServedBench

Serve = Callable[..., "ServedBench"]
OpenBench = Callable[..., "BenchPage"]
Open = Callable[..., "Page"]


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Chrome]":
    import chromium

    chrome = chromium.start(tmp_path_factory.mktemp("profile"))
    yield chrome
    chrome.quit()


@pytest.fixture
def bench() -> Iterator[Serve]:
    """Starts the bench of a game, and ends it."""
    from served import ServedBench

    served: list[ServedBench] = []

    def serve(game: str, port: int = 0) -> ServedBench:
        served.append(ServedBench(game, port))
        return served[-1]

    yield serve
    codes = [one.close() for one in served]
    assert not any(codes), "SIGTERM is how a bench is ended"


@pytest.fixture
def tabs(browser: "Chrome", bench: Serve) -> "Iterator[Chrome]":
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
def open_bench(tabs: "Chrome") -> OpenBench:
    """Opens a bench's page, at the size of a large screen if none is given."""
    from chromium import SIZES
    from pages import BenchPage

    def show(bench: "ServedBench", size: "Size" = SIZES[0]) -> BenchPage:
        return BenchPage(tabs, bench.address, size)

    return show


@pytest.fixture
def open_page(tabs: "Chrome") -> Open:
    """Opens another page of a bench, at the size of a large screen if none is given."""
    from chromium import SIZES
    from pages import Page

    def show(bench: "ServedBench", path: str, size: "Size" = SIZES[0]) -> Page:
        return Page(tabs, bench.address, path, size)

    return show
