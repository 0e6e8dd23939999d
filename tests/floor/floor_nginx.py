"""A real nginx in front of the pages, with the site of ``deploy/nginx``: TLS, the password, and streams."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from servers import PASSWORD, Nginx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path
from controller.screens.pages import Pages
from controller.screens.rounds import Rounds
from controller.viewmodel.views import TableViews
from controller.web.serving import Guard, listening, serve
from hal.clock import LoopClock

Ends = Callable[[], None] | None


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


def behind(nginx: Nginx, application: ASGIApp, exchange: Callable[[], Awaitable[None]], end: Ends = None) -> None:
    """Serve while clients in threads ask nginx."""

    async def run() -> None:
        listener = listening("127.0.0.1", 0)
        serving = asyncio.create_task(serve(application, listener, 64, end or (lambda: None)))
        try:
            await asyncio.to_thread(nginx.before, listener.getsockname()[1])
            await exchange()
        finally:
            serving.cancel()
            await asyncio.wait({serving})

    asyncio.run(run())


def test_only_with_the_password_and_over_tls_a_page_is_shown(nginx: Nginx) -> None:
    clients: set[object] = set()

    async def page(request: Request) -> Response:
        clients.add(request.client)
        return PlainTextResponse("the page")

    def status(password: str = "", method: str = "GET") -> tuple[int, bytes]:
        with nginx.ask("/dealer", password, method) as answer:
            return answer.status, answer.read()

    async def exchange() -> None:
        for password in ("", "wrong"):
            assert (await asyncio.to_thread(status, password))[0] == 401
        plain = await asyncio.to_thread(nginx.ask_plainly, "/tables/a?b=c")
        assert (plain.status, plain.headers["Location"]) == (301, "https://floor.casino.example/tables/a?b=c")
        assert (await asyncio.to_thread(status, PASSWORD, "POST"))[0] == 403, "the pages only show"
        assert not clients, "none of these has reached the pages"
        for _ in range(5):
            assert await asyncio.to_thread(status, PASSWORD) == (200, b"the page")
        assert len(clients) == 1, "the connection is kept open between requests"

    behind(nginx, Guard(Starlette(routes=[Route("/dealer", page)]), (), {}), exchange)


def test_what_happens_at_a_table_is_seen_at_once(nginx: Nginx, tmp_path: Path) -> None:
    config = load_table(table_path("sic-bo")).config
    rig = Rig(config)

    async def exchange() -> None:
        loop = asyncio.get_running_loop()
        views = TableViews(config, LoopClock())

        def start() -> None:
            views.watch(rig.table)
            views.follow(pages[0].hub)

        def follow() -> None:
            with nginx.ask("/dealer.events", PASSWORD) as answer:
                lines = iter(answer.readline, b"")
                assert "the table has not been reached yet" in event(lines, "picture")
                loop.call_soon_threadsafe(start)
                assert "the table has not been reached yet" not in event(lines, "picture")

        await asyncio.to_thread(follow)
        views.leave(pages[0].hub)

    pages: list[Pages] = []

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if not pages:
            pages.append(Pages(config, LoopClock(), Rounds(config, tmp_path / "none.sock", tmp_path / "none")))
        await pages[0].application(scope, receive, send)

    behind(nginx, application, exchange, lambda: pages[0].hub.end())
