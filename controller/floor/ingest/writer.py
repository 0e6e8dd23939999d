"""Writes what arrives to the store, in a thread of its own, and waits while the store is unavailable.

Messages that arrive while one transaction runs are batched for the next: the higher the load, the less each
message costs.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from controller.floor.ingest.resend_requests import ResendRequests
from controller.floor.ingest.validation import Arrived
from controller.floor.store.store import Store, StoreAwayError, StoredBatch, StoreError
from controller.journal.chain import utc_text
from hal.interfaces import Clock

log = logging.getLogger("floor")

MOST_AT_ONCE = 500
"""Messages in one transaction."""
MOST_BYTES = 64 << 20
"""How much is queued while the store is unavailable. What arrives beyond that is dropped, and requested again."""
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 30.0
"""How long until a store that failed is retried; the interval doubles each time."""
_EACH = 500
"""Approximate overhead of a message beyond its payload, in bytes."""


class StoreWriter:
    """Between the broker and the store. Create and use it inside one event loop.

    Args:
        requests: is notified of what the store lacks.
        changed: called after each transaction, and when the store becomes unavailable or available.
    """

    def __init__(self, store: Store, requests: ResendRequests, clock: Clock, changed: Callable[[], None]) -> None:
        self._store = store
        self._requests = requests
        self._clock = clock
        self._changed = changed
        self._waiting: deque[Arrived] = deque()
        self._bytes = 0
        self._pending, self._has_room = asyncio.Event(), asyncio.Event()
        self._has_room.set()
        self._thread = ThreadPoolExecutor(1, "floor-store")
        self.trouble = ""
        """Why the store is unavailable; empty while it is available."""
        self.request_due = asyncio.Event()
        """Set whenever a resend request may be due."""

    def add(self, message: Arrived) -> bool:
        """Queue a message; returns whether there is room for more."""
        self._waiting.append(message)
        self._bytes += _size(message)
        self._pending.set()
        if self._bytes >= MOST_BYTES:
            self._has_room.clear()
        return self._has_room.is_set()

    async def room(self) -> None:
        """Wait until the store has taken enough of the queue, if it is full."""
        await self._has_room.wait()

    async def run(self) -> None:
        """Store what arrives until cancelled; an unavailable store does not end this.

        Raises:
            StoreError: another floor now writes the store.
        """
        await self._retry(self._resume)
        while True:
            await self._pending.wait()
            self._pending.clear()
            while self._waiting:
                await self._retry(self._take)

    async def judged(self, table: str, problem: str) -> None:
        """Store what a challenge has shown, once the store is available."""
        utc = utc_text(self._clock.utc_ns())

        async def write() -> None:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._thread, self._store.judged, table, problem, utc)

        await self._retry(write)
        self._changed()

    async def finish(self) -> None:
        """After :meth:`run`: store what is left, if the store is available."""
        loop = asyncio.get_running_loop()
        with suppress(StoreError):
            while self._waiting:
                await self._take()
        await loop.run_in_executor(None, self._thread.shutdown)

    async def _resume(self) -> None:
        """Request what was missing when the floor was stopped."""
        loop = asyncio.get_running_loop()
        lacks = await loop.run_in_executor(self._thread, self._store.lacks)
        self._requests.note(lacks, self._clock.now_ns())
        self.request_due.set()

    async def _take(self) -> None:
        """Store the next batch; if the store is unavailable, the batch is queued again.

        Not if this is cancelled meanwhile: the thread may have stored it by then.
        """
        batch = [self._waiting.popleft() for _ in range(min(MOST_AT_ONCE, len(self._waiting)))]
        loop = asyncio.get_running_loop()
        try:
            taken = await loop.run_in_executor(self._thread, self._store.take, batch)
        except StoreError:
            self._waiting.extendleft(reversed(batch))
            raise
        self._bytes -= sum(map(_size, batch))
        if self._bytes < MOST_BYTES // 2:
            self._has_room.set()
        self._requests.note(taken.lacks, self._clock.now_ns())
        self.request_due.set()
        self._changed()
        _log_batch(taken)

    async def _retry(self, action: Callable[[], Awaitable[None]]) -> None:
        """Run an action on the store, and retry it until it succeeds."""
        wait_s = FIRST_WAIT_S
        while True:
            try:
                await action()
            except StoreAwayError as error:
                self._set_trouble(str(error))
                await asyncio.sleep(wait_s)
                wait_s = min(LONGEST_WAIT_S, 2 * wait_s)
            else:
                self._set_trouble("")
                return

    def _set_trouble(self, why: str) -> None:
        if why == self.trouble:
            return
        if why:
            log.error("%s; nothing is lost; retrying", why)
        else:
            log.info("the store is available again")
        self.trouble = why
        self._changed()


def _size(message: Arrived) -> int:
    return len(message.payload) + _EACH


def _log_batch(taken: StoredBatch) -> None:
    if taken.refused:
        log.warning("%d messages were refused; see the floor's page for the reasons", taken.refused)
    if taken.disputed:
        log.error("%d rounds contradict stored rounds and are disputed", taken.disputed)
