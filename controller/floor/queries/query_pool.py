"""Where questions to the store are asked: one after the other, in a thread, so that no page waits for another's."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Semaphore
from typing import TypeVar

from sqlalchemy import Connection, Engine

WAITING = 8
"""So many questions may wait, the one that is being answered included."""

Answer = TypeVar("Answer")


class BusyError(Exception):
    """Too many wait already; ask again."""


class QueryPool:
    """Answers questions about the store.

    Args:
        name: of its thread.
    """

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, name)
        self._places = Semaphore(WAITING)

    async def ask(self, question: Callable[[Connection], Answer]) -> Answer:
        """The answer to a question.

        Raises:
            BusyError: too many wait.
            SQLAlchemyError: the store cannot be read.
        """
        if not self._places.acquire(blocking=False):
            raise BusyError
        future = self._thread.submit(self._answer, question)
        # Not when the page is no longer wanted, but when the thread is free of it.
        future.add_done_callback(lambda _: self._places.release())
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Answer no more; the question that is being answered is answered to nobody."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _answer(self, question: Callable[[Connection], Answer]) -> Answer:
        with self._engine.connect() as connection:
            return question(connection)
