"""The logic analyser of the bench's page, live and over a round that is opened by its address."""

from typing import Any

import pytest
from chromium import BOARD_SIZES, resize
from conftest import Open, OpenBench, Serve
from pages import RECORD, BenchPage
from rounds import play, play_until
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

_COUNTS = """
return Object.fromEntries([...document.querySelectorAll('.names li')].map((name, i) => [
  name.firstChild.textContent.trim(),
  [...document.querySelectorAll('.counts li')[i].children].map((part) => parseInt(part.textContent) || 0),
]));
"""
"""By line: its edges, and what else is counted."""
_WAVE = (
    "return document.querySelector('.wave').getAttribute('d') + document.querySelector('.blocks').getAttribute('d')"
)
_DISC = """
const turned = parseFloat(document.querySelector('.disc').style.transform.slice('rotate('.length));
return Math.round(((turned % 360) + 360) % 360 * 10) / 10;
"""
"""The wheel's angle as it is drawn, in degrees."""
_AT = "return Number(document.querySelector('.scope input').value)"
_LEVELS = "return [...document.querySelectorAll('.names small')].map((one) => one.textContent)"
_WIDE = "return document.documentElement.scrollWidth - innerWidth"
_BELOW = "return document.querySelector('.hands').getBoundingClientRect().top"
_DRAWN = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));"


def counts(page: BenchPage) -> dict[str, list[int]]:
    found: dict[str, list[int]] = page.script(_COUNTS)
    return found


def click(page: BenchPage, role: str) -> None:
    page.show().browser.find_element(By.CSS_SELECTOR, f'[data-role="{role}"]').click()


def visit(page: BenchPage, round_: object) -> None:
    page.script("location.hash = arguments[0]", f"round={round_}")


def choose(page: BenchPage, role: str, value: str) -> None:
    option = f'[data-role="{role}"] option[value="{value}"]'
    page.show().browser.find_element(By.CSS_SELECTOR, option).click()


def true_of(served: Any) -> tuple[int, str]:
    """How much is on record, and the table's state."""
    picture = served.picture()
    return picture["bench"]["entries"][-1]["seq"], picture["state"]


def test_a_throw_is_seen_held_and_read(bench: Serve, open_bench: OpenBench) -> None:
    served = bench("dreamcatcher")
    page = open_bench(served)
    play_until(page, served, "dreamcatcher", "no-more-bets")
    page.key("t")
    page.wait(lambda: counts(page)["clapper"][1] > 100, "strikes")
    assert counts(page)["encoder a"][0] > 500
    drawn = page.script("return document.querySelector('.waves').getAttribute('aria-label')")
    assert "encoder a" in drawn
    assert "strikes" in drawn
    click(page, "hold")
    held = page.script(_WAVE)
    page.wait_for("result")
    assert page.script(_WAVE) == held
    click(page, "hold")
    page.wait(lambda: page.script(_WAVE) != held, "what is now")
    choose(page, "time-base", "0.5")
    width = page.script("return document.querySelector('.waves').viewBox.baseVal.width")
    assert width == 100
    slider = page.browser.find_element(By.CSS_SELECTOR, ".scope input")
    assert page.script(_LEVELS) == [""] * 4
    slider.send_keys(Keys.ARROW_LEFT)
    page.wait(lambda: "before now" in page.role("signals-at"), "the time at the cursor")
    assert set(page.script(_LEVELS)) <= {"low", "high"}
    served_levels = {line["line"]: line["level"] for line in served.picture()["bench"]["lines"]}
    assert page.script(_LEVELS) == ["high" if level else "low" for level in served_levels.values()]
    assert page.errors() == []


def test_a_round_is_replayed_by_its_address_and_nothing_happens_at_the_table(
    bench: Serve, open_bench: OpenBench, open_page: Open
) -> None:
    served = bench("dreamcatcher")
    page = open_bench(served)
    play(page, served, "dreamcatcher")
    before = true_of(served)
    record = open_page(served, RECORD)
    record.wait_for_words("Replay")
    address = record.script("return document.querySelector('[aria-label=\"Replay round 1\"]').href")
    assert address == f"{served.address}/bench#round=1"
    assert page.role("replay-last") == "replay round 1"
    live = page.script(_DISC)
    click(page, "replay-last")
    page.wait_for_role("signals-title", "Round 1, replayed")
    assert counts(page)["encoder a"][0] > 2000
    choose(page, "speed", "4")
    click(page, "play")
    page.wait(lambda: "no more bets" in page.role("decided"), "the decision")
    at, disc = page.script(_AT), page.script(_DISC)
    assert at > 0
    page.wait(lambda: page.script(_DISC) != disc, "the wheel turning")
    assert "RESULT" not in page.role("decided")
    page.wait(lambda: "RESULT 20" in page.role("decided"), "the result")
    page.wait(lambda: page.role("play") == "Play", "the end of the round")
    assert page.script(_AT) > at
    page.script(
        "const s = document.querySelector('.scope input'); s.value = 0; s.dispatchEvent(new Event('input'))"
    )
    assert "no more bets" not in page.role("decided")
    click(page, "live")
    page.wait_for_role("signals-title", "Signals")
    page.wait(lambda: page.script(_DISC) == live, "the wheel where it stands")
    assert page.script("return location.hash") == ""
    assert true_of(served) == before
    assert page.errors() == []


def test_a_wrong_address_is_answered_and_the_bench_goes_on(bench: Serve, open_bench: OpenBench) -> None:
    served = bench("dreamcatcher")
    page = open_bench(served)
    for wrong, words in (
        ("abc", "There is no round “abc”"),
        ("-1", "There is no round “-1”"),
        ("%zz", "There is no round"),
        ("99", "Round 99 cannot be replayed: there is no record of it."),
    ):
        visit(page, wrong)
        page.wait_for_role("replay-status", words)
        assert page.role("signals-title") == "Signals"
    page.script("location.hash = ''")
    page.wait(lambda: page.role("replay-status") == "", "no complaint")
    play_until(page, served, "dreamcatcher", "no-more-bets")
    assert counts(page)["encoder a"][0] > 500


def test_dice_are_replayed_by_their_decisions_alone(bench: Serve, open_bench: OpenBench) -> None:
    served = bench("sic-bo")
    page = open_bench(served)
    assert page.role("signals") == ""
    play(page, served, "sic-bo")
    visit(page, 1)
    page.wait_for_role("signals-title", "Round 1, replayed")
    click(page, "play")
    page.wait(lambda: "RESULT 3-4-6" in page.role("decided"), "the result")
    click(page, "live")
    page.wait(lambda: page.role("signals") == "", "no signals")


@pytest.mark.parametrize("game", ["dreamcatcher", "roulette"])
def test_the_signals_fit_every_screen_and_move_nothing(game: str, bench: Serve, open_bench: OpenBench) -> None:
    served = bench(game)
    page = open_bench(served)
    play(page, served, game)
    wrong = []
    for replaying in (False, True):
        if replaying:
            visit(page, 1)
            page.wait_for_role("signals-title", "Round 1, replayed")
        for size in BOARD_SIZES.values():
            resize(page.show().browser, size)
            page.browser.execute_async_script(_DRAWN)
            if page.script(_WIDE) > 0:
                wrong.append(f"{size} is too narrow")
            below = page.script(f"scrollTo(0, 0); {_BELOW}")
            waves = page.browser.find_element(By.CSS_SELECTOR, ".waves")
            ActionChains(page.browser).move_to_element(waves).perform()
            page.wait(lambda: page.script(_LEVELS)[0] != "", "the level at the cursor")
            if page.script(f"scrollTo(0, 0); {_BELOW}") != below:
                wrong.append(f"{size}: what is below moves")
    assert not wrong, "\n".join(wrong)
