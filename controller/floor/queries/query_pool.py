"""Runs queries to the store one after the other, in a thread, so that the event loop never waits for the store."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Semaphore
from typing import TypeVar

from sqlalchemy import Connection, Engine

WAITING = 8
"""How many queries may be pending, the running one included."""

T = TypeVar("T")


class BusyError(Exception):
    """Too many queries are pending; try again."""


class QueryPool:
    """Runs queries to the store in one thread.

    Args:
        name: of its thread.
    """

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, name)
        self._places = Semaphore(WAITING)

    async def ask(self, query: Callable[[Connection], T]) -> T:
        """Run a query and return its result.

        Raises:
            BusyError: too many queries are pending.
            SQLAlchemyError: the store cannot be read.
        """
        if not self._places.acquire(blocking=False):
            raise BusyError
        future = self._thread.submit(self._run, query)
        # Released when the thread is done with the query, even if its request is cancelled.
        future.add_done_callback(lambda _: self._places.release())
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Cancel the pending queries; the result of the running one is discarded."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _run(self, query: Callable[[Connection], T]) -> T:
        with self._engine.connect() as connection:
            return query(connection)
