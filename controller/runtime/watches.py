"""What a table watches besides the devices of its game: its journal's files, its computer, its clock and its doors.

A watch is a generator. It yields events, each of which is on record before it goes on.
It yields None until the next look.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from config.schema import ComputerSection
from controller.events.event import (
    BATTERY,
    MIRROR,
    SUPPLY,
    TAMPER,
    CabinetHealth,
    ClockChecked,
    Event,
    Health,
    SensorHealth,
    contact_part,
)
from controller.events.table_words import TABLE_WORDS
from controller.events.words import Text, say, text
from controller.journal.errors import JournalMovedError
from controller.journal.mirror import MirroredJournal
from controller.journal.set_aside import RECOVERED, noted
from controller.runtime.recorder import Recorder
from controller.runtime.table_clock import TableClock
from controller.table.desk import Desk
from controller.table.sensor_head import SensorHead
from hal.computer import ComputerHealth, SupplyReading
from hal.errors import HalError
from hal.events import FaultEvent, SwitchEvent
from hal.interfaces import Clock, TamperInput, Timer

log = logging.getLogger("table")

LOOKS_NS = 5_000_000_000
"""How often a table looks. The kernel asks the firmware for the supply voltage every two seconds."""
BATTERY_EVERY = 720
"""Looks from one at the clock's battery to the next: an hour."""
Watch = Iterator[Event | None]


class Watches:
    """Runs the watches, once the start of the table is on record."""

    def __init__(self, recorder: Recorder, clock: Clock, watches: Sequence[Watch]) -> None:
        self._recorder, self._clock, self._watches = recorder, clock, watches
        self._timer: Timer | None = None

    def look(self) -> None:
        for watch in self._watches:
            while (event := next(watch)) is not None:
                self._recorder.take([event])
        if not self._recorder.halted:
            self._timer = self._clock.call_at(self._clock.now_ns() + LOOKS_NS, self.look)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


def watch_journal(recorder: Recorder, clock: Clock) -> Watch:
    """Whether the journal's files are still where they were opened, and whether the mirror is in use."""
    journal = recorder.journal
    mirrored = journal if isinstance(journal, MirroredJournal) else None

    def mirror(health: Health, found: Text) -> SensorHealth:
        return SensorHealth(clock.now_ns(), MIRROR, health, found)

    def gone(journal: MirroredJournal) -> SensorHealth:
        problem = journal.problem.removeprefix(f"{journal.mirror_file}: ")
        found = text("medium-gone", detail=f"{journal.mirror_file}: {problem}")
        log.error("the mirror cannot be used: %s", say(TABLE_WORDS, found))
        return mirror(Health.GONE, found)

    for file in (journal.file, *([mirrored.mirror_file] if mirrored is not None else [])):
        if file is not None and (found := noted(file, RECOVERED)):
            yield mirror(Health.OK, found)
    if mirrored is not None:
        mirrored.listeners.append(lambda: recorder.take([gone(mirrored)]))
        if mirrored.problem:
            yield gone(mirrored)
        elif mirrored.copied:
            copied = text("entries-copied", file=str(mirrored.mirror_file), entries=mirrored.copied)
            yield mirror(Health.OK, copied)
    while True:
        yield None
        try:  # Each entry looks, too, before it is written; this finds it while nobody plays.
            journal.check_file()
        except JournalMovedError as error:
            recorder.halt(error)


def watch_clock(clock: TableClock) -> Watch:
    """The wall time: a doubt is on record from the beginning, and whatever changes."""

    def checked(moved_ns: int) -> ClockChecked:
        return ClockChecked(clock.now_ns(), clock.utc_ns(), moved_ns, clock.started_ns, clock.doubt)

    if clock.doubt:
        yield checked(0)
    while True:
        yield None
        if (change := clock.look()) is not None:
            yield checked(change.moved_ns)


def watch_computer(
    recorder: Recorder, computer: ComputerHealth | None, section: ComputerSection, clock: Clock
) -> Watch:
    """The supply voltage and the battery of the clock, where the computer tells: what is wrong, and what changes.

    Args:
        computer: None not to look.
        section: what is done about it.
    """
    supply = computer.supply if computer is not None and section.supply != "off" else lambda: None
    battery = computer.battery if computer is not None and section.clock_battery != "off" else lambda: None
    low = battery_low = False

    def changed(part: str, bad: bool, found: Text, locks: bool = False) -> CabinetHealth:
        return CabinetHealth(clock.now_ns(), part, Health.DEGRADED if bad else Health.OK, found, locks)

    reading = supply()
    if reading is not None and reading.earlier and not reading.low:
        yield changed(SUPPLY, True, text("supply-was-low"))
    elif SUPPLY in recorder.machine.table.shut and (reading is None or not reading.low):
        low, reading = True, SupplyReading(False)  # It is in order again, or no longer watched.
    for looks in count():
        if reading is not None and reading.low != low:
            low = reading.low
            yield changed(SUPPLY, low, text("supply-low" if low else "supply-ok"), low and section.supply == "lock")
        state = battery() if looks % BATTERY_EVERY == 0 else None
        if state is not None and state.low != battery_low:
            battery_low = state.low
            code = "battery-low" if battery_low else "battery-ok"
            yield changed(BATTERY, battery_low, text(code, detail=state.detail))
        yield None
        reading = supply()


class TamperWatch:
    """The contacts of doors and cabinet: each opening and closing is on record before anything is shown.

    What is open as the table starts, and what a latch remembers, is on record at each start. The machine locks the
    table if the contact is to lock.

    Args:
        device: open, not started; None for a table without contacts.
        locks: whether each contact locks the table, by its name.
        desk: knows who is identified meanwhile.
        head: what the wheel did before is decided before.
    """

    def __init__(
        self,
        recorder: Recorder,
        device: TamperInput | None,
        locks: Mapping[str, bool],
        desk: Desk,
        head: SensorHead,
    ) -> None:
        self._recorder, self._device, self._locks, self._desk, self._head = recorder, device, locks, desk, head
        self._open = set(locks)
        """The contacts that are open, as far as is known."""
        self._started = False

    def watch(self) -> Watch:
        remembered: frozenset[str] = frozenset()
        if self._device is not None:
            try:
                remembered = self._device.remembered()
            except HalError as error:
                yield self._failed(error)
            self._device.start(self._on_event)
        self._started = True
        yield from list(self._found(remembered))
        if remembered:
            self._forget()
        while True:
            yield None

    def _found(self, remembered: frozenset[str]) -> Iterator[Event]:
        locked_by = self._recorder.machine.table.shut
        for contact in self._locks:
            if contact in self._open:
                yield self._changed(contact, "opened-at-start")
            elif contact in remembered:
                yield self._changed(contact, "opened-power-off")
            if contact not in self._open and (contact in remembered or contact in locked_by):
                yield self._changed(contact)
        for contact in locked_by:  # The table's file no longer has them.
            if contact not in self._locks and contact != SUPPLY:
                yield self._changed(contact)

    def _on_event(self, event: SwitchEvent | FaultEvent) -> None:
        if isinstance(event, FaultEvent):
            self._recorder.take([SensorHealth.of_device(event.timestamp_ns, TAMPER, event.detail)])
            return
        if event.closed != (event.switch in self._open):
            return  # Known already.
        (self._open.discard if event.closed else self._open.add)(event.switch)
        if not self._started:
            return
        self._head.poll()
        self._recorder.take([self._changed(event.switch, "" if event.closed else "opened-now")])
        if event.closed:
            self._forget()

    def _changed(self, contact: str, opened: str = "") -> CabinetHealth:
        """A contact was opened, as a code says, or closed."""
        now_ns, found = self._head.clock.now_ns(), text(opened or "contact-closed", contact=contact)
        health, locks = (Health.OPEN, self._locks[contact]) if opened else (Health.OK, False)
        return CabinetHealth(now_ns, contact_part(contact), health, found, locks, self._desk.identified(now_ns))

    def _forget(self) -> None:
        """What the latches remember is on record. A contact that is open sets its latch again."""
        if self._device is not None and not self._recorder.halted:
            try:
                self._device.forget()
            except HalError as error:
                self._recorder.take([self._failed(error)])

    def _failed(self, error: HalError) -> SensorHealth:
        log.error("%s", error)
        return SensorHealth.of_device(self._head.clock.now_ns(), TAMPER, str(error))
