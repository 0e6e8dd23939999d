"""The wheel of the bench's page: its leather and pegs to scale, and the technician's work at them."""

import math

import pytest
from chromium import SIZES, Size
from conftest import OpenBench, Serve
from pages import BenchPage
from rounds import play_until
from selenium.webdriver.common.by import By

PEG = 30
_FAR = """
const [straight, bent] = ['stood', 'peg.bent'].map((name) => document.querySelector(`.close-up .${name}`));
if (!straight || !bent) return 0;
const [x, y] = ['cx', 'cy'].map((name) => bent.getAttribute(name) - straight.getAttribute(name));
return Math.hypot(x, y);
"""
"""How far the bent peg is from where it stood, in mm."""
_OF_THE_LEATHER = """
const view = document.querySelector('.close-up');
return [view.querySelector('.strip').getAttribute('d'), view.dataset.peg || ''];
"""


def fill_in(page: BenchPage, act: str, button: str, **values: object) -> None:
    """Fill in a form of the page and press one of its buttons."""
    form = page.show().browser.find_element(By.CSS_SELECTOR, f'form[data-act="{act}"]')
    for name, value in values.items():
        box = form.find_element(By.NAME, name)
        if box.tag_name == "input":
            box.clear()
        box.send_keys(str(value))
    form.find_element(By.CSS_SELECTOR, f'button[value="{button}"]').click()


def test_a_peg_that_is_bent_is_drawn_bent_and_straightened_again(bench: Serve, open_bench: OpenBench) -> None:
    served = bench("dreamcatcher")
    page = open_bench(served)
    play_until(page, served, "dreamcatcher", "bets-open")
    fill_in(page, "peg", "bend", peg=PEG, degrees=2)
    page.wait(lambda: page.script(_FAR) > 0, "a bent peg")
    assert page.script("return document.querySelector('.close-up .peg.bent').dataset.peg") == str(PEG)
    assert page.script("return document.querySelector('.disc .peg.bent').dataset.peg") == str(PEG)
    build = served.picture()["bench"]["wheel"]
    off_mm = math.radians(build["pegs_deg"][PEG - 1]) * build["radius_mm"]
    assert page.script(_FAR) == pytest.approx(off_mm, rel=0.01)
    assert off_mm == pytest.approx(23.3, rel=0.1), "two degrees of a circle of 668 mm"
    page.wait_for_role("log", f"peg {PEG} is bent by 2° clockwise")
    fill_in(page, "peg", "straighten", peg=PEG)
    page.wait(lambda: page.script(_FAR) == 0, "all pegs straight")
    assert page.errors() == []


def test_a_refusal_stands_where_it_was_requested(bench: Serve, open_bench: OpenBench) -> None:
    served = bench("dreamcatcher")
    page = open_bench(served)
    fill_in(page, "peg", "bend", peg=99, degrees=2)
    page.wait_for_role("technician", "99 is no peg of this wheel; it is a whole number from 1 to 54")
    fill_in(page, "wear", "wear it", wear=-3)
    page.wait_for_role("technician", "-3 is no 'wear'")


def test_the_leather_is_drawn_bent_by_the_peg_that_bends_it(bench: Serve, open_bench: OpenBench) -> None:
    served = bench("dreamcatcher")
    page = open_bench(served)
    play_until(page, served, "dreamcatcher", "no-more-bets")
    hanging, none = page.script(_OF_THE_LEATHER)
    assert none == ""
    page.key("b")
    page.wait(
        lambda: (
            served.picture()["bench"]["true"]["on_peg"]
            and not page.script("return document.querySelector('.wheel.moving')")
        ),
        "rest",
    )
    truth = served.picture()["bench"]["true"]["clapper"]
    page.wait(lambda: page.script(_OF_THE_LEATHER)[1] == str(truth["peg"]), "the leather on that peg")
    assert page.script(_OF_THE_LEATHER)[0] != hanging
    page.wait_for_words("contact closed")
    page.wait_for_words(f"Peg {truth['peg']} bends the leather by ")


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_a_wheel_of_the_fleet_is_put_up_and_drawn(size: Size, bench: Serve, open_bench: OpenBench) -> None:
    served = bench("big-six")
    page = open_bench(served, size)
    thin = page.script("return document.querySelector('.close-up .strip').getAttribute('stroke-width')")
    fill_in(page, "fit", "put it up", fit=7)
    page.wait_for_words("Here turns wheel 7 of the fleet.")
    page.wait(lambda: served.picture()["bench"]["powered"], "that the table started again")
    assert page.script("return document.querySelector('.close-up .strip').getAttribute('stroke-width')") != thin
    assert page.script("return document.documentElement.scrollWidth <= innerWidth")
    assert page.errors() == []
