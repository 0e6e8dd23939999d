"""Asks a web application without a network."""

import asyncio
import json
from collections.abc import Mapping, MutableMapping
from typing import Any, NamedTuple
from urllib.parse import unquote

from starlette.types import ASGIApp


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def document(self) -> Any:
        return json.loads(self.body)


async def asked(
    application: ASGIApp, address: str, method: str = "GET", body: bytes = b"", **headers: str
) -> Answer:
    """The answer to a request; the address is as a browser sends it. ``content_type`` is ``content-type``."""
    path, _, query = address.partition("?")
    status, received, parts = 0, {}, [{"type": "http.request", "body": body}]
    answered = b""

    async def receive() -> MutableMapping[str, Any]:
        if not parts:
            await asyncio.Event().wait()  # The client never leaves.
        return parts.pop()

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal status, received, answered
        if message["type"] == "http.response.start":
            status = message["status"]
            received = {name.decode(): value.decode() for name, value in message["headers"]}
        answered += message.get("body", b"")

    sent: Mapping[str, str] = {"host": "localhost:8080", **headers}
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in sent.items()],
        "server": ("127.0.0.1", 8080),
        "client": ("127.0.0.1", 40_000),
    }
    await application(scope, receive, send)
    return Answer(status, received, answered)


def ask(application: ASGIApp, address: str, method: str = "GET", body: bytes = b"", **headers: str) -> Answer:
    """The same in an event loop of its own."""
    return asyncio.run(asked(application, address, method, body, **headers))
