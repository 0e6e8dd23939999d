"""A table whose journal cannot be used: its lamps are off, and it only reacts to the floorperson's key.

A new journal begins when the floorperson turns the key, and confirms the only entry of the menu.
"""

import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from config.schema import TableConfig
from controller.events.event import Act, Event, Identified, IdentityRefused, SensorHealth
from controller.events.table_words import TABLE_WORDS
from controller.events.words import say
from controller.journal.set_aside import WRONG_PINS, WrongPins, note, read_wrong_pins
from controller.machine.offers import Offer
from controller.runtime.table import open_devices, staff_of
from controller.table.desk import Desk, Staff
from controller.table.inputs import Inputs
from controller.table.prompts import Asked, Place, sentence_of
from controller.table.sensor_head import SensorHead
from hal.errors import HalError
from hal.interfaces import Clock

log = logging.getLogger(__name__)


class LockedOutTable:
    """Waits for the floorperson's decision. Wrong PINs delay it, through restarts: a file by the journal has them.

    Args:
        what: the journal's problem: ``damaged``.
        journal: its file.
        changed: called when :meth:`prompt` may have changed.
        staff: who may decide, if not those of the configuration.

    Attributes:
        decided: the floorperson's credential number, empty if the table requires none; None before.

    Raises:
        HalError: a device does not respond.
    """

    def __init__(
        self,
        config: TableConfig,
        clock: Clock,
        what: str,
        journal: Path,
        changed: Callable[[], None],
        staff: Staff | None = None,
    ) -> None:
        self.decided: str | None = None
        self.status = (
            f"the table is closed: the journal is {what}; turn the floorperson's key to begin a new journal"
        )
        self._journal = journal
        self._wrong = read_wrong_pins(journal)
        self._clock = clock
        self._desk = Desk(self, staff or staff_of(config), log_on=False)
        if self._desk.asks_credentials:
            self._desk.started({Asked.FLOORPERSON: self._wrong.in_a_row}, "", clock.now_ns())
        self._devices = open_devices(config, clock)
        with suppress(HalError):  # A panel that cannot be reached cannot be changed.
            self._devices.panel.show(frozenset())
        no_head = SensorHead(None, None, clock, self._take, log.error)
        self._inputs = Inputs(self._devices._replace(reader=None), no_head, self._desk, self._take)
        self._inputs.prompt_listeners.append(lambda view: changed())
        self._inputs.start()
        log.error(self.status)

    def place(self) -> Place:
        return 0, ""

    def offers(self) -> tuple[Offer, ...]:
        """The floorperson's decision is the only entry."""
        return (Offer("begin-journal", expected=True),)

    def calls(self, control: str) -> tuple[Offer, ...]:
        """No key of the dealer's does anything."""
        return ()

    def would_take(self, control: str) -> bool:
        return False

    def events_of(self, act: Act) -> list[Event]:
        return [act]

    def close(self) -> None:
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
