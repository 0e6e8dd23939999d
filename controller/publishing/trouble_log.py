"""What prevents publishing: logged once until it changes, and now and then recorded in the cursor's file."""

import logging

from controller.journal.chain import utc_text
from controller.publishing.cursor import Cursor
from hal.interfaces import Clock

log = logging.getLogger("floor")

RECORDED_S = 60.0
"""How often the same trouble is recorded."""


class TroubleLog:
    """The troubles of one publisher.

    Attributes:
        count: how many there were, the same ones each time.
    """

    def __init__(self, cursor: Cursor, clock: Clock) -> None:
        self._cursor, self._clock = cursor, clock
        self._last, self._last_ns = "", 0
        self.count = 0

    def over(self) -> None:
        """It publishes: the same trouble is a new one."""
        self._last = ""

    def note(self, what: str) -> None:
        """Record what prevents publishing; it is logged once until it changes."""
        self.count += 1
        now_ns = self._clock.now_ns()
        if what != self._last:
            log.warning("not publishing to the floor: %s; the table plays on; retrying", what)
        elif now_ns - self._last_ns < RECORDED_S * 1e9:
            return
        self._last, self._last_ns = what, now_ns
        self._cursor.trouble(what, utc_text(self._clock.utc_ns()))
