"""A week of the board in Chromium, in minutes: the page keeps nothing of the rounds that are over.

The board gets the documents of a table that plays, as fast as it draws them; the heap is measured after garbage
collection, early and late, and so are the nodes and the listeners of the page.
"""

import json

import pytest
from conftest import Open, OpenBench, Serve
from pages import Page
from rounds import ROUNDS

ROUNDS_OF_A_WEEK = 10_000
"""Seven days of one round a minute."""
WARM = 1_000
"""Rounds after which everything is compiled and every cache is full."""
AT_ONCE = 200
"""The driver waits two minutes for an answer at most."""
MOST_GROWTH_BYTES = 1_000_000
_PLAY = """
const [documents, first, rounds, done] = arguments;
const {listener} = window.board_;
const frame = () => new Promise((go) => requestAnimationFrame(go));
(async () => {
  for (let round = first; round < first + rounds; round += 1) {
    for (const picture of documents) {
      const utc_ms = picture.utc_ms + round * 60000;
      const history = picture.history.map((one, i) => ({...one, round: round - i}));
      listener({...picture, round, utc_ms, clock_ms: picture.clock_ms + round * 60000, history});
    }
    if (round % 20 === 0) await frame();
  }
})().then(() => done(''), (error) => done(String(error)));
"""
_CATCH = """
const real = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (name, act) {
  if (name === 'picture') {
    window.board_ = {listener: (picture) => act({data: JSON.stringify(picture)})};
    real.call(this, name, (event) => { if (!window.held_) act(event); });
  } else real.call(this, name, act);
};
"""
"""Gives the test the page's own handler of pictures, and holds those of the table back once it plays."""


def measured(board: Page) -> dict[str, int]:
    """Bytes of the heap after garbage collection, nodes and listeners."""
    browser = board.show().browser
    for _ in range(3):
        browser.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    browser.execute_cdp_cmd("Performance.enable", {})
    found = {one["name"]: one["value"] for one in browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]}
    return {
        "heap": int(found["JSHeapUsedSize"]),
        "nodes": int(found["Nodes"]),
        "listeners": int(found["JSEventListeners"]),
    }


@pytest.mark.parametrize("game", ["dreamcatcher", "roulette"])
def test_a_week_of_the_board_takes_no_more_memory_than_its_first_hours(
    game: str, bench: Serve, open_bench: OpenBench, open_page: Open, capsys: pytest.CaptureFixture[str]
) -> None:
    served = bench(game)
    page, board = open_bench(served), open_page(served, "/")
    board.show().browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _CATCH})
    board.browser.refresh()
    board.arrive()
    documents = []
    for _ in ROUNDS[game](page, served):
        picture = served.picture()
        documents.append({name: value for name, value in picture.items() if name not in ("bench", "dealer")})
    board.script("window.held_ = true")
    board.browser.set_script_timeout(100)

    def play(first: int, rounds: int) -> None:
        for begin in range(first, first + rounds, AT_ONCE):
            failed = board.show().browser.execute_async_script(_PLAY, documents, begin, AT_ONCE)
            assert failed == ""

    play(1, WARM)
    early = measured(board)
    play(1 + WARM, ROUNDS_OF_A_WEEK)
    late = measured(board)
    with capsys.disabled():
        pictures = ROUNDS_OF_A_WEEK * len(documents)
        print(f"\n{game}: {ROUNDS_OF_A_WEEK} rounds, {pictures} pictures: ", end="")
        print(", ".join(f"{what} {early[what]:,} then {late[what]:,}" for what in early), end="")
    assert late["heap"] - early["heap"] < MOST_GROWTH_BYTES, json.dumps([early, late])
    assert late["nodes"] <= early["nodes"] * 1.1 + 200
    assert late["listeners"] <= early["listeners"] + 20
    assert board.errors() == []
