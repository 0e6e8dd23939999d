"""A table whose journal cannot be used: its lamps are off, and it only reacts to the floorperson's key.

With the key and a confirmation, a new journal is started.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from controller.access.authentication import FLOOR_KEY, Authentication
from controller.events.event import Identified, IdentityRefused, Press
from controller.journal.wrong_pins import WrongPins, keep_wrong_pins, read_wrong_pins
from controller.runtime.devices import Devices
from controller.tracking.keys import KeyTracker
from hal.errors import HalError
from hal.events import FaultEvent, KeyEvent, SwitchEvent
from hal.interfaces import Clock

log = logging.getLogger(__name__)

CONFIRM_KEY = "clear"
"""A key that every game has, and that has no effect by itself."""
PATIENCE_NS = 30_000_000_000
_SHOWN_NS = 5_000_000_000
"""A refusal is shown for so long, or until the next attempt may be made."""
STATUS = "the table is closed: the journal is {}; the floorperson's key, then clear, begins a new journal"
PROMPT = "floorperson: press clear to begin a new journal; the old one is kept, and the new one records it"
DAMAGED, OF_OTHER_VERSION = "damaged", "of another version"
"""The journal's problem, for messages."""


class LockoutQuestion(NamedTuple):
    """What the floorperson decides: the table's status, and the prompt once the key was turned."""

    status: str
    prompt: str


def begin_anew(what: str) -> LockoutQuestion:
    """Whether a new journal begins in the place of one with this problem."""
    return LockoutQuestion(STATUS.format(what), PROMPT)


GO_ON = LockoutQuestion(
    "the table is closed: put the medium that is missing back; or the floorperson's key, then clear, goes on "
    "without it",
    "floorperson: press clear to go on without the medium that is missing; what only that one has is lost",
)
"""Whether play goes on from the one medium that is there, though it may be behind."""


class LockedOutTable:
    """Waits for the floorperson's decision. Wrong PINs delay it, through restarts: a file by the journal has them.

    Args:
        devices: open, not started; the caller that opened them closes them.
        decided: called with the floorperson's credential number; empty if the table requires none.
        question: what the floorperson decides.
        journal: the file of the journal; None to keep nothing.
        pressed: called after each press: :meth:`prompt` may have changed. It changes with time, too.
    """

    def __init__(
        self,
        devices: Devices,
        clock: Clock,
        authority: Authentication,
        decided: Callable[[str], None],
        question: LockoutQuestion | None = None,
        journal: Path | None = None,
        pressed: Callable[[], None] = lambda: None,
    ) -> None:
        self._journal = journal
        self._wrong = read_wrong_pins(journal) if journal is not None else WrongPins()
        self.question = question or begin_anew(DAMAGED)
        self._devices = devices
        self._clock = clock
        self._authority = authority
        self._decided = decided
        self._keys = KeyTracker()
        self._turned: Press | None = None
        """The press of the floorperson's key that waits for confirmation."""
        self._pressed = pressed
        self._refusal, self._refused_until_ns = "", 0

    def start(self) -> None:
        """Turn every lamp off, and start to take input."""
        with suppress(HalError):  # A panel that cannot be reached cannot be changed.
            self._devices.panel.show(frozenset())
        for name, keys in self._devices.keys.items():
            keys.start(partial(self._on_key, name))
        self._devices.switches.start(self._on_switch)
        if self._authority.required:
            self._authority.started(self._wrong.in_a_row, self._clock.now_ns())
        log.error(self.question.status)

    def prompt(self) -> str:
        """What the floorperson does next, or why that was refused; empty if only the status says what to do."""
        now_ns = self._clock.now_ns()
        if step := self._authority.prompt(now_ns, takes_digits=False):
            return step
        if self._turned is not None and now_ns - self._turned.at_ns <= PATIENCE_NS:
            return self.question.prompt
        return self._refusal if now_ns < self._refused_until_ns else ""

    def _on_key(self, name: str, event: KeyEvent | FaultEvent) -> None:
        if isinstance(event, FaultEvent):
            log.error("%s: %s", name, event.detail or "in order")
            return
        for output in self._keys.key(event, self._clock.utc_ns()):
            self._press(output)

    def _on_switch(self, event: SwitchEvent | FaultEvent) -> None:
        if isinstance(event, SwitchEvent):
            for output in self._keys.switch(event, self._clock.utc_ns()):
                self._press(output)

    def _press(self, event: object) -> None:
        if not isinstance(event, Press):
            return
        before = self._authority.prompt(event.at_ns, takes_digits=False)
        for authenticated in self._authority.press(event, takes_digits=False):
            self._on_authenticated(authenticated)
        prompt = self._authority.prompt(event.at_ns, takes_digits=False)
        if prompt and prompt.partition(":")[0] != before.partition(":")[0]:
            log.info(prompt)
        self._pressed()

    def _keep(self, in_a_row: int) -> None:
        """Before anybody is answered: the power may go."""
        before = self._wrong
        if in_a_row != before.in_a_row:
            self._wrong = WrongPins(in_a_row, before.total + (in_a_row > before.in_a_row))
            if self._journal is not None:
                keep_wrong_pins(self._journal, self._wrong)

    def _on_authenticated(self, event: object) -> None:
        if isinstance(event, IdentityRefused):
            self._keep(event.failures)
            who = (
                f"credential {event.number}: number or PIN is wrong"
                if event.number
                else "turned or keyed too early"
            )
            wait_s = event.wait_ns // 1_000_000_000
            log.warning("%s: wait %d s", who, wait_s)
            what = "number or PIN is wrong" if event.number else "too early"
            self._refusal = f"{what}: wait {wait_s} s, then turn the floorperson's key"
            self._refused_until_ns = event.at_ns + max(event.wait_ns, _SHOWN_NS)
        elif isinstance(event, Identified):
            self._keep(0)
            log.info("floorperson %s identified", event.number)
        if not isinstance(event, Press):
            return
        turned, self._turned = self._turned, None
        if event.control == FLOOR_KEY:
            self._turned = event
            log.info(self.question.prompt)
        elif event.control == CONFIRM_KEY and turned is not None and event.at_ns - turned.at_ns <= PATIENCE_NS:
            self._decided(turned.by)
