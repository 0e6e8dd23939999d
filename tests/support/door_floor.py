"""A floor's pages with a door, and people who log on, without a network."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contracts.loop import PATIENCE_S
from floor_pages import CONFIG, LINK
from sqlalchemy import Engine
from stored_floor import NOW_MS, a_table, an_alert, empty, insert

from config.door import LogOnSection
from config.schema import ScreensSection
from controller.access import accounts, one_time
from controller.access.roles import Role
from controller.floor.pages.server import Pages
from controller.floor.record.floor_record import FloorRecord
from controller.web.exchange import Answer, Follow, Request, Response
from hal.mock.clock import VirtualClock

HOST = "floor.example"
PASSWORD = "correct horse battery"
ELSEWHERE = "192.168.7.20"
S = 1_000_000_000


@dataclass
class Person:
    """Somebody with an account, at a browser."""

    name: str
    secret: str
    recovery: list[str]
    password: str = PASSWORD
    peer: str = ELSEWHERE
    cookie: str = ""
    token: str = ""


@dataclass
class Viewing:
    """A viewer of a stream."""

    backlog: int = 0
    dropped: bool = False
    sent: list[bytes] = field(default_factory=list)

    def send(self, data: bytes) -> None:
        self.sent.append(data)

    def drop(self) -> None:
        self.dropped = True

    def __hash__(self) -> int:
        return id(self)


class DoorFloor:
    """The pages of a floor that asks for a log-on.

    Attributes:
        record: the floor's own.
    """

    def __init__(self, folder: Path, screens: Mapping[str, Any] | None = None, **log_on: Any) -> None:
        self.folder = folder
        self.file = folder / "accounts.json"
        self.engine: Engine = empty(folder)
        insert(self.engine, {"tables": [a_table("roulette-1")], "alerts": [an_alert("roulette-1", "it is dark")]})
        self.clock = VirtualClock(NOW_MS * 1_000_000)
        self.record = FloorRecord(None, self.clock)
        section = LogOnSection(**({"accounts": str(self.file)} | log_on))
        config = CONFIG.model_copy(
            update={"screens": ScreensSection(hosts=[HOST], log_on=section, **(screens or {}))}
        )
        self.pages = Pages(config, self.engine, self.clock, lambda: LINK, self.record)
        self.pages.settling.patience_s = PATIENCE_S

    def person(self, name: str, role: str = "look") -> Person:
        """Somebody with an account of this role."""
        new = accounts.add(self.file, name, Role(role), PASSWORD)
        return Person(name, new.one_time, new.recovery)

    def code(self, person: Person) -> str:
        """The present code of a person's authenticator."""
        return one_time.code(person.secret, self.clock.utc_ns() // S // one_time.STEP_S)

    async def answer(
        self, person: Person | None, method: str, path: str, body: object = None, **headers: str
    ) -> Answer:
        """The answer to a request from a person's browser; None is somebody at another computer."""
        sent = {"host": HOST, "content-type": "application/json"}
        if person is not None:
            sent |= {"cookie": f"a=b; {person.cookie}", "x-page-token": person.token}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        path, _, words = path.partition("?")
        query = dict(pair.split("=") for pair in words.split("&") if pair)
        peer = ELSEWHERE if person is None else person.peer
        request = Request(method, path, query, sent, data, peer, False, True)
        answer = self.pages.site(request)
        return await answer if isinstance(answer, Awaitable) else answer

    async def get(self, person: Person | None, path: str, **headers: str) -> Response:
        answer = await self.answer(person, "GET", path, **headers)
        assert isinstance(answer, Response)
        return answer

    async def post(self, person: Person | None, path: str, body: object, **headers: str) -> Response:
        answer = await self.answer(person, "POST", path, body, **headers)
        assert isinstance(answer, Response)
        return answer

    async def log_on(self, person: Person, **changed: object) -> Response:
        """Log on; the browser keeps the cookie, and the page its token."""
        given = {"name": person.name, "password": person.password, "code": self.code(person)} | changed
        anonymous = Person("", "", [], peer=person.peer)
        answer = await self.post(anonymous, "/logon", given)
        cookie = dict(answer.headers).get("Set-Cookie", "")
        if answer.status == 204:
            person.cookie = cookie.partition(";")[0]
            person.token = json.loads((await self.get(person, "/session.json")).body)["token"]
        return answer

    async def follow(self, person: Person) -> tuple[Follow, Viewing]:
        """A stream that a person follows."""
        stream = await self.answer(person, "GET", "/floor.events")
        assert isinstance(stream, Follow), "a stream"
        viewer = Viewing()
        stream.on_join(viewer)
        return stream, viewer

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.clock.advance_to(self.clock.now_ns() + int(seconds * S))

    def entries(self) -> list[tuple[str, dict[str, Any]]]:
        """What is on record, the first entry first."""
        return [(entry.kind, json.loads(entry.body)) for entry in reversed(self.record.latest(1000))]

    def kinds(self) -> list[str]:
        """The kinds of entries on record."""
        return [kind for kind, _ in self.entries()]


Exchange = Callable[[DoorFloor], Awaitable[None]]


def at_door(folder: Path, exchange: Exchange, **log_on: Any) -> DoorFloor:
    """Let people come to a floor's door; afterwards what they did is on record."""

    async def run() -> DoorFloor:
        floor = DoorFloor(folder, **log_on)
        try:
            await exchange(floor)
        finally:
            floor.pages.close()
            floor.engine.dispose()
        return floor

    return asyncio.run(run())


def error(answer: Response) -> str:
    """The sentence of an answer that refuses."""
    return str(json.loads(answer.body)["error"])
