"""Keeps the right page at the display: the table's, or sentences while there is none.

While the browser holds the table's page, the table is asked nothing.
"""

import logging
from collections.abc import Callable
from typing import Protocol

from controller.kiosk.notice import NoticePage
from controller.kiosk.settings import KioskSettings

log = logging.getLogger("kiosk")

LOST_S = 15.0
"""So long the page itself says that it has no connection; then a sentence says why."""
HELD_WITHIN_S = 120.0
"""A browser that has not opened the page's stream by then is started anew. On a slow computer it takes a minute."""
AGAIN_S = 5.0
"""From the end of a browser to the start of the next."""
HELD_AGAIN_S = 30.0
"""A page that lost its stream opens it anew within seconds, if the table answers; else it needs a new browser."""


class Shown(Protocol):
    """The browser."""

    url: str

    @property
    def running(self) -> bool: ...

    def open(self, url: str) -> None: ...

    def close(self) -> None: ...


class Keeper:
    """What is at the display of one table.

    Args:
        settings: what is to be shown now.
        connected: the outputs with a display.
        browser: draws it.
        notice: the page of sentences.
        answers: whether the table serves a page.
        holds: whether the browser has a connection to the page's server.
        sentences: why the table's page does not answer.
    """

    def __init__(
        self,
        settings: Callable[[], KioskSettings],
        connected: Callable[[], tuple[str, ...]],
        browser: Shown,
        notice: NoticePage,
        answers: Callable[[str], bool],
        holds: Callable[[str], bool],
        sentences: Callable[[], tuple[str, ...]],
    ) -> None:
        self._settings, self._connected = settings, connected
        self._browser, self._notice = browser, notice
        self._answers, self._holds, self._sentences = answers, holds, sentences
        self._display: bool | None = None
        self._opened_s = self._held_s = self._answered_s = float("-inf")
        self._closed_s = float("-inf")

    def look(self, now_s: float) -> bool:
        """Look once, and put right what is not; False once nothing is to be shown any more.

        Args:
            now_s: monotonic.
        """
        settings = self._settings()
        if not settings.shows:
            self._browser.close()
            return False
        if not self._has_display():
            self._browser.close()
        elif self._browser.url and not self._browser.running:
            log.warning("the browser has ended; it is started again")
            self._end(now_s)
        elif now_s - self._closed_s >= AGAIN_S:
            self._show(settings, now_s)
        return True

    def close(self) -> None:
        """Leave the display."""
        self._browser.close()

    def _has_display(self) -> bool:
        outputs = self._connected()
        if bool(outputs) != self._display:
            self._display = bool(outputs)
            if outputs:
                log.info("a display is connected at %s", outputs[0])
            else:
                log.warning("no display is connected: nothing is shown until there is one")
        return self._display

    def _show(self, settings: KioskSettings, now_s: float) -> None:
        if settings.problems:
            self._say(("The settings of the table are wrong.", *settings.problems), now_s)
        elif self._browser.url == settings.url:
            self._keep(settings.url, now_s)
        elif self._answers(settings.url):
            self._open(settings.url, now_s)
        else:
            self._say(self._sentences(), now_s)

    def _keep(self, url: str, now_s: float) -> None:
        """The table's page is shown: as long as it holds its stream, all is well."""
        if self._holds(url):
            self._held_s = now_s
            return
        if self._held_s < self._opened_s:  # Not yet.
            if now_s - self._opened_s >= HELD_WITHIN_S:
                self._begin_anew("the browser does not open the page", now_s)
            return
        lost_s = now_s - self._held_s
        if lost_s >= LOST_S and not self._answers(url):
            self._say(self._sentences(), now_s)
        elif lost_s >= HELD_AGAIN_S:
            self._begin_anew("the page has lost the table, which answers", now_s)

    def _begin_anew(self, why: str, now_s: float) -> None:
        log.warning("%s; the browser is started again", why)
        self._end(now_s)

    def _end(self, now_s: float) -> None:
        self._browser.close()
        self._closed_s = now_s

    def _say(self, sentences: tuple[str, ...], now_s: float) -> None:
        """Show sentences; the page reads changed ones itself."""
        if self._notice.show(sentences):
            log.info("at the display: %s", " ".join(sentences))
        if self._browser.url != self._notice.url:
            self._open(self._notice.url, now_s)

    def _open(self, url: str, now_s: float) -> None:
        log.info("at the display: %s", url)
        self._opened_s = now_s
        try:
            self._browser.open(url)
        except OSError as error:
            log.error("the browser cannot be started: %s", error.strerror)
            self._end(now_s)
