"""Every page at the sizes of the screens that hang at tables, and of a telephone: nothing is cut off.

With ``PICTURES`` set, as ``make screens`` does, a picture of each is put into that folder, for people to look at.
"""

import os
from collections.abc import Collection
from pathlib import Path

import pytest
from chromium import BOARD_SIZES, SIZES, Size, resize
from conftest import Open, OpenBench, Serve
from pages import RECORD, Page
from rounds import ROLL, ROUNDS, SECTION, play, play_until

PICTURES = os.environ.get("PICTURES")
NOT_SCROLLED = ("/", "/dealer")
_DRAWN = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));"
"""The page has been drawn at its present size."""
_OVERFLOW = """
const root = document.documentElement;
const wide = (part) => part.getBoundingClientRect().width;
const boxed = [...document.querySelectorAll("svg g:has(> rect) > text")];
const cut = boxed.filter((text) => wide(text) > wide(text.parentNode.querySelector("rect")));
const buttons = [...document.querySelectorAll("button")];
cut.push(...buttons.filter((button) => button.scrollWidth > button.clientWidth + 1));
return {
  across: root.scrollWidth - innerWidth, down: root.scrollHeight - innerHeight, width: innerWidth,
  cut: [...new Set(cut.map((part) => part.textContent))],
};
"""
_CROWDED = """
const seen = (part) => part.getClientRects().length > 0;
const parts = [...document.querySelectorAll("header.top, .notice, main > section")].filter(seen);
const boxes = parts.map((part) => [part.className, part.getBoundingClientRect()]);
const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
const wrong = boxes.flatMap(([one, a], i) =>
  boxes.slice(i + 1).filter(([, b]) => meet(a, b)).map(([other]) => `${one} overlaps ${other}`));
for (const [part, [name, box]] of parts.map((part, i) => [part, boxes[i]])) {
  for (const text of part.querySelectorAll("h1, h2, p, li, b, span, small, time")) {
    if (!seen(text) || !text.textContent.trim()) continue;
    const own = text.getBoundingClientRect();
    const out = Math.max(own.right - box.right, box.left - own.left, own.bottom - box.bottom, box.top - own.top);
    const star = text.className.includes("star");
    if (!star && (out > 0.006 * innerWidth || out > 8)) wrong.push(`${text.textContent} leaves ${name}`);
  }
}
return wrong;
"""
_PLACES = """
return Object.fromEntries([...document.querySelectorAll("header.top, main > section")].map((part) => {
  const { left, top, width, height } = part.getBoundingClientRect();
  return [part.className, [left, top, width, height].map(Math.round).join(" ")];
}));
"""


def look(page: Page, name: str, sizes: Collection[Size] = ()) -> list[str]:
    """Look at a page at every size, or at these; returns what does not fit, in words."""
    wrong = []
    board = page.path == "/"
    for size in sizes or (BOARD_SIZES if board else SIZES).values():
        width, height = size
        resize(page.show().browser, size)
        page.browser.execute_async_script(_DRAWN)
        found = page.script(_OVERFLOW)
        assert found["width"] == width, "the viewport is as wide as it should be"
        where = f"{page.path} in {name} at {width}x{height}"
        if found["across"] > 0:
            wrong.append(f"{where}: {found['across']} pixels too wide")
        if board and _is_screen(size):
            wrong += [f"{where}: {words}" for words in page.script(_CROWDED)]
        if page.path in NOT_SCROLLED and _is_screen(size) and found["down"] > 0:
            wrong.append(f"{where}: {found['down']} pixels too high")
        wrong += [f"{where}: {words!r} is wider than its box" for words in found["cut"]]
        shown = page.path.strip("/") or "board"
        if PICTURES:
            assert page.browser.save_screenshot(str(Path(PICTURES, f"{name}-{shown}-{width}x{height}.png")))
    return wrong


def _is_screen(size: Size) -> bool:
    """A screen that hangs at a table is not scrolled; a telephone is."""
    return size != SIZES["phone"]


@pytest.mark.parametrize("game", ROUNDS)
def test_every_page_fits_through_a_whole_round(
    game: str, bench: Serve, open_bench: OpenBench, open_page: Open
) -> None:
    served = bench(game)
    page = open_bench(served)
    shown: list[Page] = [open_page(served, "/"), open_page(served, "/dealer"), page]
    wrong: list[str] = []
    for number, state in enumerate(ROUNDS[game](page, served), 1):
        for screen in shown:
            screen.wait_for(state)
            wrong += look(screen, f"{game}-{number:02}-{state}")
        resize(page.show().browser, SIZES["screen"])
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("game", ROUNDS)
def test_no_part_of_the_board_moves_through_a_whole_round(
    game: str, bench: Serve, open_bench: OpenBench, open_page: Open
) -> None:
    served = bench(game)
    page, board = open_bench(served), open_page(served, "/")
    places: dict[str, set[str]] = {}
    for state in ROUNDS[game](page, served):
        board.wait_for(state)
        for part, place in board.script(_PLACES).items():
            places.setdefault(part, set()).add(place)
    assert {part: found for part, found in places.items() if len(found) > 1} == {}


def test_the_last_result_is_large_and_nothing_else_looks_like_one(
    bench: Serve, open_bench: OpenBench, open_page: Open
) -> None:
    served = bench("dreamcatcher")
    page, board = open_bench(served), open_page(served, "/")
    middle = "return document.querySelector('.hub-word').textContent"
    play_until(page, served, "dreamcatcher", "result")
    board.wait_for_role("result-title", "Result")
    assert board.script(middle) == SECTION
    page.press("done", "done", "clear")
    board.wait_for("bets-open")
    assert (board.role("result-title"), board.role("result")) == ("Last result, round 1", SECTION)
    assert board.script(middle) == "", "no number stands in the middle of a wheel that rests"


def test_every_page_fits_while_something_is_wrong(bench: Serve, open_bench: OpenBench, open_page: Open) -> None:
    served = bench("dreamcatcher")
    page = open_bench(served)
    shown: list[Page] = [open_page(served, "/"), open_page(served, "/dealer"), page]
    play_until(page, served, "dreamcatcher", "no-more-bets")
    wrong: list[str] = []
    for key, state in (("w", "respin"), ("t", "spinning"), ("f", "locked")):
        page.key(key)
        if state == "locked":
            page.choose("head unplugged")
        for screen in shown:
            screen.wait_for(state)
            if state != "spinning":
                wrong += look(screen, f"dreamcatcher-{state}")
        resize(page.show().browser, SIZES["screen"])
    page.key("f")
    page.wait_for_menu()
    wrong += look(page, "dreamcatcher-faults")
    assert not wrong, "\n".join(wrong)


def test_the_record_fits(bench: Serve, open_bench: OpenBench, open_page: Open) -> None:
    served = bench("sic-bo")
    page = open_bench(served)
    play(page, served, "sic-bo")
    record = open_page(served, RECORD)
    record.wait_for_words(ROLL)
    assert look(record, "sic-bo") == []


def test_a_menu_is_a_list_and_what_cannot_be_chosen_says_why(
    bench: Serve, open_bench: OpenBench, open_page: Open
) -> None:
    served = bench("sic-bo")
    page, dealer = open_bench(served), open_page(served, "/dealer")
    page.press("floor-key")
    for screen in (dealer, page):
        screen.wait_for("floor-menu")
        screen.wait_for_role("choices", "the automated shaker was removed ✕ the table has the manual one")
        grey = "return [...document.querySelectorAll('.choices .grey')].map((line) => line.dataset.choiceOf)"
        assert screen.script(grey) == ["3"]
    off = "return [...document.querySelectorAll('.controls button:disabled')].map((one) => one.dataset.control)"
    assert page.script(off) == ["3"]
    page.press("clear")
    page.wait_for("closed")
    assert page.script(off) == []
    assert page.role("choices") == ""
