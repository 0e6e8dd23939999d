"""A partner on another computer, which hears what the disk has acknowledged: a number a line, over TCP.

The one with the disk connects, says its run and waits for ``ready``; then it sends the number of each record that
is flushed. When the power goes, nothing closes the connection, so that silence ends it for the partner.
"""

import os
import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Self

from controller.commissioning.disk.errors import DiskTrialError

SILENCE_S = 30.0
"""Numbers come two hundred a second; after so long without one the power is gone, and no disk is only slow."""
_ANSWER_S = 5.0
_GREETING = re.compile(r"qualify-disk ([0-9a-f]{32})")
_READY = b"ready\n"
_LONGEST = 256
"""Bytes of a line; a number has a few."""


class PartnerLine:
    """The connection to a partner.

    Raises:
        DiskTrialError: nobody listens there.
    """

    def __init__(self, host: str, port: int, run: str) -> None:
        self._name = f"{host}:{port}"
        try:
            self._socket = socket.create_connection((host, port), timeout=_ANSWER_S)
        except OSError as error:
            raise DiskTrialError(
                f"nobody listens at {self._name} ({error.strerror or error}); there: "
                f"table-controller qualify-disk --listen {port} --log FILE"
            ) from error
        try:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._socket.sendall(f"qualify-disk {run}\n".encode())
            answer = self._socket.recv(len(_READY))
        except OSError as error:
            self._socket.close()
            raise self._lost(error) from error
        if answer != _READY:
            self._socket.close()
            raise DiskTrialError(f"{self._name} is no qualify-disk that listens")

    def acknowledged(self, number: int) -> None:
        """Tell the partner of a flushed record.

        Raises:
            DiskTrialError: it no longer listens.
        """
        try:
            self._socket.sendall(f"{number}\n".encode())
        except OSError as error:
            raise self._lost(error) from error

    def _lost(self, error: OSError) -> DiskTrialError:
        return DiskTrialError(f"{self._name} no longer listens ({error.strerror or error}); begin anew")

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class PartnerListener:
    """Listens for one computer.

    Raises:
        DiskTrialError: the port is taken.
    """

    def __init__(self, port: int) -> None:
        try:
            self._socket = socket.create_server(("", port), backlog=1)
        except OSError as error:
            why = os.strerror(error.errno).lower() if error.errno else str(error)
            raise DiskTrialError(f"port {port}: {why}; name another") from error
        self.port: int = self._socket.getsockname()[1]

    def receive(self, log: Path, heard: Callable[[int], None], silence_s: float = SILENCE_S) -> int:
        """Write to a new file what a computer says, until it says nothing more; returns the last number.

        Args:
            silence_s: after so long without a number, from the first one on, its power is gone.

        Raises:
            DiskTrialError: the file is there already or cannot be written, or who connects says something else.
        """
        try:
            descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        except FileExistsError as error:
            raise DiskTrialError(f"{log}: there is such a file already; name another") from error
        except OSError as error:
            raise DiskTrialError(f"{log}: {(error.strerror or str(error)).lower()}") from error
        try:
            with open(descriptor, "w", encoding="ascii", buffering=1) as file:
                connection, _ = self._socket.accept()
                with connection:
                    connection.settimeout(SILENCE_S)
                    return _received(_Lines(connection), file.write, heard, silence_s)
        finally:
            if not log.stat().st_size:  # Nobody came.
                log.unlink()

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class _Lines:
    """The lines of a connection; None once it says nothing more."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self._kept = b""

    def next(self) -> str | None:
        while b"\n" not in self._kept and len(self._kept) < _LONGEST:
            try:
                more = self.connection.recv(65_536)
            except OSError:
                return None
            if not more:
                return None
            self._kept += more
        line, _, self._kept = self._kept.partition(b"\n")
        return line.decode("ascii", errors="replace")


def _received(lines: _Lines, write: Callable[[str], object], heard: Callable[[int], None], silence_s: float) -> int:
    greeting = _GREETING.fullmatch(lines.next() or "")
    if greeting is None:
        raise DiskTrialError("who connected is no qualify-disk; begin anew")
    write(f"run {greeting[1]}\n")
    try:
        lines.connection.sendall(_READY)
    except OSError as error:
        raise DiskTrialError(f"who connected has gone again ({error.strerror or error}); begin anew") from error
    last = 0
    while (line := lines.next()) is not None:
        if not (line.isascii() and line.isdigit() and int(line) == last + 1):
            raise DiskTrialError(f"after {last} came {line[:40]!r}; begin anew")
        last += 1
        lines.connection.settimeout(silence_s)
        write(f"{last}\n")
        heard(last)
    return last


def read_log(file: Path) -> tuple[str, int]:
    """The run and the last number of a partner's log.

    Raises:
        DiskTrialError: the file cannot be read, or is no such log.
    """
    try:
        text = file.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror.lower() if isinstance(error, OSError) and error.strerror else "not a partner's log"
        raise DiskTrialError(f"{file}: {why}") from error
    first, *numbers = text.split("\n")[:-1] or [""]  # What follows the last line end was being written.
    if not re.fullmatch("run [0-9a-f]{32}", first) or not all(number.isdigit() for number in numbers):
        raise DiskTrialError(f"{file}: not a partner's log")
    return first.removeprefix("run "), int(numbers[-1]) if numbers else 0
