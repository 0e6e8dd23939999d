"""Writes what arrives to the store, in a thread of its own, and waits while the store is unavailable.

Messages that arrive while one transaction runs are batched for the next: the higher the load, the less each
message costs. Whose messages a batch takes is decided by turns (:mod:`controller.floor.ingest.turns`), and a batch
ends after a slice of time, so that an alert waits for a slice at most, whatever else was sent.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from config.floor import QuotaSection
from controller.floor.ingest.resend_requests import ResendRequests
from controller.floor.ingest.table_share import TableShare
from controller.floor.ingest.turns import ServiceTurn, Turns
from controller.floor.ingest.validation import Arrived
from controller.floor.store.leases import BEAT_S
from controller.floor.store.store import Store, StoreAwayError, StoredBatch, StoreError
from controller.journal.chain import utc_text
from hal.interfaces import Clock

if TYPE_CHECKING:  # Loaded only for a floor whose file asks for metrics.
    from controller.floor.ingest.counters import FloorCounters

log = logging.getLogger("floor")
T = TypeVar("T")

MOST_AT_ONCE = 500
"""Messages in one transaction."""
SLICE_NS = 100_000_000
"""What the messages of a transaction may cost, as estimated; after so much time no further one is read."""
LEAST_NS = 20_000_000
"""After so much time none is read either, if an alert has arrived meanwhile."""
MOST_BYTES = 64 << 20
"""How much is queued in all. What arrives beyond that is dropped, and requested again."""
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 30.0
"""How long until a store that failed is retried; the interval doubles each time."""
UPKEEP_S = 1.0
"""How often the store is looked after, while nothing arrives."""
FINISH_S = 1.0
"""How long what waits is stored at the end."""
_MOST_NAMED = 5


class StoreWriter:
    """Between the broker and the store. Create and use it inside one event loop.

    Args:
        requests: is notified of what the store lacks.
        changed: called after each transaction, and when the store becomes unavailable or available.
        quota: of each table.
        house_quota: of each house; by default that of a table.
        share: the tables that this process takes; all of them by default.
        counters: count what is stored; None if no metrics are asked for.
    """

    def __init__(
        self,
        store: Store,
        requests: ResendRequests,
        clock: Clock,
        changed: Callable[[], None],
        quota: QuotaSection | None = None,
        house_quota: QuotaSection | None = None,
        share: TableShare | None = None,
        counters: "FloorCounters | None" = None,
    ) -> None:
        self._share = share or TableShare()
        self._counters = counters
        self._store = store
        self._requests = requests
        self._clock = clock
        self._changed = changed
        self._turns = Turns(quota or QuotaSection(), MOST_BYTES, clock.now_ns(), house_quota)
        self._pending, self._has_room = asyncio.Event(), asyncio.Event()
        self._has_room.set()
        self._thread = ThreadPoolExecutor(1, "floor-store")
        self._looked_ns = clock.now_ns()
        self._beat_ns: int | None = None
        self._batches_of_others = 0
        self.trouble = ""
        """Why the store is unavailable; empty while it is available."""
        self.request_due = asyncio.Event()
        """Set whenever a resend request may be due."""

    def add(self, message: Arrived) -> bool:
        """Queue a message; returns whether there is room for more, which there is while the store takes any."""
        self._turns.add(message, drops=not self.trouble)
        self._pending.set()
        if self.trouble and self._turns.full:
            self._has_room.clear()
        return self._has_room.is_set()

    async def room(self) -> None:
        """Wait until the store has taken enough of the queue, if it is full."""
        await self._has_room.wait()

    def rounds_wait(self, table: str) -> bool:
        """Whether rounds of a table have arrived that are not stored yet."""
        return self._turns.rounds_wait(table)

    @property
    def waiting(self) -> tuple[int, int]:
        """How many messages have arrived and are not stored yet, and how many bytes they take."""
        return len(self._turns), self._turns.bytes

    async def run(self) -> None:
        """Store what arrives until cancelled; an unavailable store does not end this.

        Raises:
            StoreError: another floor now writes the store.
        """
        await self._retry(self._resume)
        while True:
            await self._retry(self._beat)
            with suppress(TimeoutError):
                async with asyncio.timeout(UPKEEP_S):
                    await self._pending.wait()
            self._pending.clear()
            while self._turns:
                await self._retry(self._take)
                await self._retry(self._beat)
                await self._retry(self._upkeep)
            await self._retry(self._upkeep)

    async def finish(self) -> None:
        """After :meth:`run`: store what is left, within :data:`FINISH_S`. Tables are asked for the rest again.

        It waits for the transaction in progress, however long that takes.
        """
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(FINISH_S):
                await self._in_thread(lambda: None)  # What it was storing when run() was cancelled is stored.
                while self._turns:
                    await self._take()
        if self._turns:
            log.warning("%d messages were not stored before the end; tables are asked for them", len(self._turns))
        await asyncio.to_thread(self._thread.shutdown, cancel_futures=True)

    async def _resume(self) -> None:
        """Request what was missing when the floor was stopped."""
        if not self._share.shared:
            await self._look_at(None)

    async def _look_at(self, tables: frozenset[str] | None) -> None:
        """Request what is missing of some tables, or of all."""
        lacks = await self._in_thread(partial(self._store.lacks, tables))
        self._turns.know(lacks, self._clock.now_ns())
        self._requests.note(lacks, self._clock.now_ns())
        self.request_due.set()

    async def _beat(self) -> None:
        """Of a worker, once a second: say that it is alive, and take its share of the tables."""
        now_ns = self._clock.now_ns()
        if not self._share.shared or (self._beat_ns is not None and now_ns - self._beat_ns < BEAT_S * 1e9):
            return
        change = await self._in_thread(partial(self._store.beat, self._share.found))
        self._beat_ns = now_ns
        if change.gained or change.lost:
            log.info("this worker has %d more tables, and %d less", len(change.gained), len(change.lost))
            self._requests.note(dict.fromkeys(change.lost), now_ns)
            self._share.set((self._share.tables | change.gained) - change.lost)
            await self._look_at(change.gained)
        if change.others != self._batches_of_others or change.gained or change.lost:
            self._batches_of_others = change.others
            self._changed()

    async def _take(self) -> None:
        """Store the next batch; what the store did not take is queued again.

        Not if this is cancelled meanwhile: the thread may have stored it by then.
        """
        turns = self._turns.batch(MOST_AT_ONCE, self._clock.now_ns(), SLICE_NS)
        if not turns:
            return
        begun_ns = self._clock.now_ns()
        try:
            taken = await self._in_thread(partial(self._store_slice, turns))
        except StoreError:
            self._turns.give_back([_again(turn) for turn in turns], self._clock.now_ns())
            raise
        now_ns, count = self._clock.now_ns(), len(taken.costs_ns)
        if self._counters is not None:
            self._counters.stored(taken, (now_ns - begun_ns) / 1e9)
        self._turns.stored(turns[:count], taken.costs_ns, now_ns)
        self._turns.give_back(turns[count:], now_ns)
        self._turns.know(taken.lacks, now_ns)
        if self._turns.bytes < MOST_BYTES // 2:
            self._has_room.set()
        self._requests.note(taken.lacks, now_ns)
        self.request_due.set()
        self._changed()
        _log_batch(taken)

    def _store_slice(self, turns: list[ServiceTurn]) -> StoredBatch:
        """In the thread: store messages for a slice of time."""
        begun_ns = self._clock.now_ns()

        def is_over() -> bool:
            return self._clock.now_ns() - begun_ns >= (LEAST_NS if self._turns.interrupts else SLICE_NS)

        return self._store.take([turn.message for turn in turns], is_over)

    async def _upkeep(self) -> None:
        """Tell of what was dropped, and let the store do a slice of what it does by itself."""
        dropped = self._turns.take_dropped()
        if dropped:
            if self._counters is not None:
                self._counters.dropped.inc(dropped.total())
            log.warning("%d messages were dropped: past the quota of %s", dropped.total(), _names(dropped))
        await self._in_thread(partial(self._store.upkeep, dropped, self._clock.utc_ns()))
        await self._look_after()

    async def _look_after(self) -> None:
        """Once a second: what is overdue is named, and what people settled takes effect."""
        now_ns = self._clock.now_ns()
        if now_ns - self._looked_ns < UPKEEP_S * 1e9:
            return
        self._looked_ns = now_ns
        overdue, utc = self._requests.overdue(now_ns), utc_text(self._clock.utc_ns())
        try:
            outcomes = await self._in_thread(partial(self._store.look_after, overdue, utc))
        except StoreAwayError as error:
            log.error("%s; what was settled waits", error)
            return
        for outcome in outcomes:
            log.warning("settled: %s", outcome)
        if overdue or outcomes:
            self._changed()

    async def _in_thread(self, action: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, action)

    async def _retry(self, action: Callable[[], Awaitable[None]]) -> None:
        """Run an action on the store, and retry it until it succeeds."""
        wait_s = FIRST_WAIT_S
        while True:
            try:
                await action()
            except StoreAwayError as error:
                if self._counters is not None:
                    self._counters.store_errors.inc()
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


def _again(turn: ServiceTurn) -> ServiceTurn:
    """A message of a batch that failed, but may be stored: the database died before it said so.

    A state is older than what is stored then, as one that the broker kept.
    """
    return replace(turn, message=turn.message._replace(retained=True))


def _names(tables: Iterable[str]) -> str:
    """Some tables, as text."""
    names = sorted(table or "names that no table has" for table in tables)
    return ", ".join(names[:_MOST_NAMED]) + (f" and {len(names) - _MOST_NAMED} more" if names[_MOST_NAMED:] else "")


def _log_batch(taken: StoredBatch) -> None:
    if taken.refused:
        log.warning("%d messages were refused; see the floor's page for the reasons", taken.refused)
    if taken.disputed:
        log.error("%d rounds contradict stored rounds and are disputed", taken.disputed)
