"""Real servers for tests and benchmarks, on loopback: Debian's Mosquitto and PostgreSQL, with certificates.

Everything of a server lies in its folder. The kernel ends a server when the process that started it ends, however
that comes about, so nothing is left running.
"""

import os
import pwd
import random
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import trustme

from config.schema import BrokerSection

FLOOR = "floor"
"""Who has the certificate of this name reads what all tables publish."""
PATIENCE_S = 20.0
"""A server that cannot be reached for so long will not start."""
PORTS = range(20_000, 32_000)
"""Below those that the kernel gives to outgoing connections: while a server is down, its port stays free."""
ATTEMPTS = 20
POSTGRES_PROGRAMS = Path("/usr/lib/postgresql")
POSTGRES_USERS = ("postgres", "nobody")
"""PostgreSQL refuses to run as root; the first of these that there is runs it then."""

ACCESS = f"""\
user {FLOOR}
topic read tables/#
topic write floor/#

pattern write tables/%u/#
pattern read floor/%u/#
"""


class ServerError(Exception):
    """A server is not installed, or does not start."""


class _NoPortError(Exception):
    """Somebody else has the port."""


def free_port() -> int:
    """A port of 127.0.0.1 that nobody has at the moment."""
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


class Certificates:
    """Certificates of one authority, made for the occasion; a name's certificate has it as its common name."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.ca = folder / "ca.pem"
        self._folder, self._servers = folder, 0
        self._authority, self._stranger = trustme.CA(), trustme.CA()
        self._authority.cert_pem.write_to_path(self.ca)

    def of(self, name: str) -> tuple[Path, Path]:
        """The files of a client's certificate and key."""
        return self._made(self._authority, name, "")

    def foreign(self, name: str) -> tuple[Path, Path]:
        """The same of another authority, which the servers do not know."""
        return self._made(self._stranger, name, "foreign-")

    def server(self) -> tuple[Path, Path]:
        """The files of another server's certificate and key, good for 127.0.0.1 and localhost."""
        self._servers += 1
        return self._made(self._authority, "localhost", f"server{self._servers}-", "127.0.0.1")

    def _made(self, authority: trustme.CA, name: str, prefix: str, *others: str) -> tuple[Path, Path]:
        certificate, key = (self._folder / f"{prefix}{name}.{kind}" for kind in ("crt", "key"))
        if not key.exists():
            made = authority.issue_cert(name, *others, common_name=name)
            certificate.write_bytes(b"".join(blob.bytes() for blob in made.cert_chain_pems))
            key.touch(0o600)
            key.write_bytes(made.private_key_pem.bytes())
        return certificate, key


class _Process:
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
            _NoPortError: somebody else has its port.
            ServerError: it does not start.
        """
        if self._running is not None:
            raise ServerError("the server is running already")
        with self.file.open("ab") as log:
            whole = [program("setpriv", "util-linux"), "--pdeathsig", at_our_end, *command]
            begun = log.tell()
            self._running = subprocess.Popen(
                whole, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", **_as(user)
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
                    raise _NoPortError
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


def _as(user: str) -> dict[str, Any]:
    return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": ()} if user else {}


class Mosquitto:
    """A broker that speaks TLS alone and accepts clients by the name in a certificate of the authority.

    It keeps what it has in a file, but writes that at its end and every half hour only: killed, it forgets.

    Args:
        folder: of its own; made if there is none.
        settings: further lines of its configuration.
        debug: whether its log has every packet, and what it refused.
    """

    def __init__(
        self, folder: Path, certificates: Certificates, settings: Sequence[str] = (), debug: bool = True
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.port = 0
        self._folder, self._certificates = folder, certificates
        self._certificate, self._key = certificates.server()
        self._settings, self._debug = settings, debug
        self._process = _Process(folder / "mosquitto.log")

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    @property
    def pids(self) -> list[int]:
        """Its process, while it runs."""
        return self._process.pids

    def start(self) -> None:
        """Start it, the first time at a free port, then at the same; returns when it takes connections.

        Raises:
            ServerError: it is not installed, or does not start.
        """
        command = [program("mosquitto", "mosquitto"), "-c", str(self._folder / "mosquitto.conf")]
        attempts, fixed = ATTEMPTS, self.port
        while attempts:
            self.port = fixed or free_port()
            self._configure()
            try:
                return self._process.start(command, "KILL", self._reached)
            except _NoPortError:
                attempts -= 1
        raise ServerError(f"no port for mosquitto:\n{self.log()}")

    def _configure(self) -> None:
        access = self._folder / "access"
        access.write_text(ACCESS)
        access.chmod(0o600)
        lines = [
            f"listener {self.port} 127.0.0.1",
            f"cafile {self._certificates.ca}",
            f"certfile {self._certificate}",
            f"keyfile {self._key}",
            "require_certificate true",
            "use_identity_as_username true",
            f"acl_file {access}",
            "persistence true",
            f"persistence_location {self._folder}/",
            "log_dest stderr",
            *(["log_type all"] if self._debug else []),
            *(["user root"] if os.geteuid() == 0 else []),  # Else it becomes a user who cannot read the keys.
            *self._settings,
        ]
        (self._folder / "mosquitto.conf").write_text("\n".join(lines) + "\n")

    def _reached(self) -> bool:
        """Whether the server at its port has its certificate, and is not another broker."""
        context = ssl.create_default_context(cafile=self._certificates.ca)
        context.load_cert_chain(*self._certificates.of(FLOOR))
        try:
            with (
                socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) as plain,
                context.wrap_socket(plain, server_hostname="127.0.0.1") as connection,
            ):
                shown = connection.getpeercert(binary_form=True)
        except OSError:
            return False
        return shown is not None and ssl.DER_cert_to_PEM_cert(shown) in self._certificate.read_text()

    def kill(self) -> None:
        """SIGKILL: it keeps nothing of what it had not written."""
        self._process.end(signal.SIGKILL)

    def stop(self) -> None:
        """SIGTERM: it saves its data and disconnects. No effect if it is not running."""
        self._process.end(signal.SIGTERM)

    def hang(self) -> None:
        """SIGSTOP: connections stay, the kernel takes new ones, nobody answers."""
        os.kill(self._process.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        """SIGCONT, after :meth:`hang`."""
        os.kill(self._process.pid, signal.SIGCONT)

    def log(self) -> str:
        """What it has logged so far, in all its lives."""
        return self._process.file.read_text(errors="replace")

    def broker(self, name: str, port: int = 0) -> BrokerSection:
        """The section of the configuration for the client with the certificate of this name.

        Args:
            port: of a forwarder to this broker; 0 for the broker's own.
        """
        certificate, key = self._certificates.of(name)
        return BrokerSection(
            host="127.0.0.1",
            port=port or self.port,
            ca=str(self._certificates.ca),
            certificate=str(certificate),
            key=str(key),
        )


@contextmanager
def running(server: "Mosquitto | Postgres") -> Iterator[None]:
    """Start it, and stop it at the end whatever happens."""
    server.start()
    try:
        yield
    finally:
        server.stop()


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
        self._process = _Process(folder / "postgres.log")

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
            except _NoPortError:
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
            [*command, "--locale=C", "--encoding=UTF8"], cwd="/", capture_output=True, text=True, **_as(self._user)
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
