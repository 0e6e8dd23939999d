"""The guide of the bench's page; that it plays a round of every game is in ``browser_rounds.py``."""

from conftest import OpenBench, Serve


def test_a_guide_that_is_hidden_marks_nothing(bench: Serve, open_bench: OpenBench) -> None:
    page = open_bench(bench("casino-war"))
    page.wait(lambda: page.marked() == ["floor-key"], "the first step")
    page.browser.find_element("xpath", "//button[.='hide the guide']").click()
    page.press("floor-key", "floor-key")
    page.wait_for("shuffle")
    assert page.marked() == []
    assert page.role("guide-box") == ""


def test_the_bench_does_the_inspection_at_a_click(bench: Serve, open_bench: OpenBench) -> None:
    page = open_bench(bench("dreamcatcher"))
    button = '[data-role="inspect"]'
    page.wait(lambda: page.browser.find_element("css selector", button).is_displayed(), "the button")
    page.browser.find_element("css selector", button).click()
    page.wait_for("bets-open")
    page.wait(lambda: not page.browser.find_element("css selector", button).is_displayed(), "no inspection")
