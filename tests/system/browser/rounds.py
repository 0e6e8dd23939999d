"""Whole rounds of every game, played on the bench's page by its buttons, from the opening of the table on.

Each is a generator: it yields the table's state whenever there is something to check.
"""

from collections.abc import Callable, Iterator

from pages import BenchPage
from served import ServedBench

Round = Iterator[str]
SECTION = "20"
"""Where the wheels of these rounds stop."""
ROLL = "3-4-6"
"""The dice of the round of Sic Bo."""


def wheel(page: BenchPage, bench: ServedBench) -> Round:
    """Located by hand, thrown to a section, settled."""
    yield _at(page, "locating")
    page.key("h")
    yield _at(page, "bets-open")
    page.press("no-more-bets")
    yield _at(page, "no-more-bets")
    page.key("s")  # A throw by chance may stop on a peg, or on a multiplier.
    page.choose(SECTION)
    yield _at(page, "spinning")
    yield _at(page, "result")
    yield from _settled(page)


def sic_bo(page: BenchPage, bench: ServedBench) -> Round:
    """New dice, the inspection, a roll of 13, settled."""
    yield _at(page, "closed")
    page.press("floor-key", "2", "floor-key", "floor-key", "floor-key")
    for dice in ("111", "236", "455"):
        page.press(*dice, "enter")
        yield _at(page, "inspection-lit")
        page.press("floor-key", "floor-key")
    page.wait(lambda: "did each area light up alone" in page.role("next"), "every lamp")
    yield _at(page, "inspection-lamps")
    page.press("floor-key", "floor-key")
    yield _at(page, "bets-open")
    page.press("no-more-bets")
    yield _at(page, "shaking")
    *first, last = ROLL.split("-")
    page.press(*first)
    yield _at(page, "entry")
    page.press(last, "enter")
    yield _at(page, "result")
    yield from _settled(page)


def roulette(page: BenchPage, bench: ServedBench) -> Round:
    """The inspection with its trial spin, a spin, settled."""
    yield _at(page, "closed")
    page.press(*["floor-key"] * 6)
    yield _at(page, "inspecting")
    page.key("r")
    page.wait(lambda: "the rotor turns counterclockwise" in page.role("log"), "the rotor turning")
    page.key("t")
    page.wait(lambda: "Seen" in page.role("next"), "the trial spin")
    page.press(*["floor-key"] * 4)
    yield _at(page, "bets-open")
    page.key("t")
    yield _at(page, "ball-running")
    page.press("no-more-bets")
    yield _at(page, "no-more-bets")
    yield _at(page, "entry")
    page.wait(lambda: _pocket(bench) != "", "where the ball lies")
    page.press(*_pocket(bench), "enter")
    yield _at(page, "result")
    yield from _settled(page)


def football(page: BenchPage, bench: ServedBench) -> Round:
    """A trips touchdown on the first throw, without an extra point."""
    yield _at(page, "closed")
    page.press("floor-key", "floor-key")
    yield _at(page, "dice-offered")
    page.press("enter")
    yield _at(page, "bets-open")
    page.press("no-more-bets")
    yield _at(page, "throw")
    page.press("4", "4", "4", "enter")
    yield _at(page, "settling")
    page.press("done", "done", "done")
    yield _at(page, "extra-point-offered")
    page.press("clear", "done")
    yield _at(page, "settled")
    page.press("clear")


def war(page: BenchPage, bench: ServedBench) -> Round:
    """One position wins, one loses, one ties and wins its war."""
    yield _at(page, "closed")
    page.press("floor-key", "floor-key", "enter")
    yield _at(page, "bets-open")
    page.press("no-more-bets", "1", "3", "5", "enter", "king", "4")
    yield _at(page, "deal")
    page.press("9", "9", "enter")
    yield _at(page, "settling")
    page.press("done", "done")
    yield _at(page, "decision")
    page.press("war", "queen", "jack", "enter")
    yield _at(page, "settling")
    page.press("done", "done")
    yield _at(page, "settled")
    page.press("clear")
    yield _at(page, "bets-open")


ROUNDS: dict[str, Callable[[BenchPage, ServedBench], Round]] = {
    "dreamcatcher": wheel,
    "big-six": wheel,
    "roulette": roulette,
    "sic-bo": sic_bo,
    "three-dice-football": football,
    "casino-war": war,
}
SHOWS_RESULT = {"result", "losers-collected", "winners-paid", "settling", "settled"}
"""States in which a result is shown."""


def play(page: BenchPage, bench: ServedBench, game: str) -> None:
    """Play a whole round."""
    for _ in ROUNDS[game](page, bench):
        pass


def play_until(page: BenchPage, bench: ServedBench, game: str, state: str) -> None:
    """Play a round up to a state.

    Raises:
        LookupError: the round never comes there.
    """
    for now in ROUNDS[game](page, bench):
        if now == state:
            return
    raise LookupError(f"a round of {game} has no state {state}")


def _at(page: BenchPage, state: str) -> str:
    page.wait_for(state)
    return state


def _settled(page: BenchPage) -> Round:
    page.press("done")
    yield _at(page, "losers-collected")
    page.press("done")
    yield _at(page, "winners-paid")
    page.press("clear")
    yield _at(page, "bets-open")


def _pocket(bench: ServedBench) -> str:
    """Where the ball really is."""
    pocket = bench.picture()["bench"]["true"]["pocket"]
    assert isinstance(pocket, str)
    return pocket
