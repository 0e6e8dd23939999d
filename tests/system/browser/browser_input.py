"""Input on the screens: a wheel that is dragged, and a touch screen that the dealer's controls are on."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import OpenBench, Serve
from pages import Page
from rounds import play_until
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from served import ROOT

QUARTER_MS = 180
"""How long a hand takes for a quarter of a turn."""


@pytest.mark.parametrize(("sign", "way"), [(1, "clockwise"), (-1, "counterclockwise")])
def test_a_wheel_is_thrown_by_dragging_it(sign: int, way: str, bench: Serve, open_bench: OpenBench) -> None:
    served = bench("dreamcatcher")
    page = open_bench(served)
    play_until(page, served, "dreamcatcher", "no-more-bets")
    wheel = page.show().browser.find_element(By.CSS_SELECTOR, ".wheel")
    radius = round(wheel.rect["width"] * 0.38)
    hand = ActionChains(page.browser, duration=QUARTER_MS)
    hand.move_to_element_with_offset(wheel, 0, -radius).click_and_hold()
    hand.move_to_element_with_offset(wheel, sign * radius, 0).release().perform()
    page.wait_for("spinning")
    assert re.search(rf"throw for [0-9.]+ turns, {way}", page.role("log")), page.role("log")


def test_a_wheel_that_is_only_touched_stays(bench: Serve, open_bench: OpenBench) -> None:
    served = bench("dreamcatcher")
    page = open_bench(served)
    play_until(page, served, "dreamcatcher", "no-more-bets")
    wheel = page.show().browser.find_element(By.CSS_SELECTOR, ".wheel")
    ActionChains(page.browser).move_to_element(wheel).click().perform()
    page.press("no-spin")  # Refused: nothing spins.
    assert "throw for" not in page.role("log")
    assert page.data("state") == "no-more-bets"


@pytest.fixture
def touched(tmp_path: Path) -> Iterator[str]:
    """A Sic Bo table whose file allows a touch screen; its address."""
    file = tmp_path / "table.yaml"
    shipped = (ROOT / "config/tables/sic-bo.yaml").read_text(encoding="utf-8")
    file.write_text(shipped + "\nscreens:\n  touch: true\n", encoding="utf-8")
    command = [sys.executable, "-m", "controller", "run", str(file), "--port", "0"]
    command += ["--journal", str(tmp_path / "table.journal")]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as table:
        assert table.stderr is not None
        address = ""
        for line in table.stderr:
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            address = found[0] if found else address
            if "is ready" in line:
                break
        yield address
        table.terminate()
        table.stderr.read()


def test_the_dealer_acts_at_a_touch_screen_that_was_paired_at_the_table(touched: str, tabs: Chrome) -> None:
    dealer = Page(tabs, touched, "/dealer")
    assert dealer.errors() == []
    assert not tabs.find_elements(By.CSS_SELECTOR, "[data-control]"), "not before it was paired"
    dealer.wait_for_words("Code for the touch screen")
    code = tabs.find_element(By.CSS_SELECTOR, ".code b").text
    tabs.find_element(By.ID, "code").send_keys("0" * 8 if code != "0" * 8 else "1" * 8)
    tabs.find_element(By.CSS_SELECTOR, ".touch form button").click()
    dealer.wait_for_words("this is not the code")
    box = tabs.find_element(By.ID, "code")
    box.clear()
    box.send_keys(code)
    tabs.find_element(By.CSS_SELECTOR, ".touch form button").click()
    dealer.wait(lambda: bool(tabs.find_elements(By.CSS_SELECTOR, "[data-control='done']")), "its buttons")
    assert not tabs.find_elements(By.CSS_SELECTOR, "[data-control='floor-key']"), "the key stays a key"
    tabs.find_element(By.CSS_SELECTOR, "[data-control='done']").click()
    dealer.wait(lambda: dealer.role("refused") == "done was refused", "that the table heard it")
