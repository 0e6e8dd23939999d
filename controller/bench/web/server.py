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
from controller.bench.web.page import WebBench
from controller.configuration.shipped import LoadedTable
from controller.errors import OK
from controller.journal.replay.trace import Tracer
from controller.runtime.session import tracer_of
from controller.runtime.socket import TableSocket, place_of
from controller.runtime.table import Table
from controller.screens.pages import Pages
from controller.screens.rounds import Rounds
from controller.screens.streams import json_answer
from controller.viewmodel.description import moves_of
from controller.viewmodel.views import TableViews
from controller.web.serving import listening, serve

ADDRESS, PORT = "127.0.0.1", 8080
MOST_BYTES = 4096
"""Of an action."""
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
    traces = _Traces(journal, loaded.config.journal.trace_rounds)
    bench.starting.append(traces.keep)
    traces.keep(bench.table)
    tasks = [
        asyncio.create_task(one)
        for one in (pages.run(), serve(pages.application, listener, _CONNECTIONS, pages.end))
    ]
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
        traces.close()
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
        self._bench, self._web = bench, WebBench(bench)
        self._views = TableViews(bench.config, bench.clock)
        self._socket = TableSocket(place_of("", journal), journal, self._views)
        config = bench.config.model_copy(
            update={"broker": None, "screens": bench.config.screens.model_copy(update={"metrics": False})}
        )
        self._pages = Pages(config, bench.clock, Rounds(config, place_of("", journal), journal))
        self._stream = self._pages.hub.add("bench", self._picture)
        self.application = self._pages.application
        self.application.routes[:0] = [
            Route("/bench", self._pages.page("bench")),
            Route("/bench.events", self._pages.followed("bench")),
            Route("/bench/act", self._act, methods=["POST"]),
        ]
        self._pages.more = self._described
        bench.starting.append(self._watch)
        self._watch(bench.table)

    def _watch(self, table: Table) -> None:
        self._views.watch(table)
        self._socket.serve(table.journal)

    def _described(self) -> Mapping[str, object]:
        moves = moves_of(self._bench.table.machine)
        return {"bench": True, "breakages": self._web.breakages(), "moves": moves}

    def end(self) -> None:
        """End every stream."""
        self._pages.hub.end()

    async def run(self) -> None:
        """Show the table and its hardware until cancelled."""
        await self._socket.open()
        self._views.follow(self._pages.hub)
        try:
            while True:
                await asyncio.sleep(_PICTURE_S)
                if not self._bench.powered and self._views.table is not None:
                    self._views.closed("the power is off")
                    self._socket.serve(None)
                self._stream.changed()
        finally:
            self._views.leave(self._pages.hub)
            self._socket.close()

    def _picture(self) -> Mapping[str, object]:
        return {**self._pages.hub.dealer(), "bench": self._web.picture()}

    async def _act(self, request: Request) -> Response:
        """Carry out an action, which must come from a page of this bench."""
        origin = request.headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != request.headers["host"]:
            return PlainTextResponse("only a page of this bench may act on it\n", 403)
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return PlainTextResponse("send the action as application/json\n", 415)
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > MOST_BYTES:
                return PlainTextResponse(f"an action has at most {MOST_BYTES} bytes\n", 413)
        try:
            self._web.act(json.loads(body))
        except (ValueError, RecursionError) as error:
            return json_answer({"error": str(error)}, 400)
        self._stream.changed()
        return Response(status_code=204)


class _Traces:
    """Keeps the edges of each table that the bench starts, for ``replay``."""

    def __init__(self, journal: Path, rounds: int) -> None:
        self._journal = journal
        self._rounds = rounds
        self._tracer: Tracer | None = None

    def keep(self, table: Table) -> None:
        self.close()
        self._tracer = tracer_of(table, self._journal, self._rounds)

    def close(self) -> None:
        if self._tracer is not None:
            self._tracer.close()
            self._tracer = None
