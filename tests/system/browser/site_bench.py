"""The bench as a folder of files on a plain web server, in a browser that reaches nothing else."""

import gzip
import re
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from chromium import SIZES, resize
from chromium import start as start_browser
from conftest import OpenBench, Serve
from pages import BenchPage
from project import ROOT
from rounds import ROUNDS

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

FOLDER = ROOT / "build/site/bench"
PLACE = "somewhere/below"
"""A static site may have the folder at any path."""
MOST_BYTES = 12_000_000
LOADS_S = 300.0
NOTHING_ELSE = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
_PACKED = (".zip",)
"""What a server sends as it is; anything else it compresses."""
SEED = 7
SHOWN = ("headline", "result", "wins", "next", "state", "lamps")
"""Texts of the page that depend on no time."""


class StaticSite:
    """``http.server`` in a thread, which notes the bytes of each file that it hands out, compressed."""

    def __init__(self, folder: Path) -> None:
        self.sent: dict[str, int] = {}
        handler = partial(_Handler, self.sent, directory=str(folder))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}/{PLACE}"
        self._thread = threading.Thread(target=self._server.serve_forever, name="static-site", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, sent: dict[str, int], *args: Any, directory: str) -> None:
        self._sent = sent
        super().__init__(*args, directory=directory)

    def send_head(self) -> Any:
        file = Path(self.translate_path(self.path))
        if file.is_file():
            data = file.read_bytes()
            self._sent[self.path] = len(data if file.suffix in _PACKED else gzip.compress(data, 9))
        return super().send_head()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class TriedPage(BenchPage):
    """The bench's page within the folder's, which runs the table."""

    def __init__(self, browser: "Chrome", address: str, game: str) -> None:
        self.browser, self.path = browser, "/bench"
        browser.switch_to.new_window("tab")
        self._tab = browser.current_window_handle
        resize(browser, SIZES["screen"])
        browser.get(f"{address}/index.html#{game}?seed={SEED}")
        self.enter()

    def enter(self) -> None:
        """Wait until the table runs, and go on in the frame of its pages."""
        self.browser.switch_to.default_content()
        shown = "return !document.querySelector('iframe').hidden"
        self.wait(lambda: bool(self.browser.execute_script(shown)), "the table", LOADS_S)
        self.browser.switch_to.frame(self.browser.find_element("css selector", "iframe"))
        self.wait(lambda: self.data("state") != "", "the first picture", LOADS_S)

    def show(self) -> "TriedPage":
        if self.browser.current_window_handle != self._tab:
            self.browser.switch_to.window(self._tab)
            self.browser.switch_to.frame(self.browser.find_element("css selector", "iframe"))
        return self


Try = Callable[[str], TriedPage]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StaticSite]:
    assert (FOLDER / "index.html").exists(), "make site-bench builds the folder"
    root = tmp_path_factory.mktemp("site")
    (root / PLACE).parent.mkdir(parents=True)
    (root / PLACE).symlink_to(FOLDER)
    served = StaticSite(root)
    yield served
    served.close()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Chrome]":
    """A browser that finds no other host."""
    chrome = start_browser(tmp_path_factory.mktemp("profile"), (NOTHING_ELSE,))
    yield chrome
    chrome.quit()


@pytest.fixture
def attempt(tabs: "Chrome", site: StaticSite) -> Try:
    return partial(TriedPage, tabs, site.address)


def _round(page: BenchPage, bench: Any, game: str) -> list[tuple[str, ...]]:
    """What the page shows in each state of a round."""
    seen = []
    for state in ROUNDS[game](page, bench):
        page.wait(lambda state=state: page.data("state") == state, state)  # type: ignore[misc]
        seen.append((state, *(re.sub(r"\d+:\d\d(:\d\d)?", "TIME", page.role(name)) for name in SHOWN)))
    return seen


@pytest.mark.parametrize("game", ["dreamcatcher", "sic-bo"])
def test_a_round_in_the_folder_shows_what_the_servers_bench_shows(
    game: str, attempt: Try, bench: Serve, open_bench: OpenBench
) -> None:
    here = attempt(game)
    tried = _round(here, None, game)
    assert here.errors() == []
    served = bench(game, seed=SEED)
    page = open_bench(served)
    assert tried == _round(page, served, game)


def test_the_first_throw_of_a_seed_comes_to_rest_in_the_same_place(
    attempt: Try, bench: Serve, open_bench: OpenBench
) -> None:
    served = bench("dreamcatcher", seed=SEED)
    rests = [_rests(page) for page in (attempt("dreamcatcher"), open_bench(served))]
    assert rests[0] == rests[1]


def _rests(page: BenchPage) -> str:
    """How the log describes the rest of a hard throw."""
    page.wait_for("locating")
    page.key("t")
    page.wait(lambda: "hard throw" in page.log(), "the throw")
    page.wait_for("bets-open")
    return "\n".join(re.sub(r"^[\d.]+ ", "", line) for line in page.log().splitlines())


def test_the_other_pages_are_there_too(attempt: Try) -> None:
    page = attempt("sic-bo")
    for link, address, words in (("dealer", "dealer", "floorperson"), ("board", "", "TABLE IS CLOSED")):
        page.browser.find_element("link text", link).click()
        page.wait(lambda end=f"/{address}": page.script("return location.pathname").endswith(end), link)  # type: ignore[misc]
        page.wait_for_words(words)
        page.browser.back()
        page.enter()
    page.browser.find_element("link text", "rounds").click()
    page.wait_for_words("not settled")
    assert page.errors() == []


def test_how_long_it_takes_to_the_first_throw_from_the_cache(attempt: Try) -> None:
    attempt("dreamcatcher")
    began = time.monotonic()
    page = attempt("dreamcatcher")
    shown = time.monotonic()
    page.key("t")
    page.wait(lambda: "hard throw" in page.log(), "the throw")
    thrown = time.monotonic()
    print(f"shown after {shown - began:.1f} s, thrown after {thrown - began:.1f} s")


def test_what_the_browser_takes_is_within_the_limit_and_of_this_folder(attempt: Try, site: StaticSite) -> None:
    attempt("sic-bo")
    assert f"/{PLACE}/packages.zip" in site.sent
    assert all(path.startswith(f"/{PLACE}/") for path in site.sent), sorted(site.sent)
    total = sum(site.sent.values())
    print(f"{total / 1e6:.2f} MB on the wire")
    assert total <= MOST_BYTES, site.sent
