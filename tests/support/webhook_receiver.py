"""A receiver of webhooks on loopback, which answers as a test wants."""

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PATIENCE_S = 20.0


class WebhookServer:
    """What it was posted, and what it answers.

    Attributes:
        statuses: of the next answers; after them 204.
        headers: further ones of every answer.
        taken: the messages that it answered with a status of 2xx.
        posted: all of them, with their headers.
    """

    def __init__(self) -> None:
        self.statuses: list[int] = []
        self.headers: dict[str, str] = {}
        self.taken: list[dict[str, Any]] = []
        self.posted: list[tuple[dict[str, str], bytes]] = []
        self.url = ""

    def answer(self, headers: dict[str, str], body: bytes) -> int:
        """The status for a message."""
        status = self.statuses.pop(0) if self.statuses else 204
        if 200 <= status < 300:
            self.taken.append(json.loads(body))
        self.posted.append((headers, body))
        return status

    @property
    def delivered(self) -> list[tuple[str, str]]:
        """The events that it has taken, each with the alert's text."""
        return [(event["event"], event["alert"]["text"]) for message in self.taken for event in message["events"]]

    def wait(self, condition: Callable[[], bool]) -> None:
        """Until something is so."""
        until = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < until, self.posted
            threading.Event().wait(0.005)


@contextmanager
def webhook_server(tls: ssl.SSLContext | None = None) -> Iterator[WebhookServer]:
    """It runs meanwhile."""
    server = WebhookServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            given = {name.lower(): value for name, value in self.headers.items()}
            self.send_response(server.answer({"path": self.path, **given}, body))
            for name, value in server.headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    if tls is not None:
        http.socket = tls.wrap_socket(http.socket, server_side=True)
    server.url = f"http://127.0.0.1:{http.server_port}/alerts?to=pager"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        thread.join()
        http.server_close()
