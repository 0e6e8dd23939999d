"""Mosquitto for tests and benchmarks, on loopback, with certificates. Everything of a server is in its folder."""

import os
import signal
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import trustme
from postgres_server import Postgres
from server_process import ATTEMPTS, PATIENCE_S, PortTakenError, ServerError, ServerProcess, free_port, program

from config.schema import BrokerSection

FLOOR = "floor"
"""Who has the certificate of this name reads what all tables send."""
SHIPPED = Path(__file__).parents[2] / "systemd/mosquitto"


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


class Mosquitto:
    """A broker with the settings and the list of access that are shipped (``systemd/mosquitto``).

    It writes what it has at its end and now and then: killed, it forgets.

    Args:
        folder: of its own; made if there is none.
    """

    def __init__(self, folder: Path, certificates: Certificates) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.port = 0
        self._folder, self._certificates = folder, certificates
        self._certificate, self._key = certificates.server()
        self._process = ServerProcess(folder / "mosquitto.log")

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
            except PortTakenError:
                attempts -= 1
        raise ServerError(f"no port for mosquitto:\n{self.log()}")

    def _configure(self) -> None:
        access = self._folder / "acl"
        access.write_text((SHIPPED / "acl").read_text())
        access.chmod(0o600)
        files = {"cafile": self._certificates.ca, "certfile": self._certificate, "keyfile": self._key}
        own = {"listener": f"{self.port} 127.0.0.1", "acl_file": access, **files}
        shipped = (line for line in (SHIPPED / "floor.conf").read_text().splitlines() if line[:1] not in ("#", ""))
        kept = [line for line in shipped if line.split()[0] not in (*own, "crlfile")]
        lines = [
            *(f"{key} {value}" for key, value in own.items()),
            *kept,
            "persistence true",
            f"persistence_location {self._folder}/",
            "log_dest stderr",
            *(["user root"] if os.geteuid() == 0 else []),  # Else it becomes a user who cannot read the keys.
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

    def log(self) -> str:
        """What it has logged so far, over all its runs."""
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
