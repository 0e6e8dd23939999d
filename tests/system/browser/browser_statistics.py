"""The statistics' pages in a browser: periods, comparison, what stands out, and the way to the rounds."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser_access import violations
from browser_floor import SIZES, FloorPage
from served_floor import ServedFloor
from stored_floor import dealers, fill, sum_up

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

PATHS = (
    "/statistics?by=table&period=this-week&against=before",
    "/statistics?by=dealer&period=days&first=2026-11-01&last=2026-11-21&against=days&against_first=2026-10-01"
    "&against_last=2026-10-31",
    "/statistics?by=game&period=last-year",
    "/statistics/rounds?hours=24&reason=any",
)
CLIPPED = """
return [...document.querySelectorAll('main p, main li, main h2, main h3, main label, main summary, main button')]
  .filter((one) => one.getClientRects().length && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0
    && !one.closest('.list'))
  .map((one) => one.textContent.slice(0, 60));
"""
"""Texts that are cut off; tables scroll inside their own frames."""


class StatisticsPage(FloorPage):
    """A page of statistics; it has loaded once all of its parts show what they asked for."""

    def arrive(self) -> None:
        if self.path.startswith("/statistics/rounds"):
            self.wait(lambda: self.role("words") != "", "what it lists")
        else:
            self.wait(lambda: self.role("dealers-words") != "", "its last part")
            self.wait_for_pictures()

    def wait_for_pictures(self) -> None:
        """Wait until every chart is drawn."""
        drawn = "return [...document.images].every((one) => one.complete && one.naturalWidth > 0)"
        self.wait(lambda: bool(self.script(drawn)), "its charts")

    def cells(self, grid: str, column: int) -> list[str]:
        """What a column of a grid says, from the top."""
        rows: list[str] = self.script(
            """return [...document.querySelectorAll(`[data-role="${arguments[0]}"] tbody tr`)]
              .map((row) => row.children[arguments[1]].textContent)""",
            grid,
            column,
        )
        return rows


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[ServedFloor]:
    """A dozen tables, their sums, and dealers of whom two stand out."""
    served = ServedFloor(tmp_path)
    fill(served.engine, tables=12, rounds=60, seed=4)
    sum_up(served.engine)
    dealers(served.engine)
    yield served
    served.close()


def test_what_stands_out_comes_first_and_leads_to_its_rounds(tabs: "Chrome", floor: ServedFloor) -> None:
    page = StatisticsPage(tabs, floor.address, "/statistics?by=dealer&period=today")
    found = page.role("findings")
    assert "dealer 101, dreamcatcher: too slow: 60 of 400 throws" in found
    assert "dealer 100, dreamcatcher: always the same direction: 400 of 400 throws clockwise" in found
    assert "at most 1 in 10,000" in page.role("dealers-words")
    page.browser.find_element("css selector", '[data-finding="direction"] a').click()
    page.path = "/statistics/rounds"
    page.arrive()
    assert page.role("words").startswith("game dreamcatcher, dealer 100, from 2026-11-21 00:00")
    assert page.errors() == []


def test_a_number_of_rounds_leads_to_as_many_rounds(tabs: "Chrome", floor: ServedFloor) -> None:
    page = StatisticsPage(tabs, floor.address, "/statistics?by=table&period=today")
    table, rounds = page.cells("grid", 0)[0], int(page.cells("grid", 1)[0])
    assert rounds == 60
    page.browser.find_element("css selector", '[data-role="grid"] tbody td a').click()
    page.path = "/statistics/rounds"
    page.arrive()
    assert page.role("words").startswith(f"table {table}, from 2026-11-21 00:00")
    page.wait(lambda: len(page.cells("grid", 0)) == rounds, "all of its rounds")
    assert page.errors() == []


def test_the_period_and_what_to_compare_with_are_chosen_and_kept_in_the_address(
    tabs: "Chrome", floor: ServedFloor
) -> None:
    page = StatisticsPage(tabs, floor.address, "/statistics")
    assert page.role("compared") == ""
    page.choose("period", "this-week")
    page.choose("against", "before")
    page.wait_for_words("2026-11-09 to 2026-11-15, whole days of the house → 2026-11-16 to 2026-11-21")
    assert page.cells("compared-grid", 1) == ["0 → 60"] * 12
    page.choose("by", "game")
    page.wait(lambda: page.cells("grid", 1) == ["180"] * 4, "the rounds of four games")
    assert "period=this-week" in page.script("return location.search")
    page.choose("game", "sic-bo")
    page.wait(lambda: page.cells("grid", 1) == ["180"], "one game")
    page.wait(lambda: page.cells("voids-numbers", 0) == ["Sic Bo"], "its reasons")
    page.choose("period", "days")
    page.choose("first", "2026-11-20")
    page.choose("last", "2026-11-20")
    page.wait_for_words("No round closed in this time.")
    assert page.errors() == []


def test_every_chart_has_a_table_with_its_numbers(tabs: "Chrome", floor: ServedFloor) -> None:
    page = StatisticsPage(tabs, floor.address, "/statistics?by=game&period=this-week")
    for node in page.browser.find_elements("css selector", "summary"):
        node.click()
    hours = [int(count) for count in page.cells("hours-numbers", 1)]
    assert (len(hours), sum(hours)) == (24, 180)
    assert page.cells("voids-numbers", 0) == ["Casino War", "Dreamcatcher", "Roulette", "Sic Bo"]
    assert page.cells("phases-numbers", 1) == ["3"] * 4
    assert page.cells("dealers-grid", 3)[0] == "clockwise 100\u00a0%"
    alts: list[str] = page.script("return [...document.images].map((one) => one.alt)")
    assert all(len(alt) > 40 for alt in alts)


@pytest.mark.parametrize("size", SIZES)
def test_every_page_fits_cuts_nothing_off_and_has_no_serious_violation(
    tabs: "Chrome", floor: ServedFloor, size: str
) -> None:
    found: list[str] = []
    for path in PATHS:
        page = StatisticsPage(tabs, floor.address, path, SIZES[size])
        page.script("for (const one of document.querySelectorAll('details')) one.open = true;")
        found += violations(page)
        wider: int = page.script("return document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0, f"{path} is {wider} px wider than {size}"
        assert page.script(CLIPPED) == [], path
        assert page.errors() == []
    assert found == []
