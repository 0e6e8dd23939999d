"""A table whose journal cannot be used: its lamps are off, and it only reacts to the floorperson's key.

A new journal begins when the floorperson turns the key and presses ``enter``.
"""

import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from controller.events.event import Act, Event, Identified, IdentityRefused, SensorHealth
from controller.events.table_words import TABLE_WORDS
from controller.events.words import say
from controller.journal.set_aside import WRONG_PINS, WrongPins, note, read_wrong_pins
from controller.machine.offers import Offer
from controller.table.desk import Desk, Staff
from controller.table.inputs import Devices, Inputs
from controller.table.prompts import Asked, sentence_of
from controller.table.sensor_head import SensorHead
from hal.errors import HalError
from hal.interfaces import Clock

log = logging.getLogger(__name__)

DAMAGED, OF_OTHER_VERSION = "damaged", "of another version"
"""The journal's problem, for messages."""


class LockedOutTable:
    """Waits for the floorperson's decision. Wrong PINs delay it, through restarts: a file by the journal has them.

    Args:
        devices: open, not started.
        staff: who may decide; None where the key alone is sufficient.
        what: the journal's problem.
        journal: the file of the journal.
        changed: called whenever :meth:`prompt` changes.

    Attributes:
        decided: the floorperson's credential number, empty if the table requires none; None before.
    """

    def __init__(
        self,
        devices: Devices,
        clock: Clock,
        staff: Staff | None,
        what: str,
        journal: Path,
        changed: Callable[[], None],
    ) -> None:
        self.decided: str | None = None
        self.status = (
            f"the table is closed: the journal is {what}; turn the floorperson's key to begin a new journal"
        )
        self._journal = journal
        self._wrong = read_wrong_pins(journal)
        self._devices = devices
        self._clock = clock
        self._desk = Desk(lambda: self, lambda: (0, ""), staff, log_on=False)
        no_head = SensorHead(None, None, clock, self._take, log.error)
        self._inputs = Inputs(devices._replace(reader=None), no_head, self._desk, self._take)
        self._inputs.prompt_listeners.append(lambda view: changed())

    def offers(self) -> tuple[Offer, ...]:
        """The floorperson's decision is the only entry."""
        return (Offer("begin-journal", expected=True),)

    def calls(self, control: str) -> tuple[Offer, ...]:
        """No key of the dealer's does anything."""
        return ()

    def would_take(self, control: str) -> bool:
        return False

    def start(self) -> None:
        with suppress(HalError):  # A panel that cannot be reached cannot be changed.
            self._devices.panel.show(frozenset())
        if self._desk.asks_credentials:
            self._desk.started({Asked.FLOORPERSON: self._wrong.in_a_row}, "", self._clock.now_ns())
        self._inputs.start()
        log.error(self.status)

    def stop(self) -> None:
        self._devices.close()
        self._inputs.close()

    def prompt(self) -> str:
        """What the floorperson does next, or why that was refused; empty if only the status says what to do."""
        return sentence_of(self._desk.view(self._clock.now_ns()), TABLE_WORDS)

    def _take(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, IdentityRefused):
                self._keep(event.failures)
                log.warning("%s", self.prompt())
            elif isinstance(event, Identified):
                self._keep(0)
                log.info("floorperson %s identified", event.number)
            elif isinstance(event, SensorHealth):
                log.error("%s: %s", event.sensor, say(TABLE_WORDS, event.found) if event.found.code else "in order")
            elif isinstance(event, Act):
                self.decided = event.by
            self._inputs.look_at_prompt()

    def _keep(self, in_a_row: int) -> None:
        """Before anybody is answered: the power may go."""
        before = self._wrong
        if in_a_row != before.in_a_row:
            self._wrong = WrongPins(in_a_row, before.total + (in_a_row > before.in_a_row))
            try:
                note(self._journal, WRONG_PINS, self._wrong)
            except OSError as error:
                log.critical("wrong PINs cannot be kept beside %s: %s", self._journal, error.strerror)
