"""Asks the floor's pages without a network."""

import asyncio
import json
from collections.abc import MutableMapping
from datetime import UTC, datetime, tzinfo
from typing import Any, NamedTuple
from urllib.parse import unquote

from filled_floor import NOW
from sqlalchemy import Engine

from controller.floor.metrics import FloorMetrics
from controller.floor.pages import Pages


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str

    @property
    def document(self) -> Any:
        return json.loads(self.text)


class Browser:
    """Pages of a floor, and who asks for them.

    Attributes:
        metrics: of the floor.
        pages: served without a network.
    """

    def __init__(self, engine: Engine, zone: tzinfo = UTC, now: datetime = NOW, **options: Any) -> None:
        self.metrics = FloorMetrics(engine)
        self.pages = Pages(engine, self.metrics, "Main floor", 10_000, now=lambda: now, zone=zone, **options)

    async def get(self, address: str, host: str = "localhost:8080") -> Answer:
        """The answer to ``GET``; the address is as a browser sends it."""
        path, _, query = address.partition("?")
        status, headers, body = 0, {}, b""

        async def receive() -> MutableMapping[str, Any]:
            await asyncio.Event().wait()  # The client never leaves.
            raise AssertionError

        async def send(message: MutableMapping[str, Any]) -> None:
            nonlocal status, headers, body
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = {name.decode(): value.decode() for name, value in message["headers"]}
            body += message.get("body", b"")

        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(b"host", host.encode())],
            "server": ("127.0.0.1", 8080),
            "client": ("127.0.0.1", 40_000),
        }
        await self.pages.application(scope, receive, send)
        return Answer(status, headers, body.decode())

    def ask(self, address: str, host: str = "localhost:8080") -> Answer:
        """The same in an event loop of its own."""
        return asyncio.run(self.get(address, host))
