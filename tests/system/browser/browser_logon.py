"""The floor's log-on in a browser, and an alert that a person acknowledges; everybody can use both."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser_access import violations
from chromium import Size
from pages import Page
from selenium.webdriver.common.keys import Keys
from served_floor import ServedFloor
from stored_floor import NOW_MS, a_table, an_alert, fill, insert, utc

from config.door import LogOnSection
from controller.access import accounts, one_time
from controller.access.accounts import NewAccount
from controller.access.roles import Role

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

PASSWORD = "correct horse battery"
SIZES: dict[str, Size] = {"hd": (1280, 720), "phone": (390, 844)}


class LogOnPage(Page):
    """The log-on, or the page that it leads to."""

    def arrive(self) -> None:
        self.wait(lambda: "north-hall" in self.script("return document.body.innerText"), "the floor's name")

    def log_on(self, name: str, code: str, password: str = PASSWORD) -> None:
        """As a person does, by the keyboard alone."""
        for field, words in (("name", name), ("password", password), ("code", code)):
            element = self.browser.find_element("id", field)
            element.clear()
            element.send_keys(words)
        self.browser.find_element("id", "code").send_keys(Keys.ENTER)

    def at(self, path: str) -> bool:
        found: str = self.script("return location.pathname")
        return found == path


class Hall:
    """A floor with an escalated alert, and a person for each role."""

    def __init__(self, folder: Path) -> None:
        file = folder / "accounts.json"
        self.people: dict[str, NewAccount] = {
            name: accounts.add(file, name, Role(role), PASSWORD)
            for name, role in (("ana", "look"), ("ben", "acknowledge"))
        }
        self.served = ServedFloor(folder, LogOnSection(accounts=str(file)))
        fill(self.served.engine, tables=6, rounds=20, seed=4)
        old = an_alert("sic-bo-2", "the panel is dark", NOW_MS - 1_200_000, escalated=utc(NOW_MS - 300_000))
        new = an_alert("roulette-9", "a wheel that slips", NOW_MS - 60_000, escalated=None)
        insert(self.served.engine, {"tables": [a_table("sic-bo-2"), a_table("roulette-9")]})
        insert(self.served.engine, {"alerts": [new, old]})

    def code(self, name: str) -> str:
        """The present code of a person's authenticator."""
        step = self.served.clock.utc_ns() // 1_000_000_000 // one_time.STEP_S
        return one_time.code(self.people[name].one_time, step)


@pytest.fixture
def hall(tmp_path: Path, tabs: "Chrome") -> Iterator[Hall]:
    found = Hall(tmp_path)
    yield found
    tabs.delete_all_cookies()
    found.served.close()


def logged_on(tabs: "Chrome", hall: Hall, name: str, size: Size = SIZES["hd"]) -> LogOnPage:
    page = LogOnPage(tabs, hall.served.address, "/", size)
    page.wait(lambda: page.role("log-on") != "", "the log-on")
    page.log_on(name, hall.code(name))
    page.wait(lambda: page.at("/"), "the tables")
    page.wait(lambda: "sic-bo-2" in page.role("alerts"), "the alerts")
    page.wait(lambda: bool(page.script("return document.querySelector('.session')")), "who has logged on")
    return page


def test_a_person_logs_on_acknowledges_an_alert_and_logs_off(tabs: "Chrome", hall: Hall) -> None:
    page = logged_on(tabs, hall, "ben")
    assert "ben may acknowledge" in page.role("session").replace("\n", " ")
    first = page.script("return document.querySelector('[data-role=\"alerts\"] li').innerText")
    assert "the panel is dark" in first, "the escalated one, although it is older"
    assert "not acknowledged in time" in first
    page.browser.find_element("css selector", "[data-acknowledge]").click()
    page.wait(lambda: bool(page.script("return document.querySelector('dialog').open")), "the dialogue")
    assert "the panel is dark" in page.script("return document.querySelector('dialog').innerText")
    page.browser.find_element("id", "reason").send_keys("<b>lamp changed</b>", Keys.ENTER)
    page.wait(lambda: "acknowledged by ben" in page.role("alerts"), "that it is acknowledged")
    assert "<b>lamp changed</b>" in page.role("alerts"), "as it was typed"
    assert not page.script("return document.querySelector('dialog').open")
    assert page.errors() == []
    page.browser.find_element("css selector", '[data-role="log-off"]').click()
    page.wait(lambda: page.at("/logon"), "the log-on")
    page.browser.get(hall.served.address + "/wheels")
    page.wait(lambda: page.at("/logon"), "the log-on again")
    kinds = [entry.kind for entry in hall.served.record.latest(10)]
    assert kinds == ["logged-off", "alert-acknowledged", "logged-on"]


def test_after_the_log_on_comes_the_page_opened_first_and_no_other_site(tabs: "Chrome", hall: Hall) -> None:
    page = LogOnPage(tabs, hall.served.address, "/wheels")
    assert page.at("/logon")
    page.log_on("ana", "000000")
    page.wait(lambda: "the name, the password or the code is wrong" in page.role("wrong"), "that it is wrong")
    page.log_on("ana", hall.code("ana"))
    page.wait(lambda: page.at("/wheels"), "the wheels")
    assert page.browser.get_cookie("session")["httpOnly"]
    page.browser.get(hall.served.address + "/")
    page.wait(lambda: "sic-bo-2" in page.role("alerts"), "the alerts")
    assert not page.script("return document.querySelector('.acknowledge, dialog')"), "they may only look"
    page.browser.get(hall.served.address + "/logon?next=https://evil.example/")
    page.arrive()
    started = time.monotonic()
    page.log_on("ben", hall.code("ben"))
    page.wait(lambda: page.at("/") and page.script("return location.host").startswith("127.0.0.1"), "the tables")
    assert time.monotonic() - started < 30


@pytest.mark.parametrize("size", SIZES)
def test_everybody_can_log_on_and_acknowledge(tabs: "Chrome", hall: Hall, size: str, tmp_path: Path) -> None:
    page = LogOnPage(tabs, hall.served.address, "/logon", SIZES[size])
    page.wait(lambda: page.role("log-on") != "", "the log-on")
    assert violations(page) == []
    assert page.script("return document.documentElement.scrollWidth <= innerWidth"), "nothing is cut off"
    page.browser.save_screenshot(str(tmp_path / f"logon-{size}.png"))
    page = logged_on(tabs, hall, "ben", SIZES[size])
    assert violations(page) == []
    assert page.script("return document.documentElement.scrollWidth <= innerWidth"), "nothing is cut off"
    page.browser.save_screenshot(str(tmp_path / f"alerts-{size}.png"))
    page.browser.find_element("css selector", "[data-acknowledge]").click()
    page.wait(lambda: bool(page.script("return document.querySelector('dialog').open")), "the dialogue")
    assert violations(page) == []
    page.browser.save_screenshot(str(tmp_path / f"dialogue-{size}.png"))
