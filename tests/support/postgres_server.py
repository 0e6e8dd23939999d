"""PostgreSQL for tests and benchmarks, on loopback: a cluster in a folder of its own."""

import os
import pwd
import shutil
import signal
import subprocess
from pathlib import Path

import psycopg
from server_process import ATTEMPTS, PortTakenError, ServerError, ServerProcess, as_user, free_port, program

POSTGRES_PROGRAMS = Path("/usr/lib/postgresql")
POSTGRES_USERS = ("postgres", "nobody")
"""PostgreSQL refuses to run as root; the first of these that exists runs it then."""


class Postgres:
    """A cluster of its own. It does not sync (``fsync = off``): what it keeps survives its death, not a power cut.

    Args:
        folder: of its own; made if there is none. Run by root, PostgreSQL becomes another user, who must be able to
            reach the folder: pytest's ``tmp_path`` will not do.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._port = 0
        self._databases = 0
        self._user = _unprivileged() if os.geteuid() == 0 else ""
        self._places = sorted(POSTGRES_PROGRAMS.glob("*/bin"), key=lambda place: -int(place.parent.name))
        self._process = ServerProcess(folder / "postgres.log")

    @property
    def url(self) -> str:
        """Of the database that there is from the beginning, for SQLAlchemy."""
        return self._url("postgres")

    def _url(self, database: str) -> str:
        return f"postgresql+psycopg://postgres@127.0.0.1:{self._port}/{database}"

    @property
    def pid(self) -> int:
        """Its first process."""
        return self._process.pid

    @property
    def pids(self) -> list[int]:
        """Its first process, while it runs."""
        return self._process.pids

    def fresh(self) -> str:
        """The URL of a new, empty database."""
        self._databases += 1
        name = f"fresh{self._databases}"
        with psycopg.connect(self._plain, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self._url(name)

    @property
    def _plain(self) -> str:
        return self.url.replace("+psycopg", "")

    def start(self) -> None:
        """Start it, the first time with a new cluster; returns when it takes connections.

        Raises:
            ServerError: it is not installed, or does not start.
        """
        data = self._folder / "data"
        if not (data / "PG_VERSION").exists():
            self._initialise(data)
        attempts, fixed = ATTEMPTS, self._port
        while attempts:
            self._port = fixed or free_port()
            try:
                return self._process.start(self._command(data), "QUIT", self._reached, self._user)
            except PortTakenError:
                attempts -= 1
        raise ServerError("no port for postgres")

    def _command(self, data: Path) -> list[str]:
        settings = {
            "port": str(self._port),
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": str(self._folder),
            "fsync": "off",
        }
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return [self._program("postgres"), "-D", str(data), *options]

    def _program(self, name: str) -> str:
        return program(name, "postgresql", *self._places)

    def _initialise(self, data: Path) -> None:
        if self._user:
            shutil.chown(self._folder, self._user)
        command = [self._program("initdb"), "-D", str(data), "-U", "postgres", "--auth=trust", "--no-sync"]
        done = subprocess.run(
            [*command, "--locale=C", "--encoding=UTF8"],
            cwd="/",
            capture_output=True,
            text=True,
            **as_user(self._user),
        )
        if done.returncode:
            raise ServerError(f"initdb ended with code {done.returncode}:\n{done.stdout}{done.stderr}")

    def _reached(self) -> bool:
        """Whether it answers: it accepts connections before it has read its files, but no queries."""
        try:
            with psycopg.connect(self._plain, connect_timeout=2) as connection:
                row = connection.execute("SHOW data_directory").fetchone()
        except psycopg.OperationalError:
            return False
        return row == (str(self._folder / "data"),)

    def kill(self) -> None:
        """SIGKILL to its first process; the others end themselves."""
        self._process.end(signal.SIGKILL)

    def stop(self) -> None:
        """End it, with clients connected or not. No effect if it is not running."""
        self._process.end(signal.SIGINT)


def _unprivileged() -> str:
    there = {entry.pw_name for entry in pwd.getpwall()}
    return next(user for user in POSTGRES_USERS if user in there)
