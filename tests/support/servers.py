"""Mosquitto for tests and benchmarks, on loopback, with certificates. Everything of a server is in its folder."""

import os
import signal
import socket
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import trustme
from postgres_server import Postgres
from server_process import ATTEMPTS, PATIENCE_S, PortTakenError, ServerError, ServerProcess, free_port, program

from config.schema import BrokerSection

FLOOR = "floor"
"""Who has the certificate of this name reads what all tables publish."""
FLOOR_ALERTS = "floor-alerts"
"""The same, over the floor's connection for alerts."""
WORKERS = tuple(f"floor-{letter}" for letter in "abcd")
"""The same, for workers that share a store."""

ACCESS = f"""\
user {FLOOR}
topic read tables/#
topic write floor/#

user {FLOOR_ALERTS}
topic read tables/#

pattern write tables/%u/#
pattern read floor/%u/#
"""
for _name in WORKERS:
    ACCESS += f"\nuser {_name}\ntopic read tables/#\ntopic write floor/#\n"

GROUP_ACCESS = (Path(__file__).parents[2] / "systemd/mosquitto/group.acl").read_text(encoding="utf-8")
"""Of a group's broker: the list that is shipped."""


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
    """A broker that speaks TLS alone and accepts clients by the name in a certificate of the authority.

    It keeps what it has in a file, but writes that at its end and every half hour only: killed, it forgets.

    Args:
        folder: of its own; made if there is none.
        settings: further lines of its configuration.
        access: who may do what, as its list of access has it.
        debug: whether its log has every packet, and what it refused.
        access: its list of access, if another one.
    """

    def __init__(
        self,
        folder: Path,
        certificates: Certificates,
        settings: Sequence[str] = (),
        debug: bool = True,
        access: str = ACCESS,
    ) -> None:
        self._access = access
        folder.mkdir(parents=True, exist_ok=True)
        self.port = 0
        self._folder, self._certificates = folder, certificates
        self._certificate, self._key = certificates.server()
        self._settings, self._debug, self._access = settings, debug, access
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
        access = self._folder / "access"
        access.write_text(self._access)
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
