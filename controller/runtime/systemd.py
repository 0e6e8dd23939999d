"""What systemd is told of the table: that it is ready, what it waits for, that it is well. Protocol: sd_notify(3).

Only the unit sets ``NOTIFY_SOCKET``; without it nothing is told and nothing else changes.
"""

import faulthandler
import logging
import os
import socket
from collections.abc import Mapping
from typing import Self

from controller.journal.record import RecordedDecision
from controller.runtime.table import Table
from hal.interfaces import Clock, Timer

log = logging.getLogger("table")


class ServiceManager:
    """The service manager that started this process.

    Args:
        address: its socket, a path or ``@`` and an abstract name; empty for none, and nothing is told.
        watchdog_ns: the time within which it wants to hear of the table, in nanoseconds; 0 for no watchdog.
    """

    def __init__(self, address: str = "", watchdog_ns: int = 0) -> None:
        self.watchdog_ns = watchdog_ns if address else 0
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) if address else None
        self._deaf = False

    @classmethod
    def of_environment(cls, environment: Mapping[str, str]) -> Self:
        """The manager that the environment names (sd_notify(3), sd_watchdog_enabled(3))."""
        address = environment.get("NOTIFY_SOCKET", "")
        if address and not address.startswith(("/", "@")):
            log.warning("NOTIFY_SOCKET=%s is no socket of this machine; systemd is told nothing", address)
            return cls()
        return cls(address, _watchdog_ns(environment))

    def tell(self, **said: str) -> None:
        """Tell it one or more of its variables. Never waits: the table comes first, and words can be lost.

        A watchdog that misses one word hears the next; a table whose READY is lost is started again.
        """
        if self._socket is None:
            return
        words = "\n".join(f"{name}={' '.join(value.splitlines())}" for name, value in said.items())
        try:
            self._socket.sendto(words.encode(), socket.MSG_DONTWAIT, self._address)
            self._deaf = False
        except OSError as error:
            if not self._deaf:
                log.warning("systemd cannot be told %s: %s", " ".join(said), error.strerror)
            self._deaf = True

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()


def _watchdog_ns(environment: Mapping[str, str]) -> int:
    """What ``WATCHDOG_USEC`` asks of this process, in nanoseconds; 0 for nothing."""
    asked, process = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
    if not asked or (process and process != str(os.getpid())):
        return 0
    if not asked.isdecimal():
        log.warning("WATCHDOG_USEC=%s is no number of microseconds; the watchdog is not fed", asked)
        return 0
    return int(asked) * 1000


class ServiceReporter:
    """Tells the manager of one table, from the table's own event loop.

    A locked table is well: it waits for the floorperson. One that has halted is not, nor one whose journal does not
    answer; one whose loop hangs does not come to say so. Unfed for the watchdog's time, the table is started again,
    and goes on where its record says that it stood.

    Args:
        clock: the table's.
    """

    def __init__(self, table: Table, manager: ServiceManager, clock: Clock) -> None:
        self._table = table
        self._manager = manager
        self._clock = clock
        self._said = ""
        self._ill = ""
        self._timer: Timer | None = None

    def ready(self) -> None:
        """The table has started. From now on the manager hears what it waits for, and that it is well."""
        self._said = self._table.machine.waiting_for()
        self._manager.tell(READY="1", STATUS=self._said)
        self._table.listeners.append(self._hear)
        if self._manager.watchdog_ns:
            # The manager ends what hangs by SIGABRT; this tells the log where it hung.
            faulthandler.enable()
            self._feed()

    def close(self) -> None:
        """Nothing more is told of this table."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _hear(self, recorded: RecordedDecision) -> None:
        waiting_for = self._table.machine.waiting_for()
        if waiting_for != self._said:
            self._said = waiting_for
            self._manager.tell(STATUS=waiting_for)

    def _feed(self) -> None:
        """Feed the watchdog, and come back at half its time, as sd_watchdog_enabled(3) recommends."""
        ill = _illness(self._table)
        if not ill:
            self._manager.tell(WATCHDOG="1")
        elif not self._ill:
            log.error("the watchdog is not fed: %s", ill)
        self._ill = ill
        self._timer = self._clock.call_at(self._clock.now_ns() + self._manager.watchdog_ns // 2, self._feed)


def _illness(table: Table) -> str:
    """What of a table a new start may mend, or empty."""
    if table.halted:
        return table.halted
    return "" if table.journal.answers() else "the journal does not answer"
