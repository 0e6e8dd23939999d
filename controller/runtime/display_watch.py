"""Watches the display of a table's kiosk: one that is unplugged is on record and on other screens.

Play needs no display. A look reads what the kernel knows already, and asks no device.
"""

import logging
from collections.abc import Callable, Iterable
from typing import Protocol

from controller.events.event import Event, Health, SensorHealth
from controller.events.health import DISPLAY
from hal.interfaces import Clock, Timer

log = logging.getLogger("table")

LOOKS_NS = 5_000_000_000
"""How often it is looked at."""
PATIENT_LOOKS = 2
"""Looks without a display before that is on record: one that is switched to another input is away for a moment."""


class Displays(Protocol):
    """A computer's displays."""

    def connected(self) -> tuple[str, ...]:
        """The outputs with a display."""


class DisplayWatch:
    """The display of one table's kiosk.

    Args:
        page: which page it shows, ``board`` or ``dealer``.
        take: takes the events.
    """

    def __init__(
        self, displays: Displays, page: str, clock: Clock, take: Callable[[Iterable[Event]], None]
    ) -> None:
        self._displays = displays
        self._page = page
        self._clock = clock
        self._take = take
        self._timer: Timer | None = None
        self._away = 0
        """Looks without a display, in a row."""

    def start(self) -> None:
        """Look from now on."""
        self._look()

    def close(self) -> None:
        """Stop looking."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        gone_before = self._away >= PATIENT_LOOKS
        self._away = 0 if self._displays.connected() else self._away + 1
        gone = self._away >= PATIENT_LOOKS
        if gone != gone_before:
            self._record(gone)
        self._timer = self._clock.call_at(self._clock.now_ns() + LOOKS_NS, self._look)

    def _record(self, gone: bool) -> None:
        if gone:
            shown = "dealer's screen" if self._page == "dealer" else "players' board"
            detail = f"no display is connected to this computer: the {shown} is not shown"
            log.warning("%s; the table plays on", detail)
            self._take([SensorHealth(self._clock.now_ns(), DISPLAY, Health.GONE, detail)])
        else:
            log.info("a display is connected")
            self._take([SensorHealth(self._clock.now_ns(), DISPLAY, Health.OK)])
