"""The floor's pages in a browser: alerts, sorting, finding, limits that count down, and everybody can use them."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser_access import violations
from chromium import Size
from pages import Page
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys
from served_floor import ServedFloor
from sqlalchemy import delete
from stored_floor import NOW_MS, a_table, an_alert, fill, insert, limits, utc

from controller.floor.store import schema

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

SIZES: dict[str, Size] = {"hd": (1280, 720), "full": (1920, 1080), "4k": (3840, 2160), "phone": (390, 844)}
MISSING = "/tables/nobody"
PATHS = (
    "/",
    "/tables/roulette-1",
    "/wheels",
    "/wheels/S%2Froulette-1",
    "/statistics",
    "/statistics/rounds",
    "/updates",
    MISSING,
)
MOST_ROWS = 200


class FloorPage(Page):
    """A page of the floor; it has loaded once it shows the data that it requested."""

    def arrive(self) -> None:
        if self.path == "/":
            self.wait(lambda: bool(self.names()), "a table")
        elif self.path != MISSING:
            self.wait(lambda: bool(self.script("return document.querySelector('tbody tr')")), "a row")

    def names(self) -> list[str]:
        """The tables that are drawn, in order."""
        rows = """[...document.querySelectorAll('[data-role="grid"] tr[data-row]')]"""
        found: list[str] = self.script(f"return {rows}.map((row) => row.dataset.row)")
        return found

    def cell(self, table: str, title: str) -> str:
        """What a table's row says."""
        place = f'tr[data-row="{table}"] [data-label="{title}"]'
        found: str = self.script("return document.querySelector(arguments[0]).innerText", place)
        return found

    def choose(self, name: str, value: str) -> None:
        """Choose in the filter, as a person does who sees it."""
        self.script(
            'const field = document.querySelector(`[name="${arguments[0]}"]`); field.value = arguments[1];'
            "field.dispatchEvent(new Event('input', {bubbles: true}));",
            name,
            value,
        )


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[ServedFloor]:
    """A dozen tables."""
    served = ServedFloor(tmp_path)
    fill(served.engine, tables=12, rounds=60, seed=4)
    yield served
    served.close()


def test_active_alerts_come_first_and_a_new_alert_appears_by_itself(tabs: "Chrome", floor: ServedFloor) -> None:
    insert(floor.engine, {"alerts": [an_alert("sic-bo-2", "the panel is dark", NOW_MS - 300_000)]})
    page = FloorPage(tabs, floor.address, "/")
    assert page.names()[0] == "sic-bo-2"
    assert "1 active alert" in page.role("alerts-title")
    assert "the panel is dark" in page.role("alerts")
    assert "have it mended" in page.role("alerts")
    assert "for 5 min" in page.role("alerts")
    insert(floor.engine, {"alerts": [an_alert("roulette-3", "<b>bold</b>", NOW_MS)]})
    floor.changed()
    page.wait_for_words("<b>bold</b>")
    page.wait(lambda: "roulette-3" in page.names()[:2], "it among the first")
    assert "2 active alerts" in page.role("alerts-title")
    assert [page.data(name) for name in ("figure", "state", "round", "tone")] == [""] * 4, "a floor has none"
    assert page.errors() == []


def test_tables_are_sorted_by_any_column_and_found_by_text(tabs: "Chrome", floor: ServedFloor) -> None:
    page = FloorPage(tabs, floor.address, "/")
    button = page.browser.find_element("css selector", '[data-sort="table"]')
    button.click()
    games = ("casino-war", "dreamcatcher", "roulette", "sic-bo")
    names = [f"{game}-{number}" for game in games for number in (1, 2, 3)]
    assert page.names() == names
    assert page.script("return document.querySelector('[aria-sort]').getAttribute('aria-sort')") == "ascending"
    button.send_keys(Keys.ENTER)
    assert page.names() == names[::-1], "by the keyboard, too"
    page.browser.find_element("css selector", '[data-sort="voids"]').click()
    rates = [float(page.cell(name, "void").split()[0]) for name in page.names()]
    assert rates == sorted(rates), "least first"
    page.browser.find_element("css selector", '[name="text"]').send_keys("roulette")
    assert set(page.names()) == {"roulette-1", "roulette-2", "roulette-3"}
    assert "3 of 12" in page.role("count")
    page.choose("text", "")
    page.choose("game", "sic-bo")
    assert set(page.names()) == {"sic-bo-1", "sic-bo-2", "sic-bo-3"}
    page.choose("which", "alerts")
    assert page.names() == []
    assert page.errors() == []


def test_limits_about_to_change_count_down(tabs: "Chrome", floor: ServedFloor) -> None:
    state = {"limits": limits(500, NOW_MS + 1_800_000)}
    insert(floor.engine, {"tables": [a_table("announced", state=state)]})
    page = FloorPage(tabs, floor.address, "/")
    page.choose("which", "pending")
    first = page.cell("announced", "limits")
    assert "$500 – $50,000" in first
    assert "$1,000 – $100,000 in 29:" in first or "$1,000 – $100,000 in 30:00" in first
    page.wait(lambda: page.cell("announced", "limits") != first, "another second")
    assert page.cell("announced", "limits") < first


def test_a_thousand_tables_are_a_few_hundred_rows_and_all_are_found(tabs: "Chrome", floor: ServedFloor) -> None:
    insert(floor.engine, {"tables": [a_table(f"t-{number}") for number in range(1000)]})
    page = FloorPage(tabs, floor.address, "/")
    assert len(page.names()) <= MOST_ROWS
    assert "1012 tables" in page.role("count")
    page.browser.find_element("css selector", '[name="text"]').send_keys("t-999")
    assert page.names() == ["t-999"]
    drawn_ms = page.script(
        "const field = document.querySelector('[type=search]'); field.value = ''; const begun = performance.now();"
        "field.dispatchEvent(new Event('input', {bubbles: true})); document.body.offsetHeight;"
        "return performance.now() - begun"
    )
    assert drawn_ms < 500, "typing is not delayed"


def test_a_lost_connection_is_shown_and_restored_by_itself(tabs: "Chrome", floor: ServedFloor) -> None:
    page = FloorPage(tabs, floor.address, "/")
    floor.link["connected"], floor.link["detail"] = False, "the certificate has run out"
    floor.changed()
    page.wait_for_role("link", "no connection to the broker: the certificate has run out")
    floor.pause()
    page.wait(lambda: "What is shown is old" in page.role("connection"), "that it is old")
    floor.resume()
    page.wait_until_connected()


def test_a_wheels_shares_and_directions_follow_its_spins(tabs: "Chrome", floor: ServedFloor) -> None:
    of, wheel = 37, "S/roulette-1"
    counts = {"wheel": wheel, "position": 0, "direction": "clockwise", "count": 10}
    with floor.engine.begin() as connection:
        connection.execute(delete(schema.wheel_counts).where(schema.wheel_counts.c.wheel == wheel))
    insert(floor.engine, {"wheel_counts": [counts | {"position": at} for at in range(of)]})
    page = FloorPage(tabs, floor.address, "/wheels/S%2Froulette-1")
    assert (page.cell("0", "spins"), page.cell("0", "of the expected")) == ("10", "100 %")
    more = [counts | {"position": at, "direction": "counterclockwise", "count": 20} for at in range(of)]
    insert(floor.engine, {"wheel_counts": more})
    page.script("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait(lambda: page.cell("0", "spins") == "30", "the new spins")
    assert page.cell("0", "of the expected") == "100 %", "of what is expected now"
    assert page.cell("0", "counterclockwise") == "20"
    assert page.errors() == []


@pytest.mark.parametrize("size", SIZES)
def test_every_page_fits_and_has_no_serious_violation(tabs: "Chrome", floor: ServedFloor, size: str) -> None:
    insert(floor.engine, {"alerts": [an_alert("roulette-1", "the panel is dark")]})
    refused = {"table": "roulette-1", "reason": "not-json", "count": 3, "last": utc(NOW_MS)}
    insert(floor.engine, {"refused_count": [refused]})
    found: list[str] = []
    for path in PATHS:
        page = FloorPage(tabs, floor.address, path, SIZES[size])
        found += violations(page)
        wider: int = page.script("return document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0, f"{path} is {wider} px wider than {size}"
        broken: list[Any] = page.script(
            "return [...document.images].filter((one) => one.complete && !one.naturalWidth).map((one) => one.src)"
        )
        assert broken == []
        errors = [] if path == MISSING else page.errors()  # There the browser complains of the status 404.
        assert errors == []
    assert found == []


def test_tab_leads_to_every_button_and_link_and_shows_where_it_is(tabs: "Chrome", floor: ServedFloor) -> None:
    page = FloorPage(tabs, floor.address, "/")
    total: int = page.script("return document.querySelectorAll('a, button:not([hidden]), input, select').length")
    reached = 0
    for _ in range(total + 5):
        ActionChains(page.show().browser).send_keys(Keys.TAB).perform()
        if page.script("return document.activeElement === document.body"):
            break
        assert page.script("return getComputedStyle(document.activeElement).outlineStyle !== 'none'")
        reached += 1
    hidden: int = page.script("return document.querySelectorAll('[hidden] a, [hidden] button').length")
    assert reached >= total - hidden - 1, "the list that scrolls is no place of its own"


def test_the_page_of_updates_says_what_each_table_runs_and_did_with_the_offer(
    tabs: "Chrome", floor: ServedFloor
) -> None:
    page = FloorPage(tabs, floor.address, "/updates")
    assert "table.raucb, version 0.6.0, 141.6 MB" in page.role("offered")
    assert page.names() == ["roulette-1", "sic-bo-2"]
    assert page.cell("roulette-1", "runs") == "0.5.0, slot A"
    assert page.cell("roulette-1", "this update") == "refused"
    assert page.cell("roulette-1", "why") == "table.raucb is <b>older</b>"
    assert "no card's image runs there" in page.cell("sic-bo-2", "runs")
