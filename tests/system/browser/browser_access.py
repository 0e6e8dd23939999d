"""Accessibility of the pages: axe-core's rules, the keyboard alone, and reduced motion.

axe-core is the npm package of that name; the variable AXE names its file if it is not under ``build/npm``.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from chromium import SIZES
from conftest import Open, OpenBench, Serve
from pages import RECORD, Page
from rounds import ROLL, ROUNDS, play, play_until
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.keys import Keys
from served import ROOT

AXE = Path(os.environ.get("AXE", ROOT / "build/npm/node_modules/axe-core/axe.min.js"))
GRAVE = ("serious", "critical")
MOST_STEPS = 300
"""More presses of Tab than any page has places."""
PLAYED = {
    "dreamcatcher": ("locating", "bets-open", "result"),
    "roulette": ("closed",),
    "sic-bo": ("closed", "inspection-lit", "entry", "result"),
    "three-dice-football": ("dice-offered", "settling"),
    "casino-war": ("deal", "decision"),
}


@cache
def axe() -> str:
    """The source of axe-core."""
    if not AXE.is_file():
        pytest.fail(f"{AXE} is missing: make build/npm/installed, or name the file in AXE", pytrace=False)
    return AXE.read_text(encoding="utf-8")


def violations(page: Page) -> list[str]:
    """The serious violations that axe-core finds on a page, each with the first element that it concerns."""
    page.script(axe())
    found = page.browser.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run(document, {resultTypes: ['violations']}).then(done, (error) => done({failed: String(error)}));"
    )
    assert "failed" not in found, found
    assert found["passes"], "rules were tried"
    return [
        f"{page.path} in {page.data('state')}: {one['id']}: {one['help']}: {one['nodes'][0]['html']}"
        for one in found["violations"]
        if one["impact"] in GRAVE
    ]


@pytest.mark.parametrize("game", PLAYED)
def test_no_serious_violation_in_any_state(game: str, bench: Serve, open_bench: OpenBench, open_page: Open) -> None:
    served = bench(game)
    page = open_bench(served)
    shown: list[Page] = [open_page(served, "/"), open_page(served, "/dealer"), page]
    found: list[str] = []
    looked: set[str] = set()
    for state in ROUNDS[game](page, served):
        if state in PLAYED[game] and state not in looked:
            looked.add(state)
            for screen in shown:
                screen.wait_for(state)
                found += violations(screen)
        if looked == set(PLAYED[game]):
            break
    assert looked == set(PLAYED[game])
    assert not found, "\n".join(found)


@pytest.mark.parametrize("size", SIZES)
def test_no_serious_violation_while_a_spin_is_void_or_the_table_locked(
    size: str, bench: Serve, open_bench: OpenBench, open_page: Open
) -> None:
    served = bench("dreamcatcher")
    page = open_bench(served, SIZES[size])
    shown: list[Page] = [open_page(served, path, SIZES[size]) for path in ("/", "/dealer")] + [page]
    play_until(page, served, "dreamcatcher", "no-more-bets")
    page.key("w")
    found = _in_state("respin", shown)
    page.key("t")
    page.wait_for("spinning")
    page.key("f")
    page.choose("head unplugged")
    found += _in_state("locked", shown)
    page.key("f")
    page.wait_for_menu()
    found += violations(page)
    assert not found, "\n".join(found)


def _in_state(state: str, shown: list[Page]) -> list[str]:
    """What is wrong with pages once they show a state."""
    for screen in shown:
        screen.wait_for(state)
    return [one for screen in shown for one in violations(screen)]


@pytest.mark.parametrize("game", ["dreamcatcher", "sic-bo"])
def test_no_serious_violation_while_a_round_is_replayed(game: str, bench: Serve, open_bench: OpenBench) -> None:
    served = bench(game)
    page = open_bench(served)
    play(page, served, game)
    page.script("location.hash = 'round=1'")
    page.wait_for_role("signals-title", "Round 1, replayed")
    assert violations(page) == []


def test_no_serious_violation_in_the_record(bench: Serve, open_bench: OpenBench, open_page: Open) -> None:
    served = bench("sic-bo")
    play(open_bench(served), served, "sic-bo")
    record = open_page(served, RECORD)
    record.wait_for_words(ROLL)
    assert violations(record) == []


# -- by the keyboard -------------------------------------------------------------------------------------------

_NAME = """
const node = arguments[0] ?? document.activeElement;
return node === document.body ? '' : node.dataset.control ? `control ${node.dataset.control}`
    : node.dataset.key ? `key ${node.dataset.key}` : node.dataset.choice ? `choice ${node.dataset.choice}`
    : `${node.tagName} ${node.id || node.name || node.innerText}`;
"""
_BUTTONS = "return [...document.querySelectorAll('button')].filter((one) => one.checkVisibility() && !one.disabled)"
_HAS_RING = """
const style = getComputedStyle(document.activeElement);
return document.activeElement.matches(':focus-visible')
    && ((style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none');
"""


def buttons(page: Page) -> set[str]:
    """The names of all buttons that can be used now."""
    return {page.script(_NAME, button) for button in page.script(_BUTTONS)}


def tab_through(page: Page) -> Iterator[str]:
    """The elements that Tab reaches, until it has been everywhere."""
    seen: set[str] = set()
    for _ in range(MOST_STEPS):
        ActionChains(page.show().browser).send_keys(Keys.TAB).perform()
        place = page.script(_NAME)
        if place in seen and seen >= buttons(page):
            return
        seen.add(place)
        yield place
    pytest.fail(f"{MOST_STEPS} presses of Tab never led to {sorted(buttons(page) - seen)}")


@pytest.mark.parametrize("game", ROUNDS)
def test_every_button_is_reached_by_tab_and_shows_it(game: str, bench: Serve, open_bench: OpenBench) -> None:
    page = open_bench(bench(game))
    reached: set[str] = set()
    unmarked: set[str] = set()
    for place in tab_through(page):
        reached.add(place)
        if place in buttons(page) and not page.script(_HAS_RING):
            unmarked.add(place)
    assert buttons(page) <= reached
    assert unmarked == set(), "whoever uses the keyboard sees where it is"


@pytest.mark.parametrize("game", ROUNDS)
def test_every_control_is_pressed_by_enter_and_once(game: str, bench: Serve, open_bench: OpenBench) -> None:
    served = bench(game)
    page = open_bench(served)
    controls = {f"control {control['control']}" for control in served.table()["controls"]}
    assert controls <= buttons(page)
    for place in tab_through(page):
        if place not in controls:
            continue
        name = place.removeprefix("control ").replace("-", " ")
        before = _presses(page, name)
        ActionChains(page.browser).send_keys(Keys.ENTER).perform()
        page.wait(lambda: _presses(page, name) > before, f"{name} in its log")  # noqa: B023
        assert _presses(page, name) == before + 1, "the button has it, not the keyboard of the bench as well"
        assert page.script(_NAME) == place, "and the place is kept"
        controls.discard(place)
    assert controls == set()


def _presses(page: Page, name: str) -> int:
    """How many times a press reached the bench, also counted from digits in a row."""
    lines = [line.partition(">")[2] for line in page.role("log").splitlines() if ">" in line]
    return sum(line.split().count(name) if name.isdigit() else name in line for line in lines)


def test_a_menu_is_used_and_left_by_the_keyboard(bench: Serve, open_bench: OpenBench) -> None:
    served = bench("dreamcatcher")
    page = open_bench(served)
    for place in tab_through(page):
        if place == "key f":
            break
    ActionChains(page.browser).send_keys(Keys.ENTER).perform()
    page.wait(lambda: served.picture()["bench"]["menu"] is not None, "the menu of faults")
    page.wait(lambda: "choice 1" in buttons(page), "its choices")
    ActionChains(page.browser).send_keys(Keys.ESCAPE).perform()
    page.wait(lambda: served.picture()["bench"]["menu"] is None, "no menu")


# -- reduced motion ----------------------------------------------------------------------------------------------


@contextmanager
def less_motion(browser: Chrome) -> Iterator[None]:
    """A browser with reduced motion requested."""
    feature = {"name": "prefers-reduced-motion", "value": "reduce"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    try:
        yield
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


_ANIMATED = (
    "return document.getAnimations().filter((one) => one.playState === 'running')"
    ".map((one) => `${one.animationName ?? one.transitionProperty} of ${one.effect.target.className}`)"
)


@pytest.mark.parametrize("path", ["/", "/dealer", "/bench"])
def test_nothing_is_animated_with_reduced_motion(
    path: str, bench: Serve, open_bench: OpenBench, open_page: Open
) -> None:
    served = bench("dreamcatcher")
    hands = open_bench(served)
    page = open_page(served, path)
    seen: set[str] = set()
    with less_motion(page.show().browser):
        assert page.script("return matchMedia('(prefers-reduced-motion: reduce)').matches")
        for state in ROUNDS["dreamcatcher"](hands, served):
            page.wait_for(state)
            seen |= set(page.script(_ANIMATED))
            page.wait(lambda: page.data("clock") != "", "a picture")
            page.show()
    assert seen == set()
