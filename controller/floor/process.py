"""The floor's process: stores what all tables publish, and serves the pages that show it."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from sqlalchemy import Engine

from config.floor import FloorConfig
from controller.floor.ingest.resend_requests import ResendRequests
from controller.floor.ingest.subscriber import Subscriber
from controller.floor.ingest.table_share import TableShare
from controller.floor.ingest.writer import StoreWriter
from controller.floor.office import in_office
from controller.floor.pages import documents
from controller.floor.record.floor_record import FloorRecord
from controller.floor.relay.relay import Relay
from controller.floor.store.leases import Leases
from controller.floor.store.spins import MakeEvidence
from controller.floor.store.store import Store, StoreAwayError
from controller.journal.errors import JournalError
from controller.runtime.systemd import ServiceManager
from hal.interfaces import Clock

if TYPE_CHECKING:
    from prometheus_client.registry import Collector

    from controller.floor.ingest.counters import FloorCounters

log = logging.getLogger("floor")

RETRY_S = 5.0
"""How often opening an unavailable store is retried."""
LINK_S = 0.5
"""How long the connection to the broker may take to end."""

ReadLinkState = Callable[[], documents.LinkState]
"""The state of the connection to the broker."""


class PageServer(Protocol):
    """The pages, as the process knows them."""

    async def keep_open(self, address: str, port: int) -> None:
        """Serve them; if that is not possible, retry periodically."""

    def measure(self, counted: "Collector") -> None:
        """Their metrics show what the floor's process counts, too."""

    def changed(self) -> None:
        """The store or the connection has changed."""

    def close(self) -> None:
        """Stop serving."""


MakePages = Callable[[FloorConfig, Engine, Clock, ReadLinkState], PageServer]


class Floor:
    """A floor, from its start to its end. Create it inside the running event loop.

    Args:
        make_pages: makes the pages for an open store.
        port: of the pages, if not the configured one; 0 for any.
        evidence: makes a wheel's evidence, if not the store's own.
    """

    def __init__(
        self,
        config: FloorConfig,
        clock: Clock,
        manager: ServiceManager,
        make_pages: MakePages,
        port: int | None = None,
        evidence: MakeEvidence | None = None,
    ) -> None:
        self._config = config
        self._clock = clock
        self._manager = manager
        self._make_pages = make_pages
        self._port = config.screens.port if port is None else port
        self._evidence = evidence
        self._record: FloorRecord | None = None
        self._stopped = asyncio.Event()
        self._threads = ThreadPoolExecutor(thread_name_prefix="floor")
        self._requests = ResendRequests()
        self._counters = _counters_of(config)
        self._writer: StoreWriter | None = None
        self._subscriber: Subscriber | None = None
        self._relay: Relay | None = None
        self._pages: PageServer | None = None
        self._status = ""

    def stop(self) -> None:
        """Request the end, in any state."""
        self._stopped.set()

    async def run(self) -> None:
        """Store what the tables publish until :meth:`stop`.

        The store is closed when no thread uses it any more: a connection that is given back later would stay open.

        Raises:
            StoreError: the store does not belong to this software.
        """
        beat = asyncio.create_task(self._feed_watchdog())
        try:
            self._record = self._open_record()
            store = await self._open_store()
            if store is not None:
                try:
                    if not self._stopped.is_set():
                        await self._run_with(store)
                finally:
                    await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)
                    store.close()
        finally:
            self._manager.notify(STOPPING="1")
            if self._record is not None:
                self._record.close()
            beat.cancel()

    async def _open_store(self) -> Store | None:
        """The store, once it can be opened; None if the floor is stopped while it cannot."""
        loop = asyncio.get_running_loop()
        config, status = self._config, ""
        holds_days = config.group.holds_days if config.group is not None else None
        most_tables = config.houses.quota.tables if config.houses is not None else None
        leases = Leases(config.worker.name) if config.worker is not None else None
        of_floor = (config.fairness.level, self._evidence, config.retention, self._record, holds_days, most_tables)
        open_store = partial(Store, config.store.url, *of_floor, leases)
        while not self._stopped.is_set():
            try:
                return await loop.run_in_executor(self._threads, open_store)
            except StoreAwayError as error:
                if str(error) != status:
                    log.error("%s; retrying every %.0f s", error, RETRY_S)
                status = str(error)
                self._manager.notify(READY="1", STATUS=status)
            with suppress(TimeoutError):
                async with asyncio.timeout(RETRY_S):
                    await self._stopped.wait()
        return None

    def _listen_for(self, store: Store) -> tuple[StoreWriter, Subscriber]:
        """What writes the store, and what listens to the broker."""
        houses = self._config.houses
        share = TableShare(self._config.worker is not None, houses is not None)
        quotas = (self._config.quota, houses.quota if houses is not None else None)
        common = (self._requests, self._clock, self._changed)
        self._writer = writer = StoreWriter(store, *common, *quotas, share, self._counters)
        self._subscriber = subscriber = Subscriber(self._config, writer, *common, share, self._counters)
        if self._counters is not None:
            self._counters.watch(
                waiting=lambda: writer.waiting,
                incomplete_tables=lambda: self._requests.tables,
                connected=lambda: subscriber.connected,
                store_available=lambda: not writer.trouble,
            )
        return writer, subscriber

    async def _run_with(self, store: Store) -> None:
        writer, subscriber = self._listen_for(store)
        if self._config.screens.enabled:
            self._pages = self._make_pages(self._config, store.engine, self._clock, self._link)
            if self._counters is not None:
                self._pages.measure(self._counters.registry)
            await self._pages.keep_open(self._config.screens.address, self._port)
        self._manager.notify(READY="1")
        runs = [writer.run(), subscriber.run()]
        if self._config.group is not None:
            self._relay = Relay(self._config, self._config.group, store, self._clock, self._changed)
            runs.append(in_office(store, self._threads, self._relay.run))
        work = [asyncio.create_task(one) for one in runs]
        stopped = asyncio.create_task(self._stopped.wait())
        try:
            done, _ = await asyncio.wait([*work, stopped], return_when=asyncio.FIRST_COMPLETED)
            for task in done - {stopped}:
                task.result()  # Neither ends by itself: a defect.
        finally:
            for task in (*work, stopped):
                task.cancel()
            await asyncio.wait(work, timeout=LINK_S)
            await writer.finish()
            if self._relay is not None:
                self._relay.close()
            if self._pages is not None:
                self._pages.close()
                self._pages = None

    def _open_record(self) -> FloorRecord | None:
        """The floor's own record; None if it cannot be used: rounds are stored all the same, settlements wait."""
        try:
            return FloorRecord(Path(self._config.record.file), self._clock)
        except JournalError as error:
            log.error("the floor's own record: %s; settlements wait; see record: in the floor's file", error)
            return None

    def _link(self) -> documents.LinkState:
        """The connection as the pages show it; an unavailable store takes precedence over an unavailable broker."""
        writer, subscriber = self._writer, self._subscriber
        assert writer is not None
        assert subscriber is not None
        return {
            "connected": subscriber.connected,
            "since_utc_ms": subscriber.since_ns // 1_000_000,
            "detail": writer.trouble or subscriber.detail,
            "messages": subscriber.messages,
        }

    def _changed(self) -> None:
        link = self._link()
        status = link["detail"] or "connected to the broker"
        if status != self._status:
            self._status = status
            self._manager.notify(STATUS=status)
        if self._pages is not None:
            self._pages.changed()

    async def _feed_watchdog(self) -> None:
        """Feed the manager's watchdog, if it has one: a hung event loop stops feeding it."""
        while self._manager.watchdog_ns:
            self._manager.notify(WATCHDOG="1")
            await asyncio.sleep(self._manager.watchdog_ns / 2e9)


def _counters_of(config: FloorConfig) -> "FloorCounters | None":
    """What is counted for the metrics; None if the file does not ask for them."""
    if not config.screens.metrics:
        return None
    from controller.floor.ingest.counters import FloorCounters  # Only here is its library loaded.

    return FloorCounters(config.floor)
