"""The bench in a browser: a table on simulated hardware in real time, with its screens and a page to play on."""

import asyncio
import json
import signal
import socket
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from controller.bench.live import LiveBench
from controller.configuration.shipped import LoadedTable
from controller.errors import OK
from controller.runtime.socket import TableSocket, place_of
from controller.runtime.table import Table
from controller.screens.pages import Pages
from controller.screens.rounds import Rounds
from controller.screens.streams import json_answer
from controller.viewmodel.views import TableViews
from controller.web.serving import listening, serve

ADDRESS, PORT = "127.0.0.1", 8080
MOST_BYTES = 4096
"""Of a step."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PICTURE_S = 0.05
_CONNECTIONS = 64


def serve_bench(loaded: LoadedTable, out: TextIO, journal: Path | None, seed: int | None, port: int | None) -> int:
    """Serve a bench until it is ended; returns the exit code.

    Args:
        journal: the journal's file; None for one that lasts as long as the bench.
        port: None for the default port, or any free one if that is taken; 0 for any free one.

    Raises:
        JournalError: the journal cannot be opened, or is of another table.
        OSError: the port cannot be opened.
    """
    with ExitStack() as stack:
        if journal is None:
            journal = Path(stack.enter_context(TemporaryDirectory(prefix="bench-"))) / "bench.journal"
        return asyncio.run(_session(loaded, out, journal, seed, port))


async def _session(loaded: LoadedTable, out: TextIO, journal: Path, seed: int | None, port: int | None) -> int:
    ended = asyncio.Event()
    for number in _SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    listener = _listening(port)
    bench = LiveBench(loaded.config, journal, seed, digest=loaded.digest)
    pages = BenchPages(bench, journal)
    serving = serve(pages.application, listener, _CONNECTIONS, pages.hub.end)
    tasks = [asyncio.create_task(one) for one in (pages.run(), serving)]
    try:
        at = f"http://{ADDRESS}:{listener.getsockname()[1]}"
        print(f"bench of {loaded.config.game} at {at}/bench", file=out)
        print(f"board at {at}/, dealer's screen at /dealer, record at /rounds", file=out)
        print("Ctrl-C ends the bench", file=out, flush=True)
        await ended.wait()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        bench.close()
    return OK


def _listening(port: int | None) -> socket.socket:
    """Listen on the port; without one, on the default port or any free one."""
    if port is None:
        with suppress(OSError):
            return listening(ADDRESS, PORT)
    return listening(ADDRESS, port or 0)


class BenchPages:
    """The pages of a bench: those of its table, and the one to play on."""

    def __init__(self, bench: LiveBench, journal: Path) -> None:
        self._bench = bench
        self._views = TableViews(bench.config, bench.clock)
        self._socket = TableSocket(place_of("", journal), journal, self._views)
        screens = bench.config.screens.model_copy(update={"metrics": False})
        config = bench.config.model_copy(update={"broker": None, "screens": screens})
        pages = Pages(config, bench.clock, Rounds(config, place_of("", journal), journal), bench.described)
        self.hub, self.application = pages.hub, pages.application
        self._stream = pages.hub.add("bench", self._picture)
        self.application.routes[:0] = [
            Route("/bench", pages.page("bench")),
            Route("/bench.events", pages.followed("bench")),
            Route("/bench/act", self._act, methods=["POST"]),
        ]
        bench.starting.append(self._watch)
        self._watch(bench.table)

    def _watch(self, table: Table) -> None:
        self._views.watch(table)
        self._socket.serve(table.journal)

    async def run(self) -> None:
        """Show the table and its hardware until cancelled."""
        await self._socket.open()
        self._views.follow(self.hub)
        try:
            while True:
                await asyncio.sleep(_PICTURE_S)
                if not self._bench.powered and self._views.table is not None:
                    self._views.closed("the power is off")
                    self._socket.serve(None)
                self._stream.changed()
        finally:
            self._views.leave(self.hub)
            self._socket.close()

    def _picture(self) -> Mapping[str, object]:
        return {**self.hub.dealer(), "bench": self._bench.picture()}

    async def _act(self, request: Request) -> Response:
        """Take a step, which must come from a page of this bench."""
        origin = request.headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != request.headers["host"]:
            return PlainTextResponse("only a page of this bench may act on it\n", 403)
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return PlainTextResponse("send the step as application/json\n", 415)
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > MOST_BYTES:
                return PlainTextResponse(f"a step has at most {MOST_BYTES} bytes\n", 413)
        try:
            step = json.loads(body)
        except (ValueError, RecursionError):
            return json_answer({"error": "the step is no JSON"}, 400)
        try:
            self._bench.do(step)
        except ValueError as error:
            return json_answer({"error": str(error)}, 400)
        self._stream.changed()
        return Response(status_code=204)
