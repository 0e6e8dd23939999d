"""A fork that a person settles in a browser, and the page of what people did; everybody can use both."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser_access import violations
from browser_logon import PASSWORD, SIZES, LogOnPage
from chromium import Size
from contracts.floor_store_cases import opened, rows
from floor_messages import arrived, record, spin
from served_floor import ServedFloor
from stored_floor import NOW_MS, utc

from config.door import LogOnSection
from controller.access import accounts, one_time
from controller.access.accounts import NewAccount
from controller.access.roles import Role
from controller.floor.store import schema

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

_LOOK_S = 0.1


class ForkedHall:
    """A floor with a fork, whose writer takes up what is settled; and a person for each role."""

    def __init__(self, folder: Path) -> None:
        file = folder / "accounts.json"
        self.people: dict[str, NewAccount] = {
            name: accounts.add(file, name, Role(role), PASSWORD)
            for name, role in (("ana", "look"), ("eve", "administer"))
        }
        self.served = ServedFloor(folder, LogOnSection(accounts=str(file)))
        self.store = opened(str(self.served.engine.url), self.served.record)
        ours, theirs = (
            record([3] * 6, spins=[spin(1)], dealer="4711", results=["40"], changed_from=change)
            for change in (None, 2)
        )
        self.store.take([arrived(one) for one in (*ours[:4], *theirs[2:])])
        self._ends = threading.Event()
        self._writer = threading.Thread(target=self._look_after)
        self._writer.start()

    def _look_after(self) -> None:
        while not self._ends.wait(_LOOK_S):
            self.store.look_after([], utc(NOW_MS))

    def code(self, name: str) -> str:
        """The present code of a person's authenticator."""
        step = self.served.clock.utc_ns() // 1_000_000_000 // one_time.STEP_S
        return one_time.code(self.people[name].one_time, step)

    def close(self) -> None:
        self._ends.set()
        self._writer.join()
        self.store.close()
        self.served.close()


@pytest.fixture
def hall(tmp_path: Path, tabs: "Chrome") -> Iterator[ForkedHall]:
    found = ForkedHall(tmp_path)
    yield found
    tabs.delete_all_cookies()
    found.close()


def at_alert(tabs: "Chrome", hall: ForkedHall, name: str, size: Size = SIZES["hd"]) -> LogOnPage:
    """Log on, and follow the alert's link."""
    page = LogOnPage(tabs, hall.served.address, "/", size)
    page.wait(lambda: page.role("log-on") != "", "the log-on")
    page.log_on(name, hall.code(name))
    page.wait(lambda: page.at("/"), "the tables")
    page.wait(lambda: bool(page.script("return document.querySelector('[data-settle]')")), "the alert")
    page.browser.find_element("css selector", "[data-settle]").click()
    page.wait(lambda: "round 2" in page.role("forks"), "the branches")
    return page


def fits(page: LogOnPage) -> bool:
    found: bool = page.script("return document.documentElement.scrollWidth <= innerWidth")
    return found


def test_a_fork_is_settled_and_then_shown_with_who_when_and_why(tabs: "Chrome", hall: ForkedHall) -> None:
    page = at_alert(tabs, hall, "eve")
    branches = page.script("return [...document.querySelectorAll('.branch h3')].map((one) => one.innerText)")
    assert branches == ["stored first: 2 rounds", "kept apart: 4 rounds"]
    boxes = page.script(
        "return [...document.querySelectorAll('.branch')].map((one) => one.getBoundingClientRect().top)"
    )
    assert boxes[0] == boxes[1], "side by side"
    marked = page.script("return [...document.querySelectorAll('.differs b')].map((one) => one.innerText)")
    assert marked == ["round 4", "round 5"], "those that the other branch does not have"
    page.browser.find_element("css selector", '[value="disputed"]').click()
    page.browser.find_element("css selector", '[data-role="do"]').click()
    assert not rows(hall.store, schema.settlements), "not without a reason"
    page.browser.find_element("id", "reason").send_keys("<b>the old disk was put back</b>")
    page.browser.find_element("css selector", '[data-role="do"]').click()
    page.wait(
        lambda: "Settled: 2 rounds that were stored are kept apart" in page.role("outcome"), "that it is settled"
    )
    page.wait(lambda: page.role("settle-part") == "", "that nothing is left to settle")
    settled = page.role("settled")
    assert "eve" in settled
    assert "fork disputed" in settled
    assert "<b>the old disk was put back</b>" in settled, "as it was typed"
    assert page.errors() == []
    page.browser.find_element("css selector", '[href="/access"]').click()
    page.wait(lambda: "fork settled" in page.role("entries"), "the record")
    assert "The record verifies: the hashes of all 2 entries fit" in page.role("chain")
    page.browser.find_element("css selector", '[name="person"]').send_keys("nobody")
    page.wait(lambda: "no such entry" in page.role("count"), "that there is none")
    assert page.errors() == []


def test_who_may_only_look_sees_both_branches_and_who_settles(tabs: "Chrome", hall: ForkedHall) -> None:
    page = at_alert(tabs, hall, "ana")
    assert "A person with the role administer settles it here" in page.role("settle-part")
    assert page.script("return [...document.querySelectorAll('[name=choice]')].every((one) => one.disabled)")
    assert page.role("do") == ""
    assert not page.script("return document.querySelector('[href=\"/access\"]')")
    assert page.errors() == []


@pytest.mark.parametrize("size", SIZES)
def test_everybody_can_settle_and_read_what_was_done(
    tabs: "Chrome", hall: ForkedHall, size: str, tmp_path: Path
) -> None:
    page = at_alert(tabs, hall, "eve", SIZES[size])
    assert violations(page) == []
    assert fits(page), "nothing is cut off"
    page.browser.save_screenshot(str(tmp_path / f"settle-{size}.png"))
    page.browser.get(hall.served.address + "/access")
    page.wait(lambda: "logged on" in page.role("entries"), "the record")
    assert violations(page) == []
    assert fits(page), "nothing is cut off"
    page.browser.save_screenshot(str(tmp_path / f"access-{size}.png"))
