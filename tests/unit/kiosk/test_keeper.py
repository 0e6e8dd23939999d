"""What stands at the display of a table: its page, a sentence, or nothing; seen by who sits before it."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from controller.kiosk.keeper import AGAIN_S, HELD_AGAIN_S, HELD_WITHIN_S, LOST_S, Keeper
from controller.kiosk.notice import NoticePage
from controller.kiosk.settings import KioskSettings

DEALER = "http://127.0.0.1:8080/dealer"


@dataclass
class Display:
    """A display, a browser and a table, each as a test has it."""

    folder: Path
    settings: KioskSettings = field(default_factory=lambda: KioskSettings("dealer", DEALER))
    outputs: tuple[str, ...] = ("HDMI-A-1",)
    table_answers: bool = True
    held: bool = True
    sentences: tuple[str, ...] = ("The table is starting.",)
    url: str = ""
    running: bool = False
    opened: int = 0
    requests: int = 0
    now_s: float = 1000.0

    def __post_init__(self) -> None:
        self.notice = NoticePage(self.folder / "notice.html")
        self.keeper = Keeper(
            lambda: self.settings,
            lambda: self.outputs,
            self,
            self.notice,
            self._answers,
            lambda url: self.held and self.running and self.url == url,
            lambda: self.sentences,
        )

    def _answers(self, url: str) -> bool:
        self.requests += 1
        return self.table_answers

    def open(self, url: str) -> None:
        self.url, self.running, self.opened = url, True, self.opened + 1

    def close(self) -> None:
        self.url, self.running = "", False

    def wait(self, seconds: float) -> bool:
        """Time passes, with a look every second."""
        stays = True
        for _ in range(round(seconds)):
            self.now_s += 1
            stays = self.keeper.look(self.now_s)
        return stays

    def shows(self) -> str:
        """What can be read there: an address of the table, or the sentences."""
        if not self.running or self.url != self.notice.url:
            return self.url
        return (self.folder / "notice.html").read_text("utf-8")


@pytest.fixture
def display(tmp_path: Path) -> Display:
    return Display(tmp_path)


def test_a_table_that_plays_is_shown_and_gets_no_requests(display: Display) -> None:
    display.wait(3600)
    assert display.shows() == DEALER
    assert (display.opened, display.requests) == (1, 1)


def test_before_the_table_is_ready_a_sentence_says_so_and_its_page_follows(display: Display) -> None:
    display.table_answers = False
    display.wait(3)
    assert "The table is starting." in display.shows()
    display.sentences = ("The table has ended, and is started again.", "no chip <pinctrl> found")
    display.wait(2)
    assert "no chip &lt;pinctrl&gt; found" in display.shows()
    assert display.opened == 1  # The browser reads the changed sentences itself.
    display.table_answers = True
    display.wait(2)
    assert display.shows() == DEALER


def test_wrong_settings_are_said_until_they_are_right(display: Display) -> None:
    display.settings = KioskSettings(problems=("table.yaml:3:1: gane: unknown key; did you mean game?",))
    display.wait(3)
    assert "did you mean game?" in display.shows()
    display.settings = KioskSettings("dealer", DEALER)
    display.wait(3)
    assert display.shows() == DEALER


def test_a_browser_that_ends_comes_back(display: Display) -> None:
    display.wait(10)
    display.running = False
    display.wait(AGAIN_S + 2)
    assert (display.shows(), display.opened) == (DEALER, 2)


def test_a_browser_that_never_opens_the_page_is_started_again(display: Display) -> None:
    display.held = False
    display.wait(HELD_WITHIN_S - 5)
    assert display.opened == 1
    display.wait(AGAIN_S + 10)
    assert display.opened == 2


def test_a_page_that_has_lost_a_table_that_answers_needs_a_new_browser(display: Display) -> None:
    display.wait(10)
    display.held = False
    display.wait(LOST_S)
    assert display.opened == 1
    display.wait(HELD_AGAIN_S + AGAIN_S)
    assert display.opened == 2


def test_a_table_that_is_gone_is_explained_once_its_page_has_said_so_for_a_while(display: Display) -> None:
    display.wait(10)
    display.held = display.table_answers = False
    display.sentences = ("The table has ended. Call the technician.",)
    display.wait(LOST_S - 3)
    assert display.shows() == DEALER
    display.wait(5)
    assert "Call the technician." in display.shows()


def test_a_display_that_is_plugged_in_later_shows_the_page(
    display: Display, caplog: pytest.LogCaptureFixture
) -> None:
    display.outputs = ()
    display.wait(60)
    assert (display.shows(), display.opened) == ("", 0)
    display.outputs = ("HDMI-A-2",)
    display.wait(3)
    assert display.shows() == DEALER
    display.outputs = ()
    caplog.clear()
    with caplog.at_level("WARNING"):
        display.wait(60)
    assert display.shows() == ""
    assert [record.getMessage() for record in caplog.records if record.levelname == "WARNING"] == [
        "no display is connected: nothing is shown until there is one"
    ]


def test_a_kiosk_that_is_no_longer_configured_ends(display: Display) -> None:
    assert display.wait(5)
    display.settings = KioskSettings()
    assert not display.wait(1)
    assert display.shows() == ""
