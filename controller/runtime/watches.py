"""What a table watches besides the devices of its game: its journal's files, its computer, its clock and its doors.

A watch yields events: at the start of the table, and at each look. Each is on record before the watch goes on.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence

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
from controller.events.words import say, text
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


class Watch:
    def start(self) -> Iterator[Event]:
        """What is to be on record of it at each start."""
        yield from ()

    def look(self) -> Iterator[Event]:
        yield from ()


class Watches:
    def __init__(self, recorder: Recorder, clock: Clock, watches: Sequence[Watch]) -> None:
        self._recorder = recorder
        self._clock = clock
        self._watches = watches
        self._timer: Timer | None = None

    def start(self) -> None:
        """Begin, once the start of the table is on record."""
        for watch in self._watches:
            self._record(watch.start())
        self._wait()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _record(self, found: Iterator[Event]) -> None:
        for event in found:
            self._recorder.take([event])

    def _wait(self) -> None:
        if not self._recorder.halted:
            self._timer = self._clock.call_at(self._clock.now_ns() + LOOKS_NS, self._look)

    def _look(self) -> None:
        for watch in self._watches:
            self._record(watch.look())
        self._wait()


class JournalWatch(Watch):
    """The files of the journal: whether they are still where they were opened, and whether the mirror is in use."""

    def __init__(self, recorder: Recorder, clock: Clock) -> None:
        self._recorder = recorder
        self._clock = clock

    def start(self) -> Iterator[Event]:
        journal = self._recorder.journal
        mirror = journal.mirror_file if isinstance(journal, MirroredJournal) else None
        for file in filter(None, (journal.file, mirror)):
            if found := noted(file, RECOVERED):
                yield SensorHealth(self._clock.now_ns(), MIRROR, Health.OK, found)
        if isinstance(journal, MirroredJournal):
            journal.listeners.append(lambda: self._recorder.take([self._gone(journal)]))
            if journal.problem:
                yield self._gone(journal)
            elif journal.copied:
                found = text("entries-copied", file=str(journal.mirror_file), entries=journal.copied)
                yield SensorHealth(self._clock.now_ns(), MIRROR, Health.OK, found)

    def look(self) -> Iterator[Event]:
        """Each entry looks, too, before it is written; this finds it while nobody plays."""
        try:
            self._recorder.journal.check_file()
        except JournalMovedError as error:
            self._recorder.halt(error)
        yield from ()

    def _gone(self, journal: MirroredJournal) -> SensorHealth:
        problem = journal.problem.removeprefix(f"{journal.mirror_file}: ")
        found = text("medium-gone", detail=f"{journal.mirror_file}: {problem}")
        log.error("the mirror cannot be used: %s", say(TABLE_WORDS, found))
        return SensorHealth(self._clock.now_ns(), MIRROR, Health.GONE, found)


class ClockWatch(Watch):
    """The wall time: a doubt is on record from the beginning, and whatever changes."""

    def __init__(self, clock: TableClock) -> None:
        self._clock = clock

    def start(self) -> Iterator[Event]:
        if self._clock.doubt:
            yield self._checked(0)

    def look(self) -> Iterator[Event]:
        change = self._clock.look()
        if change is not None:
            yield self._checked(change.moved_ns)

    def _checked(self, moved_ns: int) -> ClockChecked:
        clock = self._clock
        return ClockChecked(clock.now_ns(), clock.utc_ns(), moved_ns, clock.started_ns, clock.doubt)


class ComputerWatch(Watch):
    """The computer's supply voltage, and the battery of its clock, where it tells.

    Args:
        computer: None not to look.
        section: what is done about it.
    """

    def __init__(
        self, recorder: Recorder, computer: ComputerHealth | None, section: ComputerSection, clock: Clock
    ) -> None:
        self._recorder = recorder
        self._supply = computer.supply if computer is not None and section.supply != "off" else lambda: None
        self._battery = (
            computer.battery if computer is not None and section.clock_battery != "off" else lambda: None
        )
        self._locks = section.supply == "lock"
        self._clock = clock
        self._looks = 0
        self._low = self._battery_low = False
        """What is on record since this start."""

    def start(self) -> Iterator[Event]:
        """What is wrong, and what was since the computer was switched on."""
        reading = self._supply()
        if reading is not None and (reading.low or reading.earlier):
            yield self._voltage(reading)
        elif SUPPLY in self._recorder.machine.table.shut:  # It is in order again, or no longer watched.
            yield self._voltage(SupplyReading(False))
        yield from self._battery_changed()

    def look(self) -> Iterator[Event]:
        self._looks += 1
        reading = self._supply()
        if reading is not None and reading.low != self._low:
            yield self._voltage(SupplyReading(reading.low))
        if self._looks % BATTERY_EVERY == 0:
            yield from self._battery_changed()

    def _voltage(self, reading: SupplyReading) -> CabinetHealth:
        self._low = reading.low
        health = Health.DEGRADED if reading.low or reading.earlier else Health.OK
        found = "supply-low" if reading.low else "supply-was-low" if reading.earlier else "supply-ok"
        return CabinetHealth(self._clock.now_ns(), SUPPLY, health, text(found), reading.low and self._locks)

    def _battery_changed(self) -> Iterator[Event]:
        reading = self._battery()
        if reading is not None and reading.low != self._battery_low:
            self._battery_low = reading.low
            health = Health.DEGRADED if reading.low else Health.OK
            found = text("battery-low" if reading.low else "battery-ok", detail=reading.detail)
            yield CabinetHealth(self._clock.now_ns(), BATTERY, health, found)


class TamperWatch(Watch):
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
        self._clock = head.clock
        self._open = set(locks)
        """The contacts that are open, as far as is known."""
        self._started = False

    def start(self) -> Iterator[Event]:
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

    def _found(self, remembered: frozenset[str]) -> Iterator[Event]:
        locked_by = self._recorder.machine.table.shut
        for contact in self._locks:
            if contact in self._open:
                yield self._opened(contact, "opened-at-start")
            elif contact in remembered:
                yield self._opened(contact, "opened-power-off")
                yield self._closed(contact)
            elif contact in locked_by:
                yield self._closed(contact)
        for contact in locked_by:  # The table's file no longer has them.
            if contact not in self._locks and contact != SUPPLY:
                yield self._closed(contact)

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
        self._recorder.take(
            [self._closed(event.switch) if event.closed else self._opened(event.switch, "opened-now")]
        )
        if event.closed:
            self._forget()

    def _opened(self, contact: str, found: str) -> CabinetHealth:
        return self._changed(contact, Health.OPEN, found, self._locks[contact])

    def _closed(self, contact: str) -> CabinetHealth:
        return self._changed(contact, Health.OK, "contact-closed")

    def _changed(self, contact: str, health: Health, found: str, locks: bool = False) -> CabinetHealth:
        now_ns, said = self._clock.now_ns(), text(found, contact=contact)
        return CabinetHealth(now_ns, contact_part(contact), health, said, locks, self._desk.identified(now_ns))

    def _forget(self) -> None:
        """What the latches remember is on record. A contact that is open sets its latch again."""
        if self._device is not None and not self._recorder.halted:
            try:
                self._device.forget()
            except HalError as error:
                self._recorder.take([self._failed(error)])

    def _failed(self, error: HalError) -> SensorHealth:
        log.error("%s", error)
        return SensorHealth.of_device(self._clock.now_ns(), TAMPER, str(error))
