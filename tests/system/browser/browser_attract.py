"""Between rounds the board tells how the game goes, fits it at every size, and leaves it at once for the table."""

import pytest
from chromium import BOARD_SIZES, SIZES, resize
from conftest import Open, OpenBench, Serve
from pages import Page
from rounds import ROUNDS

_SOONER = """
const [real, ended] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)];
const sooner = {60000: 300, 10000: 120};
window.quiet = new Set();
window.setTimeout = (act, ms, ...rest) => {
  const timer = real(() => { window.quiet.delete(timer); act(...rest); }, sooner[ms] ?? ms);
  if (ms === 60000) window.quiet.add(timer);
  return timer;
};
window.clearTimeout = (timer) => { window.quiet.delete(timer); ended(timer); };
"""
"""A minute of quiet, and the time of a slide, pass at once; other times stay. What waits for a minute is known."""
_SHOWN = """
const node = document.querySelector('[data-role="attract"]');
const box = node.getBoundingClientRect(), own = node.parentNode.getBoundingClientRect();
const cut = [...node.querySelectorAll("h2, p, li, b, span")].filter((one) => {
  const at = one.getBoundingClientRect();
  return at.right > box.right + 1 || at.bottom > box.bottom + 1 || at.left < box.left - 1 || at.top < box.top - 1;
});
return {
  hidden: node.hidden, text: node.innerText, px: parseFloat(getComputedStyle(node).fontSize),
  cut: cut.map((one) => one.textContent), outside: box.right > own.right + 1 || box.bottom > own.bottom + 1,
};
"""


def reloaded(board: Page) -> Page:
    """The board, for which a quiet minute passes at once."""
    board.show().browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _SOONER})
    board.browser.refresh()
    board.arrive()
    return board


def test_it_begins_after_quiet_and_ends_with_the_next_press(
    bench: Serve, open_bench: OpenBench, open_page: Open
) -> None:
    served = bench("dreamcatcher")
    page, board = open_bench(served), reloaded(open_page(served, "/"))
    for state in ROUNDS["dreamcatcher"](page, served):
        board.wait_for(state)
        if state == "result":
            assert board.script(_SHOWN)["hidden"], "nothing stands before a result"
    board.wait(lambda: not board.script(_SHOWN)["hidden"], "a slide")
    assert board.role("result-title").startswith("Last result")
    first = board.script(_SHOWN)["text"]
    board.wait(lambda: board.script(_SHOWN)["text"] != first, "another slide")
    page.press("no-more-bets")
    board.wait_for("no-more-bets")
    assert board.script(_SHOWN)["hidden"]
    assert board.errors() == []


@pytest.mark.parametrize("game", ROUNDS)
def test_it_begins_in_no_state_of_a_round(game: str, bench: Serve, open_bench: OpenBench, open_page: Open) -> None:
    served = bench(game)
    page, board = open_bench(served), reloaded(open_page(served, "/"))
    for state in ROUNDS[game](page, served):
        board.wait_for(state)
        calm = state in ("closed", "locating", "bets-open")
        waits = "return window.quiet.size > 0 || !document.querySelector('[data-role=\"attract\"]').hidden"
        assert board.script(waits) == calm, state


@pytest.mark.parametrize("game", ROUNDS)
def test_every_slide_fits_at_every_size(game: str, bench: Serve, open_page: Open) -> None:
    served = bench(game)
    board = reloaded(open_page(served, "/"))
    count = len(served.table()["slides"])
    wrong, seen = [], set()
    for size in BOARD_SIZES.values():
        resize(board.show().browser, size)
        board.wait(lambda: not board.script(_SHOWN)["hidden"], "a slide")
        texts: set[str] = set()
        while len(texts) < count:
            shown = board.script(_SHOWN)
            texts.add(shown["text"])
            seen.add(shown["text"])
            where = f"{size[0]}x{size[1]}: {shown['text'][:40]!r}"
            wrong += [f"{where} cuts {cut!r}" for cut in shown["cut"]]
            wrong += [f"{where} leaves the figure"] * shown["outside"]
            if size == SIZES["screen"] and shown["px"] < 18:
                wrong.append(f"{where} has letters of {shown['px']} px")
    assert sorted(set(wrong)) == []
    assert len(seen) == count
