"""A real nginx in front of the pages, with the site of ``deploy/nginx``: TLS, the password, and streams."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from controller.screens.server import ScreenServer
from controller.web.exchange import Response
from controller.web.server import HttpServer
from nginx_server import PASSWORD, Nginx

from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path
from controller.screens.rounds import Rounds
from hal.clock import LoopClock

T = TypeVar("T")


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[Nginx]:
    made = Nginx(tmp_path / "nginx")
    yield made
    made.stop()


def event(lines: Iterator[bytes], name: str) -> str:
    """The data of the next event of this name; waits until it has come."""
    for line in lines:
        if line == f"event: {name}\n".encode():
            return next(lines).decode()
    raise AssertionError(f"the stream has ended without {name}")


def behind(nginx: Nginx, server: HttpServer, exchange: Callable[[], Awaitable[None]]) -> None:
    """Serve while clients in threads ask nginx."""

    async def run() -> None:
        try:
            nginx.start(await server.open("127.0.0.1", 0))
            await exchange()
        finally:
            server.close()

    asyncio.run(run())


def test_only_with_the_password_and_over_tls_a_page_is_shown(nginx: Nginx) -> None:
    paths: list[str] = []

    def handle(request: object) -> Response:
        paths.append(str(request))
        return Response(body=b"the page")

    server = HttpServer(handle)

    def status(password: str = "", method: str = "GET") -> tuple[int, bytes]:
        with nginx.ask("/dealer", password, method) as answer:
            return answer.status, answer.read()

    async def exchange() -> None:
        for password in ("", "wrong"):
            assert (await asyncio.to_thread(status, password))[0] == 401
        plain = await asyncio.to_thread(nginx.ask_plainly, "/tables/a?b=c")
        assert (plain.status, plain.headers["Location"]) == (301, "https://floor.casino.example/tables/a?b=c")
        assert (await asyncio.to_thread(status, PASSWORD, "POST"))[0] == 403, "the pages only show"
        assert paths == [], "none of these has reached the pages"
        for _ in range(5):
            assert await asyncio.to_thread(status, PASSWORD) == (200, b"the page")
        assert len(server.connections) == 1, "it is kept open between requests"

    behind(nginx, server, exchange)


def test_what_happens_at_a_table_is_seen_at_once(nginx: Nginx, tmp_path: Path) -> None:
    loaded = load_table(table_path("sic-bo"))
    rig = Rig(loaded.config)

    async def exchange() -> None:
        loop = asyncio.get_running_loop()
        screens = ScreenServer(loaded, LoopClock(), Rounds(tmp_path, tmp_path))

        def follow() -> None:
            with nginx.ask("/dealer.events", PASSWORD) as answer:
                lines = iter(answer.readline, b"")
                assert "the table has not started yet" in event(lines, "picture")
                loop.call_soon_threadsafe(screens.watch, rig.table)
                assert "the table has not started yet" not in event(lines, "picture")

        try:
            nginx.start(await screens.open("127.0.0.1", 0))
            await asyncio.to_thread(follow)
        finally:
            screens.close()

    asyncio.run(exchange())
