"""The dealer's screen at every size of a display at a table: nothing is scrolled, cut, or over another thing."""

from pathlib import Path

import pytest
from chromium import resize
from conftest import Open, OpenBench, Serve
from pages import BenchPage, Page

DISPLAYS = ((800, 480), (1280, 720), (1920, 1080), (3840, 2160), (1080, 1920))
PHONE = (390, 844)
_UNFIT = Path(__file__).with_name("unfit.js").read_text(encoding="utf-8")
_SEVEN = ("1", "2", "3", "4", "5", "6", "7")
WAR = (
    (("floor-key",), "floor-menu"),
    (("1", "enter", "no-more-bets", *_SEVEN, "enter"), "deal"),
    (("king", "4", "9", "9", "9", "ace", "2", "9"), "deal"),
    (("enter",), "settling"),
    (("done", "done"), "decision"),
    (("war", "surrender", "war"), "war-deal"),
    (("done",) * 6, "war-deal"),
    (("queen", "8", "9", "enter"), "settling"),
    (("correct",), "correcting"),
)
"""What is pressed, and the state to which it leads: seven positions, a surrender and two wars."""


def unfit(page: Page) -> list[str]:
    """What does not fit at any size, in words. A phone is scrolled."""
    wrong = []
    for size in (*DISPLAYS, PHONE):
        resize(page.show().browser, size)
        found: list[str] = page.script(_UNFIT)
        if size == PHONE:
            found = [one for one in found if not one.endswith(("too high", "is outside"))]
        wrong += [f"{page.data('state')} at {size[0]}x{size[1]}: {one}" for one in found]
    return wrong


def _played(page: BenchPage, dealer: Page, steps: tuple[tuple[tuple[str, ...], str], ...]) -> list[str]:
    wrong = unfit(dealer)
    for keys, state in steps:
        page.press(*keys)
        page.wait_for(state)
        dealer.wait_for(state)
        wrong += unfit(dealer)
    return wrong


@pytest.mark.parametrize(("game", "steps"), [("casino-war", WAR)])
def test_nothing_is_scrolled_cut_or_hidden(
    game: str,
    steps: tuple[tuple[tuple[str, ...], str], ...],
    bench: Serve,
    open_bench: OpenBench,
    open_page: Open,
) -> None:
    served = bench(game)
    page, dealer = open_bench(served), open_page(served, "/dealer")
    assert _played(page, dealer, steps) == []
    assert dealer.errors() == []
