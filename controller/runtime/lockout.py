"""A table whose journal cannot be used: dark, and deaf to all but the floorperson, who may begin a new journal."""

import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from controller.access.authentication import FLOOR_KEY, Authentication
from controller.events.event import IdentityRefused, Press
from controller.runtime.devices import Devices
from controller.tracking.keys import KeyTracker
from hal.errors import HalError
from hal.events import FaultEvent, KeyEvent, SwitchEvent
from hal.interfaces import Clock

log = logging.getLogger(__name__)

AGREES = "clear"
"""The key that every game has, and that never opens anything by itself."""
PATIENCE_NS = 30_000_000_000
WAITS = "the table is closed: the journal is {}; the floorperson's key, then clear, begins a new journal"
ASKS = "floorperson: press clear to begin a new journal; the old one is kept, and the new one records it"
DAMAGED, OF_OTHER_VERSION = "damaged", "of another version"
"""What is wrong with the journal."""


class LockedOutTable:
    """Waits for the decision. Wrong PINs make it wait, and are logged: there is no journal to record them.

    Args:
        devices: open, not started; their opener closes them.
        decided: told the credential number of whoever decided, empty where the table asks for none.
        what: is wrong with the journal.
    """

    def __init__(
        self,
        devices: Devices,
        clock: Clock,
        authority: Authentication,
        decided: Callable[[str], None],
        what: str = DAMAGED,
    ) -> None:
        self._what = what
        self._devices = devices
        self._clock = clock
        self._authority = authority
        self._decided = decided
        self._keys = KeyTracker()
        self._turned: Press | None = None
        """The floorperson's key, as long as it may still be followed by the agreement."""

    def start(self) -> None:
        """Put every lamp out, and listen."""
        with suppress(HalError):  # A panel that cannot be reached shows nothing new either.
            self._devices.panel.show(frozenset())
        for name, keys in self._devices.keys.items():
            keys.start(partial(self._on_key, name))
        self._devices.switches.start(self._on_switch)
        log.error(WAITS.format(self._what))

    def _on_key(self, name: str, event: KeyEvent | FaultEvent) -> None:
        if isinstance(event, FaultEvent):
            log.error("%s: %s", name, event.detail or "in order")
            return
        for heard in self._keys.key(event, self._clock.utc_ns()):
            self._press(heard)

    def _on_switch(self, event: SwitchEvent | FaultEvent) -> None:
        if isinstance(event, SwitchEvent):
            for heard in self._keys.switch(event, self._clock.utc_ns()):
                self._press(heard)

    def _press(self, event: object) -> None:
        if not isinstance(event, Press):
            return
        before = self._authority.prompt(event.at_ns)
        for allowed in self._authority.press(event):
            self._take(allowed)
        prompt = self._authority.prompt(event.at_ns)
        if prompt and prompt.partition(":")[0] != before.partition(":")[0]:
            log.info(prompt)

    def _take(self, event: object) -> None:
        if isinstance(event, IdentityRefused):
            log.warning("number or PIN is wrong: wait %d s", event.wait_ns // 1_000_000_000)
        if not isinstance(event, Press):
            return
        turned, self._turned = self._turned, None
        if event.control == FLOOR_KEY:
            self._turned = event
            log.info(ASKS)
        elif event.control == AGREES and turned is not None and event.at_ns - turned.at_ns <= PATIENCE_NS:
            self._decided(turned.by)
