"""The table's pages in a browser's tabs: what they show, and use of the bench's page."""

import time
from collections.abc import Callable
from typing import Any

from chromium import SIZES, Size, resize
from selenium.common.exceptions import TimeoutException
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE_S = 180.0
"""After it, a page hangs. A wheel turns, or a ball runs, for twenty seconds."""
_LOOKS_S = 0.02
_FINGER_S = 0.1
"""A finger stays on a key for 80 ms; until then the key is down and cannot be pressed again."""
_ROLE = """
const node = document.querySelector(`[data-role="${arguments[0]}"]`);
if (node === null) return null;
if (node.closest('[hidden]')) return '';
const drawn = [...node.querySelectorAll('[role="img"]')].map((one) => one.getAttribute('aria-label'));
return [node.innerText.trim(), ...drawn].join(' ').trim();
"""
_MARKED = (
    "return [...document.querySelectorAll('button.guided')].map((one) => one.dataset.control || one.dataset.key)"
)
_IN_SIGHT = """
const box = document.querySelector('button.guided').getBoundingClientRect();
return box.top >= 0 && box.bottom <= innerHeight;
"""


class Page:
    """One tab.

    Args:
        path: the page's address at the table: ``/``, ``/dealer``.
    """

    def __init__(self, browser: Chrome, address: str, path: str, size: Size = SIZES[0]) -> None:
        self.browser = browser
        self.path = path
        browser.switch_to.new_window("tab")
        self._tab = browser.current_window_handle
        resize(browser, size)
        browser.get(address + path)
        self.wait(lambda: self.data("state") != "", "the first picture")

    def show(self) -> "Page":
        """Bring the tab to the front; tabs in the background are not updated."""
        if self.browser.current_window_handle != self._tab:
            self.browser.switch_to.window(self._tab)
        return self

    # -- looking -------------------------------------------------------------------------------------------

    def wait(self, true: Callable[[], bool], what: str) -> None:
        """Poll until a condition holds.

        Raises:
            TimeoutException: it does not within the time; with ``what`` and what the page shows instead.
        """
        waits = WebDriverWait(self.browser, PATIENCE_S, poll_frequency=_LOOKS_S)
        try:
            waits.until(lambda _: true())
        except TimeoutException:
            shown = self.script("return document.body.innerText")
            stands = f"{self.path} in {self.data('state') or 'no state'} never showed {what}, but:"
            raise TimeoutException(f"{stands}\n{shown}") from None

    def wait_for_role(self, name: str, words: str) -> None:
        """Wait until an element has this text."""
        self.wait(lambda: words in self.role(name), f"'{words}' as {name}")

    def wait_for(self, state: str) -> None:
        """Wait until the table is in a state."""
        self.wait(lambda: self.data("state") == state, f"the state {state}")

    def wait_for_lit(self, areas: set[str]) -> None:
        """Wait until exactly these of the drawn areas are lit."""
        self.wait(lambda: self.areas(lit=True) == areas & self.areas(), f"these lit: {sorted(areas)}")

    def wait_until_connected(self) -> None:
        """Wait until the page is connected to the table."""
        self.wait(lambda: self.role("connection") == "", "that it is connected")

    def data(self, name: str) -> str:
        """An attribute of the body: ``state``, ``round``, ``tone``, ``clock``; empty before the first document."""
        found: str = self.script("return document.body.dataset[arguments[0]] || ''", name)
        return found

    def role(self, name: str) -> str:
        """The text of the element with this role, drawings by their names; empty while it is hidden."""
        text: str | None = self.script(_ROLE, name)
        assert text is not None, f"{self.path} has no element of the role {name}"
        return text

    def areas(self, lit: bool = False) -> set[str]:
        """The areas that the page draws, or those of them that it shows lit."""
        selector = "[data-area].lit" if lit else "[data-area]"
        found: list[str] = self.script(
            "return [...document.querySelectorAll(arguments[0])].map((node) => node.dataset.area)", selector
        )
        return set(found) - {""}

    def script(self, source: str, *given: object) -> Any:
        """What a piece of JavaScript returns in this tab."""
        return self.show().browser.execute_script(source, *given)

    def errors(self) -> list[str]:
        """The browser's errors since the last call: broken scripts, violated policies."""
        entries = self.show().browser.get_log("browser")  # type: ignore[no-untyped-call]
        return [str(entry["message"]) for entry in entries if entry["level"] == "SEVERE"]


class BenchPage(Page):
    """The bench's page, and the people at the table who use it."""

    def __init__(self, browser: Chrome, address: str, size: Size = SIZES[0]) -> None:
        super().__init__(browser, address, "/bench", size)

    def press(self, *controls: str) -> None:
        """Press controls of the table, one after the other."""
        for control in controls:
            self._click(f'[data-control="{control}"]')

    def key(self, *keys: str) -> None:
        """Click the page's buttons for keys of the bench."""
        for key in keys:
            self._click(f'[data-key="{key}"]', logged=False)

    def break_line(self, fault: str, line: str) -> None:
        """Inject a fault of a line by the page's form."""
        for name, value in (("fault", fault), ("target", line)):
            choice = f'[data-role="inject"] [name="{name}"] option[value="{value}"]'
            self.wait(lambda choice=choice: bool(self.browser.find_elements(By.CSS_SELECTOR, choice)), choice)
            self.browser.find_element(By.CSS_SELECTOR, choice).click()
        self._click('[data-role="inject"] [type="submit"]')

    def marked(self) -> list[str]:
        """The controls or keys of the buttons that the guide marks."""
        found: list[str] = self.script(_MARKED)
        return found

    def sees_marked(self) -> bool:
        """Whether nobody has to scroll to the marked button."""
        return bool(self.script(_IN_SIGHT))

    def log(self) -> str:
        """The lines of the log."""
        return self.role("log")

    def _click(self, selector: str, logged: bool = True) -> None:
        self.show()
        before = self.log()
        self._button(selector).click()
        if logged:
            self.wait(lambda: self.log() != before, f"in its log that {selector} was pressed")
        clicked = time.monotonic()  # By now the key is down; when it was clicked, the bench may have been busy.
        self.wait(lambda: time.monotonic() - clicked >= _FINGER_S, "the end of a press")

    def _button(self, selector: str) -> WebElement:
        found = [one for one in self.browser.find_elements(By.CSS_SELECTOR, selector) if one.is_displayed()]
        assert found, f"{self.path} offers no {selector}"
        return found[0]
