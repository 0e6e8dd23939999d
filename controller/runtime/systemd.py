"""Notifies systemd of the table: that it is ready, its status, and its health (watchdog). Protocol: sd_notify(3).

Only the unit sets ``NOTIFY_SOCKET``; without it no notification is sent and nothing else changes.
"""

import faulthandler
import logging
import os
import socket
from collections.abc import Mapping
from typing import TYPE_CHECKING, Self

from hal.interfaces import Clock, Timer

if TYPE_CHECKING:  # Services beside a table do not load it.
    from controller.runtime.table import Table

log = logging.getLogger("table")


class ServiceManager:
    """The service manager that started this process.

    Args:
        address: its socket, a path or ``@`` and an abstract name; empty for no service manager.
        watchdog_ns: the watchdog's timeout, in nanoseconds; 0 for no watchdog.
    """

    def __init__(self, address: str = "", watchdog_ns: int = 0) -> None:
        self.watchdog_ns = watchdog_ns if address else 0
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) if address else None
        self._unreachable = False

    @classmethod
    def of_environment(cls, environment: Mapping[str, str]) -> Self:
        """The manager that the environment names (sd_notify(3), sd_watchdog_enabled(3))."""
        of_this_process = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        watchdog_us = environment.get("WATCHDOG_USEC", "0") if of_this_process else "0"
        return cls(environment.get("NOTIFY_SOCKET", ""), int(watchdog_us) * 1000)

    def notify(self, **variables: str) -> None:
        """Send one or more variables. Never waits, so as not to delay the table; a notification can be lost.

        After a lost WATCHDOG the next one follows in time; a table whose READY is lost is restarted.
        """
        if self._socket is None:
            return
        message = "\n".join(f"{name}={' '.join(value.splitlines())}" for name, value in variables.items())
        try:
            self._socket.sendto(message.encode(), socket.MSG_DONTWAIT, self._address)
            self._unreachable = False
        except OSError as error:
            if not self._unreachable:
                log.warning("systemd cannot be notified of %s: %s", " ".join(variables), error.strerror)
            self._unreachable = True

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()


class ServiceReporter:
    """Reports one table to the service manager, from the table's own event loop.

    A locked table is healthy: it waits for the floorperson. A halted table is not, nor one whose journal does not
    respond; a hanging loop sends nothing. After the watchdog's timeout the table is restarted and resumes from its
    record.

    Args:
        clock: the table's.
    """

    def __init__(self, table: "Table", manager: ServiceManager, clock: Clock) -> None:
        self._table = table
        self._manager = manager
        self._clock = clock
        self._last_status = self._last_problem = ""
        self._timer: Timer | None = None

    def ready(self) -> None:
        """The table has started: report READY, and from now on its status and health."""
        self._manager.notify(READY="1")
        self._report_status()
        self._table.listeners.append(lambda recorded: self._report_status())
        if self._manager.watchdog_ns:
            # The manager ends a hanging process by SIGABRT; this logs where it hung.
            faulthandler.enable()
            self._feed()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _report_status(self) -> None:
        """What the table waits for, in one line."""
        status = self._table.machine.waiting_for()
        if status != self._last_status:
            self._last_status = status
            self._manager.notify(STATUS=status)

    def _feed(self) -> None:
        """Notify the watchdog at half its timeout, as sd_watchdog_enabled(3) recommends."""
        problem = self._table.halted or ("" if self._table.journal.answers() else "the journal does not answer")
        if not problem:
            self._manager.notify(WATCHDOG="1")
        elif not self._last_problem:
            log.error("the watchdog is not fed: %s", problem)
        self._last_problem = problem
        self._timer = self._clock.call_at(self._clock.now_ns() + self._manager.watchdog_ns // 2, self._feed)
