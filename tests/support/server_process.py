"""A server's process for tests and benchmarks. The kernel ends it when the process that started it ends."""

import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

PATIENCE_S = 180.0
"""A server that cannot be reached for so long will not start."""
PORTS = range(20_000, 32_000)
"""Below those that the kernel gives to outgoing connections: while a server is down, its port stays free."""
ATTEMPTS = 20


class ServerError(Exception):
    """A server is not installed, or does not start."""


class PortTakenError(Exception):
    """Another process has the port."""


def free_port() -> int:
    """A port of 127.0.0.1 that is free at the moment."""
    while True:
        port = random.SystemRandom().choice(PORTS)
        with socket.socket() as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def program(name: str, package: str, *places: Path) -> str:
    """Where a program is.

    Raises:
        ServerError: it is nowhere; the message names the Debian package.
    """
    path = os.pathsep.join([*map(str, places), os.environ.get("PATH", ""), "/usr/sbin"])
    found = shutil.which(name, path=path)
    if found is None:
        raise ServerError(f"the program {name} is missing: sudo apt install {package}")
    return found


class ServerProcess:
    """A server's process, which does not outlive this one."""

    def __init__(self, log: Path) -> None:
        self.file = log
        self._running: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Its number.

        Raises:
            ServerError: it does not run.
        """
        if self._running is None:
            raise ServerError("the server is not running")
        return self._running.pid

    @property
    def pids(self) -> list[int]:
        """Its number; none while it does not run."""
        return [self._running.pid] if self._running is not None else []

    def start(self, command: Sequence[str], at_our_end: str, reached: Callable[[], bool], user: str = "") -> None:
        """Start it, and wait until it can be reached.

        Args:
            at_our_end: the signal that the kernel sends it when this process ends.
            user: the one that runs it; empty for the present one.

        Raises:
            PortTakenError: another process has its port.
            ServerError: it does not start.
        """
        if self._running is not None:
            raise ServerError("the server is running already")
        with self.file.open("ab") as log:
            whole = [program("setpriv", "util-linux"), "--pdeathsig", at_our_end, *command]
            begun = log.tell()
            self._running = subprocess.Popen(
                whole, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", **as_user(user)
            )
        try:
            self._wait(self._running, reached, begun)
        except BaseException:
            self.end(signal.SIGKILL)
            raise

    def _wait(self, process: "subprocess.Popen[bytes]", reached: Callable[[], bool], begun: int) -> None:
        until = time.monotonic() + PATIENCE_S
        while not reached():
            output = self.file.read_bytes()[begun:].decode(errors="replace")
            if process.poll() is not None:
                if "in use" in output:
                    raise PortTakenError
                raise ServerError(f"{process.args!r} ended with code {process.returncode}:\n{output}")
            if time.monotonic() > until:
                raise ServerError(f"{process.args!r} cannot be reached after {PATIENCE_S:.0f} s:\n{output}")
            time.sleep(0.01)  # Until the next attempt to connect.

    def end(self, how: signal.Signals) -> None:
        """Send it a signal that ends it, and wait until it is gone. Nothing happens if it does not run."""
        if self._running is None:
            return
        self._running.send_signal(how)
        if how is not signal.SIGKILL:
            self._running.send_signal(signal.SIGCONT)  # A stopped process does not receive SIGTERM.
        try:
            self._running.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._running.kill()
            self._running.wait()
        self._running = None


def as_user(user: str) -> dict[str, Any]:
    return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": ()} if user else {}
