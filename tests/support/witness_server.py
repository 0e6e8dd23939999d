"""A witness over HTTP on loopback, in a thread with an event loop of its own."""

import asyncio
import threading
from concurrent.futures import Future
from types import TracebackType
from typing import Self

from contracts.loop import PATIENCE_S

from controller.web.http import Handler
from controller.web.server import HttpServer
from controller.witnessing import client
from controller.witnessing.site import BODY_BYTES

client.PATIENCE_S = PATIENCE_S  # How long a table waits for its witness: no test waits for that.


class ServedHere:
    """Serves a handler from entering to leaving; ``url`` says where."""

    def __init__(self, handle: Handler, body_bytes: int = BODY_BYTES) -> None:
        self._server = HttpServer(handle, body_bytes=body_bytes)
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        opened: Future[int] = asyncio.run_coroutine_threadsafe(
            self._server.open("127.0.0.1", self.port), self._loop
        )
        self.port = opened.result(PATIENCE_S)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        async def close() -> None:
            self._server.close()
            while (
                self._server.connections or len(asyncio.all_tasks()) > 1
            ):  # They end in the next turns of the loop.
                await asyncio.sleep(0)
            await asyncio.sleep(0)

        asyncio.run_coroutine_threadsafe(close(), self._loop).result(PATIENCE_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE_S)
        self._loop.close()
