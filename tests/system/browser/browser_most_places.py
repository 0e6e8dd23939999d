"""Every page with as many people at the table as it has places: nothing is cut off."""

from collections.abc import Callable, Iterator

import pytest
from browser_screens import look
from chromium import SIZES, resize
from conftest import Open, OpenBench, Serve
from pages import BenchPage, Page

SEATS = tuple("1234567")


def all_seats_at_war(page: BenchPage) -> Iterator[str]:
    """Seven positions tie with the dealer's ten; each goes to war, and ties again."""
    page.press("floor-key", "1", "enter", "no-more-bets", *SEATS, "enter")
    page.wait_for("deal")
    page.press(*["10"] * len(SEATS))
    yield "deal"
    page.press("10", "enter")
    page.wait_for("settling")
    yield "settling"
    page.press("done", "done")
    page.wait_for("decision")
    yield "decision"
    page.press(*["war"] * (len(SEATS) - 1))
    yield "decision"
    page.press("war")
    page.wait_for("war-deal")
    page.press(*["queen"] * len(SEATS))
    yield "war-deal"
    page.press("queen", "enter")
    page.wait_for("settling")
    yield "settling, 14 win"


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
    page.wait_for("settling")
    yield "settling"


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
    for number, what in enumerate(PLAYED[game](page), 1):
        state = what.partition(",")[0]
        for screen in shown:
            screen.wait_for(state)
            wrong += look(screen, f"{game}-full-{number:02}-{state}")
        if "14 win" in what:
            assert shown[0].show().role("wins").split() == "war 1–7 3 to 1 tie 1–7 10 to 1".split()
        resize(page.show().browser, SIZES["screen"])
    assert not wrong, "\n".join(wrong)
