"""The floor's pages, and a browser without a network."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import Engine
from stored_floor import NOW_MS, fill, insert

from config.floor import FloorConfig
from config.schema import BrokerSection, ScreensSection
from controller.floor.pages.server import Pages
from controller.web.http import Request, Response
from hal.mock.clock import VirtualClock

HOST = {"host": "127.0.0.1:8080"}
AWKWARD = "A/7 #1?<b>&%2F.json"
CONFIG = FloorConfig(
    floor="hall",
    broker=BrokerSection(host="localhost", ca="ca", certificate="crt", key="key"),
    screens=ScreensSection(hosts=["floor.example"]),
)
LINK = {"connected": True, "since_utc_ms": NOW_MS, "detail": "", "messages": 3}


def filled(engine: Engine) -> Engine:
    """Fill a store with some tables, and a wheel whose name needs quoting everywhere."""
    fill(engine, tables=4, rounds=30)
    wheel = {"wheel": AWKWARD, "game": "roulette", "of": 3, "labels": [], "spins": 1, "evidence": 0.5}
    more = {"highest": 2.0, "suspicion": "", "alarmed": None}
    insert(engine, {"wheels": [wheel | more]})
    return engine


class Floor:
    """The pages, and a browser without a network."""

    def __init__(self, engine: Engine) -> None:
        self.clock = VirtualClock(NOW_MS * 1_000_000)
        self.pages = Pages(CONFIG, engine, self.clock, lambda: LINK)

    async def get(self, path: str, headers: dict[str, str] | None = None, **query: str) -> Response:
        """The answer to a path as the server has decoded it."""
        answer = self.pages.site(Request("GET", path, query, headers or HOST))
        if isinstance(answer, Awaitable):
            answer = await answer
        assert isinstance(answer, Response)
        return answer

    async def post(self, path: str, body: object) -> Response:
        """The answer to an action of a page."""
        sent = {**HOST, "content-type": "application/json"}
        answer = self.pages.site(Request("POST", path, {}, sent, json.dumps(body).encode()))
        if isinstance(answer, Awaitable):
            answer = await answer
        assert isinstance(answer, Response)
        return answer

    async def document(self, path: str, **query: str) -> Any:
        answer = await self.get(path, **query)
        assert answer.status == 200, answer.body
        return json.loads(answer.body)


def run(engine: Engine, exchange: Callable[[Floor], Awaitable[None]]) -> None:
    async def it() -> None:
        floor = Floor(engine)
        try:
            await exchange(floor)
        finally:
            floor.pages.close()

    asyncio.run(it())
