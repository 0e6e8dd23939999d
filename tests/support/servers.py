"""Mosquitto, PostgreSQL and nginx for tests and benchmarks, on loopback; each in a folder of its own."""

import base64
import http.client
import os
import pwd
import random
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import trustme
from project import ROOT

from config.schema import BrokerSection

FLOOR = "floor"
"""Who has the certificate of this name reads what all tables send."""
PATIENCE_S = 180.0
"""A server that cannot be reached for so long will not start."""
PORTS = range(20_000, 32_000)
"""Below those that the kernel gives to outgoing connections: while a server is down, its port stays free."""
ATTEMPTS = 20


class ServerError(Exception):
    """A server is not installed, or does not start."""


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


class Server:
    """A server's process, which the kernel ends with ours.

    Args:
        folder: of its own; made if there is none.
    """

    at_our_end, stops_by, how = "KILL", signal.SIGTERM, dict[str, Any]()
    """The signals that end it; who runs it, as ``Popen`` takes it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.port = folder, 0
        self._running: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        """What starts it at its port; writes its configuration."""
        raise NotImplementedError

    def reached(self) -> bool:
        """Whether it, and no other server, answers at its port."""
        raise NotImplementedError

    def start(self) -> None:
        """Start it, the first time at a free port, then at the same; returns when it answers.

        Raises:
            ServerError: it is not installed, or does not start.
        """
        assert self._running is None
        fixed, log = self.port, self.folder / "server.log"
        for _ in range(ATTEMPTS):
            self.port = fixed or free_port()
            command = [program("setpriv", "util-linux"), "--pdeathsig", self.at_our_end, *self.command()]
            with log.open("wb") as file:
                self._running = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, cwd="/", **self.how
                )
            until = time.monotonic() + PATIENCE_S
            while self._running.poll() is None and time.monotonic() < until:
                if self.reached():
                    return
                time.sleep(0.01)  # Until the next attempt to connect.
            self.kill()
            output = log.read_text(errors="replace")
            if "in use" not in output:
                raise ServerError(f"{command} does not start:\n{output}")
        raise ServerError(f"no port for {command}")

    def kill(self) -> None:
        """SIGKILL to its first process: it keeps nothing of what it had not written."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it in order, with clients connected or not. No effect if it is not running."""
        self._end(self.stops_by)

    def _end(self, how: signal.Signals) -> None:
        if self._running is not None:
            self._running.send_signal(how)
            try:
                self._running.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                self._running.kill()
                self._running.wait()
            self._running = None


@contextmanager
def running(server: Server) -> Iterator[None]:
    """Start it, and stop it at the end whatever happens."""
    server.start()
    try:
        yield
    finally:
        server.stop()


class Certificates:
    """Certificates of one authority, made for the occasion; a name's certificate has it as its common name."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.ca = folder / "ca.pem"
        self._folder, self._authority = folder, trustme.CA()
        self._authority.cert_pem.write_to_path(self.ca)

    def of(self, name: str, *others: str) -> tuple[Path, Path]:
        """The files of a certificate and key; a server's is good for other names, too."""
        certificate, key = (self._folder / f"{name}.{kind}" for kind in ("crt", "key"))
        if not key.exists():
            made = self._authority.issue_cert(name, *others, common_name=name)
            certificate.write_bytes(b"".join(blob.bytes() for blob in made.cert_chain_pems))
            key.touch(0o600)
            key.write_bytes(made.private_key_pem.bytes())
        return certificate, key

    def server(self) -> tuple[Path, Path]:
        """Good for 127.0.0.1 and localhost."""
        return self.of("localhost", "127.0.0.1")

    def answers(self, port: int) -> bool:
        """Whether a server with a certificate of this authority is there, and not another one."""
        context = ssl.create_default_context(cafile=self.ca)
        context.load_cert_chain(*self.of(FLOOR))
        try:
            plain = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
            with plain, context.wrap_socket(plain, server_hostname="127.0.0.1"):
                return True
        except OSError:
            return False


class Mosquitto(Server):
    """A broker with the shipped settings and list of access (``systemd/mosquitto``). Killed, it forgets."""

    def __init__(self, folder: Path, certificates: Certificates) -> None:
        super().__init__(folder)
        self._certificates = certificates

    def command(self) -> list[str]:
        access, shipped = self.folder / "acl", ROOT / "systemd/mosquitto"
        access.write_text((shipped / "acl").read_text())
        access.chmod(0o600)
        certificate, key = self._certificates.server()
        files = {"cafile": self._certificates.ca, "certfile": certificate, "keyfile": key}
        own = {"listener": f"{self.port} 127.0.0.1", "acl_file": access, **files}
        settings = (line for line in (shipped / "floor.conf").read_text().splitlines() if line[:1] not in ("#", ""))
        lines = [
            *(f"{name} {value}" for name, value in own.items()),
            *(line for line in settings if line.split()[0] not in (*own, "crlfile")),
            "persistence true",
            f"persistence_location {self.folder}/",
            "log_dest stderr",
            *(["user root"] if os.geteuid() == 0 else []),  # Else it becomes a user who cannot read the keys.
        ]
        file = self.folder / "mosquitto.conf"
        file.write_text("\n".join(lines) + "\n")
        return [program("mosquitto", "mosquitto"), "-c", str(file)]

    def reached(self) -> bool:
        return self._certificates.answers(self.port)

    def broker(self, name: str) -> BrokerSection:
        """The section of the configuration for the client with the certificate of this name."""
        certificate, key = map(str, self._certificates.of(name))
        ca = str(self._certificates.ca)
        return BrokerSection(host="127.0.0.1", port=self.port, ca=ca, certificate=certificate, key=key)


class Postgres(Server):
    """A cluster that does not sync (``fsync = off``): what it keeps survives its death, not a power cut.

    Run by root, it becomes another user, who must be able to reach the folder: pytest's ``tmp_path`` will not do.
    """

    at_our_end, stops_by = "QUIT", signal.SIGINT

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._databases = 0
        places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda place: -int(place.parent.name))
        self._initdb, self._postgres = (program(name, "postgresql", *places) for name in ("initdb", "postgres"))
        if os.geteuid() == 0:
            there = {entry.pw_name: entry.pw_gid for entry in pwd.getpwall()}
            user = next(user for user in ("postgres", "nobody") if user in there)
            self.how = {"user": user, "group": there[user], "extra_groups": ()}
            shutil.chown(folder, user)

    def url(self, database: str, driver: str = "+psycopg") -> str:
        return f"postgresql{driver}://postgres@127.0.0.1:{self.port}/{database}"

    def fresh(self) -> str:
        """The URL of a new, empty database, for SQLAlchemy."""
        self._databases += 1
        name = f"fresh{self._databases}"
        with psycopg.connect(self.url("postgres", ""), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)

    def command(self) -> list[str]:
        data = self.folder / "data"
        if not (data / "PG_VERSION").exists():
            words = [
                "-D",
                str(data),
                "-U",
                "postgres",
                "--auth=trust",
                "--no-sync",
                "--locale=C",
                "--encoding=UTF8",
            ]
            subprocess.run([self._initdb, *words], cwd="/", stdout=subprocess.DEVNULL, check=True, **self.how)
        own = ("listen_addresses=127.0.0.1", f"unix_socket_directories={self.folder}", "fsync=off")
        options = [word for setting in (f"port={self.port}", *own) for word in ("-c", setting)]
        return [self._postgres, "-D", str(data), *options]

    def reached(self) -> bool:
        """It accepts connections before it has read its files, but no queries."""
        try:
            with psycopg.connect(self.url("postgres", ""), connect_timeout=2) as connection:
                return connection.execute("SHOW data_directory").fetchone() == (str(self.folder / "data"),)
        except psycopg.OperationalError:
            return False


NAME, PASSWORD = "ana", "correct horse battery"
_MAIN = "pid {folder}/pid;\nevents {{}}\nhttp {{ access_log off; {places} include {folder}/site.conf; }}\n"
_PLACES = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


class Nginx(Server):
    """The site of ``deploy/nginx`` in front of the pages at a port of this computer."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._certificates, self._pages, self._plain_port = Certificates(folder), 0, 0
        for file, name in zip(self._certificates.server(), ("pages.pem", "pages.key"), strict=True):
            shutil.copy(file, folder / name)
        hashed = subprocess.run(["openssl", "passwd", "-6", PASSWORD], capture_output=True, text=True, check=True)
        (folder / "passwords").write_text(f"{NAME}:{hashed.stdout}")

    def before(self, pages: int) -> None:
        """Start it before the pages at a port."""
        self._pages = pages
        self.start()

    def command(self) -> list[str]:
        self._plain_port = free_port()
        changed = (ROOT / "deploy/nginx/table-controller.conf").read_text(encoding="utf-8")
        for shown, own in (
            ("server 127.0.0.1:8080;", f"server 127.0.0.1:{self._pages};"),
            ("listen 80;", f"listen 127.0.0.1:{self._plain_port};"),
            ("listen 443 ssl;", f"listen 127.0.0.1:{self.port} ssl;"),
            ("/etc/nginx/table-controller/", f"{self.folder}/"),
        ):
            assert shown in changed
            changed = changed.replace(shown, own)
        (self.folder / "site.conf").write_text(changed)
        places = " ".join(f"{name}_temp_path {self.folder}/{name};" for name in _PLACES)
        main = self.folder / "nginx.conf"
        main.write_text(_MAIN.format(folder=self.folder, places=places))
        return [program("nginx", "nginx-light"), "-e", "stderr", "-c", str(main), "-g", "daemon off; user root;"]

    def reached(self) -> bool:
        return self._certificates.answers(self.port)

    @contextmanager
    def ask(self, path: str, password: str = "", method: str = "GET") -> Iterator[http.client.HTTPResponse]:
        """An answer over TLS, whose body may be read as it comes.

        Args:
            password: of :data:`NAME`; empty for a request without one.
        """
        context = ssl.create_default_context(cafile=self._certificates.ca)
        known = "Basic " + base64.b64encode(f"{NAME}:{password}".encode()).decode()
        where = ("127.0.0.1", self.port)
        with closing(http.client.HTTPSConnection(*where, timeout=PATIENCE_S, context=context)) as connection:
            connection.request(method, path, headers={"Authorization": known} if password else {})
            yield connection.getresponse()

    def ask_plainly(self, path: str) -> http.client.HTTPResponse:
        """An answer without TLS; its body is not read."""
        with closing(http.client.HTTPConnection("127.0.0.1", self._plain_port, timeout=PATIENCE_S)) as connection:
            connection.request("GET", path, headers={"Host": "floor.casino.example"})
            return connection.getresponse()
