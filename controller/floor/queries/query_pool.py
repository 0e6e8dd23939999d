"""Runs queries to the store in threads, those who ask in turn, so that the event loop never waits for the store."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from threading import Lock
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

WAITING = 64
"""How many queries may be pending, the running ones included."""
WAITING_OF_ONE = 8
"""How many of one asker may be."""
STOPS_S = 0.01
"""How often running queries are stopped until they have ended: between two statements nothing can be stopped."""

T = TypeVar("T")


class BusyError(Exception):
    """Too many queries are pending; try again.

    Attributes:
        own: whether they are the asker's own.
    """

    def __init__(self, own: bool) -> None:
        super().__init__("too many queries are pending")
        self.own = own


class QueryPool:
    """Runs queries to the store in threads. Create and use it inside one event loop.

    Each asker has one query running at most, and their next ones take turns.

    Args:
        name: of its threads.
        threads: how many queries run at once.
    """

    def __init__(self, engine: Engine, name: str, threads: int = 1) -> None:
        self._engine = engine
        self._threads = ThreadPoolExecutor(threads, name)
        self._free = threads
        self._pending = 0
        self._waiting: OrderedDict[str, deque[Callable[[], None]]] = OrderedDict()
        """What starts the queries of each asker; the one whose turn is next comes first."""
        self._running: set[str] = set()
        self._futures: set[Future[Any]] = set()
        self._connections: set[Connection] = set()
        self._lock = Lock()
        self._closed = False

    async def ask(self, query: Callable[[Connection], T], asker: str = "") -> T:
        """Run a query when it is its turn, and return its result.

        Args:
            asker: the address of who asks; empty for the floor itself.

        Raises:
            BusyError: too many queries are pending.
            SQLAlchemyError: the store cannot be read.
        """
        queue = self._waiting.get(asker, ())
        own = len(queue) + (asker in self._running) >= WAITING_OF_ONE
        if own or self._pending >= WAITING:
            raise BusyError(own)
        begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def begin() -> None:
            if not begun.done():
                begun.set_result(None)

        self._pending += 1
        self._waiting.setdefault(asker, deque()).append(begin)
        self._start_next()
        try:
            await begun
        except asyncio.CancelledError:
            self._cancelled(asker, begin)
            raise
        return await self._result(asker, query)

    def close(self) -> None:
        """Cancel the pending queries, stop the running ones, and wait until they have ended."""
        self._closed = True
        while wait(self._futures, STOPS_S).not_done:
            with self._lock:
                for connection in self._connections:
                    _interrupt(connection)
        self._threads.shutdown()

    async def _result(self, asker: str, query: Callable[[Connection], T]) -> T:
        loop = asyncio.get_running_loop()
        future: Future[T] = self._threads.submit(self._run, query)
        self._futures.add(future)

        def ended() -> None:
            self._futures.discard(future)
            self._ended(asker)

        # Its place is free when the thread is done with the query, even if its request is cancelled.
        def done(_: "Future[T]") -> None:
            with suppress(RuntimeError):  # The loop has ended.
                loop.call_soon_threadsafe(ended)

        future.add_done_callback(done)
        return await asyncio.wrap_future(future)

    def _start_next(self) -> None:
        """Start the queries whose turn it is, while threads are free."""
        for asker in list(self._waiting):
            if self._free and asker not in self._running:
                self._free -= 1
                self._running.add(asker)
                queue = self._waiting.pop(asker)
                begin = queue.popleft()
                if queue:
                    self._waiting[asker] = queue  # Behind all others.
                begin()

    def _ended(self, asker: str) -> None:
        self._free += 1
        self._pending -= 1
        self._running.discard(asker)
        if asker in self._waiting:
            self._waiting.move_to_end(asker)
        if not self._closed:
            self._start_next()

    def _cancelled(self, asker: str, begin: Callable[[], None]) -> None:
        """A request ended before its query was given to a thread: while it waited, or just when its turn came."""
        queue = self._waiting.get(asker)
        if queue is None or begin not in queue:
            self._ended(asker)
            return
        self._pending -= 1
        queue.remove(begin)
        if not queue:
            del self._waiting[asker]

    def _run(self, query: Callable[[Connection], T]) -> T:
        with self._engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                # All statements of one query see one state of the store, as they do in SQLite.
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            with self._lock:
                self._connections.add(connection)
            try:
                return query(connection)
            finally:
                with self._lock:
                    self._connections.discard(connection)


def _interrupt(connection: Connection) -> None:
    """Stop what a connection is doing: its query fails."""
    driver: Any = connection.connection.driver_connection
    with suppress(SQLAlchemyError, OSError):
        if connection.dialect.name == "postgresql":
            driver.cancel()
        else:
            driver.interrupt()
