"""Watches the contacts of door and cabinet: each opening and closing is on record before anything is shown.

A game's machine locks the table if the contact is to lock; the alert is the machine's effect. What is open as the
table starts, and what a latch remembers, is on record at each start.
"""

import logging
from collections.abc import Iterator, Mapping
from typing import Protocol

from controller.events.event import SUPPLY, TAMPER, Event, Health, Noticed, SensorHealth, TamperClosed, TamperOpened
from controller.runtime.recorder import Recorder
from controller.table.desk import Desk
from controller.table.devices import Devices
from controller.table.sensor_head import SensorHead
from hal.errors import HalError
from hal.events import FaultEvent, SwitchEvent
from hal.interfaces import Clock

log = logging.getLogger("table")


class WatchedTable(Protocol):
    """The parts of a table that are needed."""

    devices: Devices
    recorder: Recorder
    head: SensorHead
    desk: Desk


class TamperWatch:
    """The contacts of one table.

    Args:
        table: whose devices are open, and not started.
        locks: whether each contact locks the table, by its name.
    """

    def __init__(self, table: WatchedTable, locks: Mapping[str, bool], clock: Clock) -> None:
        self._table = table
        self._device = table.devices.tamper
        self._locks = locks
        self._clock = clock
        self._open = set(locks)
        """The contacts that are open, as far as is known."""
        self._started = False

    def start(self) -> None:
        """Put on record what is open, and what a latch remembers; listen from now on."""
        remembered = self._remembered()
        if self._device is not None:
            self._device.start(self._on_event)
        self._started = True
        self._table.recorder.take(list(self._found(remembered)))
        if remembered and not self._table.recorder.halted:
            self._forget()

    def close(self) -> None:
        """The table closes its devices itself."""
        self._started = False

    def _found(self, remembered: frozenset[str]) -> Iterator[Event]:
        locked_by = self._table.recorder.machine.locked_by
        for contact in self._locks:
            if contact in self._open:
                yield self._opened(contact, Noticed.AT_START)
            elif contact in remembered:
                yield self._opened(contact, Noticed.POWER_OFF)
                yield self._closed(contact)
            elif contact in locked_by:
                yield self._closed(contact)
        for contact in locked_by:  # The table's file no longer has them.
            if contact not in self._locks and contact != SUPPLY:
                yield self._closed(contact)

    def _on_event(self, event: SwitchEvent | FaultEvent) -> None:
        if isinstance(event, FaultEvent):
            health = Health.GONE if event.detail else Health.OK
            self._take(SensorHealth(event.timestamp_ns, TAMPER, health, event.detail))
            return
        if event.closed != (event.switch in self._open):
            return  # Known already.
        (self._open.discard if event.closed else self._open.add)(event.switch)
        if not self._started:
            return
        self._table.head.poll()  # What the wheel did before is decided before.
        self._take(self._closed(event.switch) if event.closed else self._opened(event.switch, Noticed.NOW))
        if event.closed:
            self._forget()

    def _take(self, event: Event) -> None:
        self._table.recorder.take([event])

    def _opened(self, contact: str, noticed: Noticed) -> TamperOpened:
        now_ns, utc_ns = self._clock.now_ns(), self._clock.utc_ns()
        by = self._table.desk.identified(self._clock.now_ns())
        return TamperOpened(now_ns, utc_ns, contact, self._locks[contact], noticed, by)

    def _closed(self, contact: str) -> TamperClosed:
        return TamperClosed(
            self._clock.now_ns(), self._clock.utc_ns(), contact, self._table.desk.identified(self._clock.now_ns())
        )

    def _remembered(self) -> frozenset[str]:
        try:
            return self._device.remembered() if self._device is not None else frozenset()
        except HalError as error:
            self._failed(error)
            return frozenset()

    def _forget(self) -> None:
        """What the latches remember is on record. A contact that is open sets its latch again."""
        if self._device is not None and not self._table.recorder.halted:
            try:
                self._device.forget()
            except HalError as error:
                self._failed(error)

    def _failed(self, error: HalError) -> None:
        log.error("%s", error)
        self._take(SensorHealth(self._clock.now_ns(), TAMPER, Health.GONE, str(error)))
