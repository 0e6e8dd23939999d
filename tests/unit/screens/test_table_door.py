"""A table's screens beyond its computer: who logs on sees them; the board may be open, its own screen is let in."""

import asyncio
import json
import logging
import ssl
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from servers import Certificates
from test_http import Client

from config.door import LogOnSection, TlsSection
from config.door_rules import table_door_advice
from config.schema import ScreensSection, TableConfig
from controller.access import accounts, one_time
from controller.access.roles import Role
from controller.configuration.shipped import LoadedTable, table_path
from controller.screens.client import ScreensClient
from controller.screens.rounds import Rounds
from controller.screens.server import ScreenServer
from controller.web.exchange import Follow, Request, Response
from hal.clock import LoopClock
from hal.mock.clock import VirtualClock

PASSWORD = "correct horse battery"
Shipped = Callable[[str], TableConfig]


class Screens:
    """The pages of a table that asks for a log-on."""

    def __init__(self, config: TableConfig, folder: Path, **more: Any) -> None:
        self.file = folder / "accounts.json"
        self.new = accounts.add(self.file, "ana", Role.LOOK, PASSWORD)
        section = ScreensSection(log_on=LogOnSection(accounts=str(self.file)), hosts=["table.example"], **more)
        self.clock = VirtualClock(1_795_284_000_000_000_000)
        config = config.model_copy(update={"screens": section})
        self.server = ScreenServer(
            LoadedTable(table_path("sic-bo"), config, "0" * 64), self.clock, Rounds(folder, folder)
        )
        self.cookie = ""

    async def ask(self, path: str, peer: str = "192.168.7.9", body: object = None, **headers: str) -> Any:
        sent = {"host": "table.example", "cookie": self.cookie, "content-type": "application/json"} | headers
        method = "GET" if body is None else "POST"
        request = Request(method, path, {}, sent, json.dumps(body).encode(), peer, False, True)
        answer = self.server._server.handle(request)
        return await answer if isinstance(answer, Awaitable) else answer

    async def status(self, path: str, peer: str = "192.168.7.9", **headers: str) -> int:
        answer = await self.ask(path, peer, **headers)
        return 200 if isinstance(answer, Follow) else int(answer.status)


def test_who_has_not_logged_on_sees_the_board_alone_and_the_tables_own_screen_all(
    shipped: Shipped, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)

    async def run() -> None:
        screens = Screens(shipped("sic-bo"), tmp_path, open=["board"])
        closed = ("/dealer", "/dealer.events", "/rounds", "/rounds.json")
        for path in ("/", "/board.events", "/table.json", "/game/figure.js", "/assets/board.js", "/logon"):
            assert await screens.status(path) == 200, path
        assert {await screens.status(path) for path in closed} == {401}
        own = {"host": "localhost"}
        assert await screens.status("/dealer", "127.0.0.1", **own) == 200
        assert await screens.status("/dealer", "127.0.0.1", host="localhost", forwarded="for=10.0.0.1") == 401
        assert await screens.status("/dealer", "127.0.0.1") == 401, "by another name"
        code = one_time.code(screens.new.one_time, screens.clock.utc_ns() // 1_000_000_000 // 30)
        answer = await screens.ask("/logon", body={"name": "ana", "password": PASSWORD, "code": code})
        assert isinstance(answer, Response)
        screens.cookie = dict(answer.headers)["Set-Cookie"].partition(";")[0]
        assert {await screens.status(path) for path in closed[:3]} == {200}
        screens.server.close()

    asyncio.run(run())
    assert "access: logged-on by 'ana'" in caplog.text


def test_without_an_open_board_everything_is_closed(shipped: Shipped, tmp_path: Path) -> None:
    async def run() -> None:
        screens = Screens(shipped("sic-bo"), tmp_path)
        for path in ("/", "/board.events", "/table.json", "/game/figure.js"):
            assert await screens.status(path) == 401
        screens.server.close()

    asyncio.run(run())


def test_other_computers_see_tls_and_this_ones_screen_and_commands_need_no_certificate(
    shipped: Shipped, tmp_path: Path
) -> None:
    made = Certificates(tmp_path / "ca")
    certificate, key = made.server()

    async def run() -> None:
        tls = TlsSection(certificate=str(certificate), key=str(key))
        # 127.0.0.2 stands for this computer's address in the network.
        log_on = LogOnSection(accounts=str(tmp_path / "none"))
        screens = ScreensSection(address="127.0.0.2", tls=tls, log_on=log_on)
        config = shipped("sic-bo").model_copy(update={"screens": screens})
        server = ScreenServer(
            LoadedTable(table_path("sic-bo"), config, "0" * 64), LoopClock(), Rounds(tmp_path, tmp_path)
        )
        port = await server.open("127.0.0.2", 0)
        context = ssl.create_default_context(cafile=made.ca)
        secured = Client(
            *await asyncio.open_connection("127.0.0.2", port, ssl=context, server_hostname="localhost")
        )
        secured.say(b"GET /logon HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert await secured.status() == 200
        secured.writer.transport.abort()
        table = await asyncio.get_running_loop().run_in_executor(None, ScreensClient(config, port).table)
        assert table is None, "commands reach it at its own socket, without a log-on"
        server.close()

    asyncio.run(run())


def test_check_says_what_is_open_to_other_computers(shipped: Shipped) -> None:
    def advice(**screens: Any) -> list[str]:
        return list(table_door_advice(shipped("sic-bo").model_copy(update={"screens": ScreensSection(**screens)})))

    assert advice() == []
    assert [line.split(";")[0] for line in advice(address="192.168.7.20")] == [
        "the pages are served to other computers without TLS",
        "everybody who reaches the pages may open all of them, the dealer's screen and the record included",
    ]
    tls = TlsSection(certificate="a", key="b")
    assert advice(address="192.168.7.20", tls=tls, log_on=LogOnSection(accounts="c")) == []
