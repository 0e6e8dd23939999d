"""nginx for tests, on loopback, with the site of ``deploy/nginx``; everything of it is in its folder."""

import base64
import http.client
import signal
import socket
import ssl
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from contracts.loop import PATIENCE_S
from project import ROOT
from server_process import PortTakenError, ServerProcess, free_port, program
from servers import Certificates

SITE = ROOT / "deploy/nginx/table-controller.conf"
NAME, PASSWORD = "ana", "correct horse battery"
_MAIN = """
pid {folder}/nginx.pid;
events {{}}
http {{
    access_log off;
    {places}
    include {folder}/site.conf;
}}
"""
_PLACES = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


class Nginx:
    """An nginx in front of the pages at a port of this computer; its certificate is good for 127.0.0.1."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._process = ServerProcess(folder / "nginx.log")
        made = Certificates(folder)
        for file, name in zip(made.server(), ("pages.pem", "pages.key"), strict=True):
            file.rename(folder / name)
        hashed = subprocess.run(["openssl", "passwd", "-6", PASSWORD], capture_output=True, text=True, check=True)
        (folder / "passwords").write_text(f"{NAME}:{hashed.stdout}")
        self.tls = ssl.create_default_context(cafile=made.ca)
        self.port = self.plain_port = 0

    def start(self, pages: int, attempts: int = 5) -> None:
        """Start it, and wait until it can be reached.

        Args:
            pages: their port.

        Raises:
            ServerError: it does not start.
        """
        self.port, self.plain_port = free_port(), free_port()
        changed = SITE.read_text(encoding="utf-8")
        for shown, own in (
            ("server 127.0.0.1:8080;", f"server 127.0.0.1:{pages};"),
            ("listen 80;", f"listen 127.0.0.1:{self.plain_port};"),
            ("listen 443 ssl;", f"listen 127.0.0.1:{self.port} ssl;"),
            ("/etc/nginx/table-controller/", f"{self._folder}/"),
        ):
            assert shown in changed
            changed = changed.replace(shown, own)
        (self._folder / "site.conf").write_text(changed)
        places = " ".join(f"{name}_temp_path {self._folder}/{name};" for name in _PLACES)
        main = self._folder / "nginx.conf"
        main.write_text(_MAIN.format(folder=self._folder, places=places))
        command = [program("nginx", "nginx-light"), "-e", "stderr", "-c", str(main), "-g", "daemon off; user root;"]
        try:
            self._process.start(command, "TERM", self._is_reached)
        except PortTakenError:
            if not attempts:
                raise
            self.start(pages, attempts - 1)

    def stop(self) -> None:
        """End it."""
        self._process.end(signal.SIGTERM)

    @contextmanager
    def ask(
        self, path: str, password: str = "", method: str = "GET", come_from: str = "127.0.0.1", **headers: str
    ) -> Iterator[http.client.HTTPResponse]:
        """An answer over TLS, whose body may be read as it comes.

        Args:
            password: of :data:`NAME`; empty for a request without one.
        """
        where = ("127.0.0.1", self.port)
        connection = http.client.HTTPSConnection(
            *where, timeout=PATIENCE_S, context=self.tls, source_address=(come_from, 0)
        )
        with closing(connection):
            connection.request(method, path, headers=_with(password, headers))
            yield connection.getresponse()

    def ask_plainly(self, path: str) -> http.client.HTTPResponse:
        """An answer without TLS; its body is not read."""
        connection = http.client.HTTPConnection("127.0.0.1", self.plain_port, timeout=PATIENCE_S)
        with closing(connection):
            connection.request("GET", path, headers={"Host": "floor.casino.example"})
            return connection.getresponse()

    def _is_reached(self) -> bool:
        try:
            for port in (self.port, self.plain_port):
                socket.create_connection(("127.0.0.1", port), PATIENCE_S).close()
        except OSError:
            return False
        return True


def _with(password: str, headers: Mapping[str, str]) -> dict[str, str]:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if password:
        sent["Authorization"] = "Basic " + base64.b64encode(f"{NAME}:{password}".encode()).decode()
    return sent
