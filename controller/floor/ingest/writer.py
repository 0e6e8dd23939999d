"""Takes what arrives into the store, in a thread of its own, and waits where the store takes nothing.

While one transaction runs, what arrives meanwhile is gathered for the next: the more there is to do, the less each
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
from hal.interfaces import Clock

log = logging.getLogger("floor")

MOST_AT_ONCE = 500
"""Messages in one transaction."""
MOST_BYTES = 64 << 20
"""So much is gathered while the store takes nothing. What comes then is lost here, and asked for again."""
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 30.0
"""How long until a store that failed is tried again; twice as long each time."""
_EACH = 500
"""Bytes that a message takes besides its payload, about."""


class StoreWriter:
    """Between the broker and the store. Create and use it inside one event loop.

    Args:
        requests: hears what the store lacks.
        changed: called after each transaction, and when the store's trouble begins or ends.
    """

    def __init__(self, store: Store, requests: ResendRequests, clock: Clock, changed: Callable[[], None]) -> None:
        self._store = store
        self._requests = requests
        self._clock = clock
        self._changed = changed
        self._waiting: deque[Arrived] = deque()
        self._bytes = 0
        self._some, self._room = asyncio.Event(), asyncio.Event()
        self._room.set()
        self._thread = ThreadPoolExecutor(1, "floor-store")
        self.trouble = ""
        """Why the store takes nothing; empty while it does."""
        self.asked = asyncio.Event()
        """Set whenever there may be something to ask."""

    def add(self, message: Arrived) -> bool:
        """Keep a message; returns whether there is room for more."""
        self._waiting.append(message)
        self._bytes += _size(message)
        self._some.set()
        if self._bytes >= MOST_BYTES:
            self._room.clear()
        return self._room.is_set()

    async def room(self) -> None:
        """Wait until the store has taken what was gathered, if that is too much."""
        await self._room.wait()

    async def run(self) -> None:
        """Keep what comes until cancelled; a store that is away does not end this.

        Raises:
            StoreError: another floor has taken it over.
        """
        await self._again(self._remember)
        while True:
            await self._some.wait()
            self._some.clear()
            while self._waiting:
                await self._again(self._take)

    async def finish(self) -> None:
        """After :meth:`run`: keep what is left, if the store takes it now."""
        loop = asyncio.get_running_loop()
        with suppress(StoreError):
            while self._waiting:
                await self._take()
        await loop.run_in_executor(None, self._thread.shutdown)

    async def _remember(self) -> None:
        """Ask for what was lacking when the floor was stopped."""
        loop = asyncio.get_running_loop()
        lacks = await loop.run_in_executor(self._thread, self._store.lacks)
        self._requests.note(lacks, self._clock.now_ns())
        self.asked.set()

    async def _take(self) -> None:
        """Take the next batch; one that the store does not take is the next one again.

        Cancelled meanwhile, it is not: the thread may have taken it by then.
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
            self._room.set()
        self._requests.note(taken.lacks, self._clock.now_ns())
        self.asked.set()
        self._changed()
        _tell(taken)

    async def _again(self, action: Callable[[], Awaitable[None]]) -> None:
        """Do something with the store, again and again until it can be done."""
        wait_s = FIRST_WAIT_S
        while True:
            try:
                await action()
            except StoreAwayError as error:
                self._troubled(str(error))
                await asyncio.sleep(wait_s)
                wait_s = min(LONGEST_WAIT_S, 2 * wait_s)
            else:
                self._troubled("")
                return

    def _troubled(self, why: str) -> None:
        if why == self.trouble:
            return
        if why:
            log.error("%s; nothing is lost, and it is tried again", why)
        else:
            log.info("the store takes messages again")
        self.trouble = why
        self._changed()


def _size(message: Arrived) -> int:
    return len(message.payload) + _EACH


def _tell(taken: StoredBatch) -> None:
    if taken.refused:
        log.warning("%d messages were refused; the floor's page says why", taken.refused)
    if taken.disputed:
        log.error("%d rounds contradict what is stored, and are disputed", taken.disputed)
