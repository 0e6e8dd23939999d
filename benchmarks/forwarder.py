"""A network that can fail: passes connections on to a port of this computer, until it is cut."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress

_AT_ONCE = 1 << 16


class Forwarder:
    """Passes on what comes to a port of its own, in a thread of its own.

    While it is cut, nothing passes: connections stay open, and are silent.

    Attributes:
        port: of 127.0.0.1, where it listens.
    """

    def __init__(self, to_port: int) -> None:
        self.port = 0
        self._to_port = to_port
        self._loop = asyncio.new_event_loop()
        self._whole = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._listening: asyncio.Server | None = None
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def start(self) -> None:
        """Listen."""
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()

    def cut(self) -> None:
        """Nothing passes any more."""
        self._do(self._whole.clear)

    def restore(self) -> None:
        """Everything passes again; bytes in transit arrive late."""
        self._do(self._whole.set)

    def stop(self) -> None:
        """End all connections."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._do(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do(self, action: Callable[[], None]) -> None:
        self._loop.call_soon_threadsafe(action)

    async def _listen(self) -> None:
        self._whole.set()
        self._listening = await asyncio.start_server(self._take, "127.0.0.1", 0, backlog=4096)
        self.port = self._listening.sockets[0].getsockname()[1]

    async def _end(self) -> None:
        assert self._listening is not None
        self._listening.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        writers = [writer]
        with suppress(OSError, asyncio.CancelledError):  # It is cancelled when the forwarder ends.
            await self._whole.wait()
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to_port)
            writers.append(far_writer)
            await asyncio.gather(self._pass(reader, far_writer), self._pass(far_reader, writer))
        for each in writers:
            each.transport.abort()
            with suppress(OSError):
                await each.wait_closed()
        self._tasks.discard(task)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on what comes from one side; when that side ends, so does the other."""
        try:
            with suppress(OSError):
                while data := await reader.read(_AT_ONCE):
                    await self._whole.wait()
                    writer.write(data)
                    await writer.drain()
        finally:
            writer.close()
