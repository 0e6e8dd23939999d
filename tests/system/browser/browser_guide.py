"""The guide of the bench's page marks the button to click; who clicks it each time has played a round."""

import pytest
from conftest import OpenBench, Serve
from pages import BenchPage

MARKED = (
    "return [...document.querySelectorAll('button.guided')].map((one) => one.dataset.control || one.dataset.key)"
)
IN_SIGHT = """
const box = document.querySelector('button.guided').getBoundingClientRect();
return box.top >= 0 && box.bottom <= innerHeight;
"""
CLICKS = 40


def _marked(page: BenchPage) -> list[str]:
    found: list[str] = page.script(MARKED)
    return found


@pytest.mark.parametrize("game", ["casino-war", "three-dice-football"])
def test_clicking_the_marked_button_plays_a_round(game: str, bench: Serve, open_bench: OpenBench) -> None:
    page = open_bench(bench(game), (1280, 800))
    assert page.script("return document.documentElement.scrollHeight <= innerHeight")
    for _ in range(CLICKS):
        page.wait(lambda: len(_marked(page)) == 1 or "That was a round." in page.role("guide"), "a marked button")
        if "That was a round." in page.role("guide"):
            break
        assert page.script(IN_SIGHT), "nobody has to look for the button"
        page.press(*_marked(page))
    assert "That was a round." in page.role("guide")
    assert "Now" in page.role("guide")
    assert "REFUSED" not in page.log()
    assert page.errors() == []


def test_a_guide_that_is_hidden_marks_nothing(bench: Serve, open_bench: OpenBench) -> None:
    page = open_bench(bench("casino-war"))
    page.wait(lambda: _marked(page) == ["floor-key"], "the first step")
    page.browser.find_element("xpath", "//button[.='hide the guide']").click()
    page.press("floor-key", "floor-key")
    page.wait_for("shuffle")
    assert _marked(page) == []
    assert page.role("guide-box") == ""


def test_the_bench_does_the_inspection_at_a_click(bench: Serve, open_bench: OpenBench) -> None:
    page = open_bench(bench("dreamcatcher"))
    button = '[data-role="inspect"]'
    page.wait(lambda: page.browser.find_element("css selector", button).is_displayed(), "the button")
    page.browser.find_element("css selector", button).click()
    page.wait_for("bets-open")
    page.wait(lambda: not page.browser.find_element("css selector", button).is_displayed(), "no inspection")
