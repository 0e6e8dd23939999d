"""Every page with as many people at the table as it has places: nothing is cut off."""

import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import pytest
from browser_languages import LANGUAGE, table_in_language
from browser_screens import NOT_SCROLLED, look
from chromium import BOARD_SIZES, SIZES, resize
from conftest import Open, OpenBench, Serve
from pages import BenchPage, Page
from rounds import play_until

SEATS = tuple("1234567")
TENS = ("10",) * len(SEATS)
TIGHT = [BOARD_SIZES[name] for name in ("small", "upright", "phone")]
_UNFIT = (Path(__file__).parent / "unfit.js").read_text(encoding="utf-8")
_FINE = re.compile("too wide$|too high$|is outside$|^'★' lies over")
"""What ``look`` finds where it is wrong, as a telephone is scrolled; and the star in the corner of what is lit."""
_ALERT = """
const alert = document.createElement("p");
alert.className = "alert";
alert.textContent = "⚠ the panel does not answer: see whether its plug is in, then call a technician";
document.querySelector("[data-role=alerts]").replaceChildren(alert);
"""
_ANOTHER_ALERT = """
const alerts = document.querySelector("[data-role=alerts]");
alerts.append(alerts.firstElementChild.cloneNode(true));
"""
_SEVENTEEN = """
const list = document.querySelector("[data-role=pays]");
while (list.children.length < 17) list.append(list.children[1].cloneNode(true));
list.dataset.many = "most";
"""
"""As many wagers as a number of the middle column wins, whatever number came; and the letters of so many."""
_NO_ALERT = 'document.querySelector("[data-role=alerts]").replaceChildren()'


def all_seats_at_war(page: BenchPage) -> Iterator[str]:
    """All positions tie and go to war; then some win, some surrender and some go to war, by every outcome."""
    page.press("floor-key", "1", "enter", "no-more-bets", *SEATS, "enter")
    page.wait_for("deal")
    page.press(*TENS, "10", "enter")
    yield _at(page, "settling")
    page.press("done", "done", *["war"] * len(SEATS))
    page.wait_for("war-deal")
    page.press(*TENS, "10", "enter")
    yield _at(page, "settling")
    page.press("done", "done", "clear")
    yield _at(page, "bets-open")
    page.press("no-more-bets", "ace", "king", *["queen"] * 4, "2", "queen", "enter", "done", "done")
    page.press("war", "surrender", "surrender")
    yield _at(page, "decision")
    page.press("war", "ace")
    yield _at(page, "war-deal")
    page.press("queen", "queen", "enter")
    yield _at(page, "settling")


def the_sixteenth_place_throws(page: BenchPage) -> Iterator[str]:
    """The dice go to the last position, which scores."""
    page.press("floor-key", "1")
    page.wait_for("dice-offered")
    page.press("1", "6")
    yield "dice-offered"
    page.press("enter", "no-more-bets")
    page.wait_for("throw")
    page.press("4", "4", "4")
    yield "throw"
    page.press("enter")
    yield _at(page, "settling")


PLAYED: dict[str, Callable[[BenchPage], Iterator[str]]] = {
    "casino-war": all_seats_at_war,
    "three-dice-football": the_sixteenth_place_throws,
}


@pytest.mark.parametrize("game", PLAYED)
def test_every_page_fits_with_all_places_taken(
    game: str, bench: Serve, open_bench: OpenBench, open_page: Open
) -> None:
    served = bench(game)
    page = open_bench(served)
    shown: list[Page] = [open_page(served, "/"), open_page(served, "/dealer"), page]
    wrong: list[str] = []
    for number, state in enumerate(_played(game, page, shown), 1):
        for screen in shown:
            wrong += _look(screen, f"{game}-full-{number:02}-{state}", state)
        resize(page.show().browser, SIZES["screen"])
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("game", PLAYED)
def test_the_spanish_board_fits_with_all_places_taken(
    game: str, bench: Serve, open_bench: OpenBench, open_page: Open, tmp_path: Path
) -> None:
    served = bench(str(table_in_language(game, tmp_path)))
    page, board = open_bench(served), open_page(served, "/")
    wrong: list[str] = []
    for number, state in enumerate(_played(game, page, [board]), 1):
        name = f"{game}-full-{LANGUAGE}-{number:02}-{state}"
        wrong += look(board, name, TIGHT) + _unfit(board, name)
        resize(page.show().browser, SIZES["screen"])
    assert not wrong, "\n".join(wrong)


def test_all_that_a_number_of_roulette_pays_has_room_also_beside_two_alerts(
    bench: Serve, open_bench: OpenBench, open_page: Open
) -> None:
    served = bench("roulette")
    page, dealer = open_bench(served), open_page(served, "/dealer")
    play_until(page, served, "roulette", "result")
    dealer.wait_for("result")
    dealer.script(_SEVENTEEN)
    lying = [SIZES["small"], SIZES["screen"]]
    wrong = look(dealer, "roulette-17", lying)
    dealer.script(_ALERT)
    dealer.script(_ANOTHER_ALERT)
    assert wrong + look(dealer, "roulette-17-alerts", lying) == []


def _look(screen: Page, name: str, state: str) -> list[str]:
    """Look at a page at every size; at the dealer's screen in a settlement beside an alert, too."""
    if screen.path not in NOT_SCROLLED:
        return look(screen, name)
    wrong = look(screen, name, BOARD_SIZES.values()) + _unfit(screen, name)
    if screen.path == "/" and screen.role("wins").startswith("and "):
        wrong.append(f"/ in {name}: wins are counted, and none is named")
    if screen.path == "/dealer" and state == "settling":
        screen.script(_ALERT)
        wrong += look(screen, f"{name}-alert", TIGHT)
        screen.script(_NO_ALERT)
    return wrong


def _played(game: str, page: BenchPage, shown: Collection[Page]) -> Iterator[str]:
    """Play a round; yields the states that every page shows by then."""
    for state in PLAYED[game](page):
        for screen in shown:
            screen.wait_for(state)
        yield state


def _unfit(page: Page, name: str) -> list[str]:
    """Text that leaves its own box, or lies over another, in words."""
    wrong = []
    for width, height in TIGHT:
        resize(page.show().browser, (width, height))
        found = [words for words in page.script(_UNFIT) if not _FINE.search(words)]
        wrong += [f"{page.path} in {name} at {width}x{height}: {words}" for words in found]
    return wrong


def _at(page: BenchPage, state: str) -> str:
    page.wait_for(state)
    return state
