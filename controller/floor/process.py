"""The floor's process: stores what tables send, deletes what is too old, and serves the pages."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from config.floor import FloorConfig
from controller.floor.database import StoreAwayError, make_engine, prepare, sole_writer
from controller.floor.ingest import Ingest
from controller.floor.link import end
from controller.floor.metrics import FloorMetrics
from controller.floor.pages import Pages
from controller.floor.record import FloorRecordError
from controller.floor.retention import expire
from controller.floor.store import Store, Work
from controller.journal.chain import utc_text
from controller.runtime.systemd import ServiceManager
from hal.interfaces import Clock

if TYPE_CHECKING:
    from controller.signing.keys import FloorKeys

log = logging.getLogger("floor")

RETRY_S = 5.0
"""How often a database that does not answer is tried again."""
WAIT_S = 1.0
"""How often a second process looks whether it may write."""
_RETENTION_S = 3600.0

Done = TypeVar("Done")


class Floor:
    """A floor, from its start to its end. Create it inside the running event loop.

    Raises:
        StoreError: the database's URL is wrong.
    """

    def __init__(
        self,
        config: FloorConfig,
        clock: Clock,
        manager: ServiceManager,
        keys: "FloorKeys | None" = None,
    ) -> None:
        self._config, self._clock, self._manager = config, clock, manager
        self._keys = keys
        self._engine = make_engine(config.store.url)
        self._metrics = FloorMetrics(self._engine)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._ingest = Ingest(config.broker, f"floor-{config.floor}", self._changed)
        self._problem = "the database is being opened"
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        self._stopped.set()

    async def run(self) -> None:
        """Run until :meth:`stop`.

        Raises:
            StoreError: the database does not belong to this software.
        """
        self._manager.notify(READY="1")
        screens, odds = self._config.screens, self._config.fairness.odds
        work: list[Coroutine[Any, Any, Any]] = [
            self._beat(),
            self._keep(),
            self._stopped.wait(),
        ]
        if screens.enabled:
            pages = Pages(self._engine, self._metrics, self._config.floor, odds, screens.hosts)
            work.append(pages.serve(screens.address, screens.port))
        tasks = [asyncio.create_task(one) for one in work]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._manager.notify(STOPPING="1")
            await end(*tasks)
            self._thread.shutdown(cancel_futures=True)
            self._engine.dispose()
        for task in done:
            task.result()

    async def _keep(self) -> None:
        """Store, and begin anew whenever the database was away."""
        while True:
            try:
                await self._in_thread(prepare, self._engine)
                await self._write()
            except StoreAwayError as error:
                self._metrics.store_failures.inc()
                self._set_problem(str(error))
                await asyncio.sleep(RETRY_S)
            else:
                self._set_problem("another process of this floor writes the database; this one waits for its end")
                await asyncio.sleep(WAIT_S)

    async def _write(self) -> None:
        """Store what arrives, as the only process that does; returns at once if another one does.

        Raises:
            StoreAwayError: the database cannot be used any longer.
        """
        writer = sole_writer(self._engine)
        db = await self._in_thread(writer.__enter__)
        try:
            if db is None:
                return
            utc, level = lambda: utc_text(self._clock.utc_ns()), self._config.fairness.level
            made = (db, utc, level, self._keys, self._count)
            store = await self._in_thread(Store, *made)
            self._set_problem("")
            await self._in_thread(store.catch_up)
            keep = self._ingest.keep(partial(self._in_thread, store.take), partial(self._in_thread, store.haves))
            # The broker has one connection for a floor: only the process that writes takes it.
            work = [asyncio.create_task(one) for one in (self._ingest.listen(), keep, self._delete_old(store))]
            try:
                await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
            finally:
                await end(*work)
            for task in work:
                if not task.cancelled():
                    task.result()
        finally:
            await self._in_thread(writer.__exit__, None, None, None)

    async def _delete_old(self, store: Store) -> None:
        record = Path(self._config.record.file)
        while True:
            more = False
            try:
                more = await self._in_thread(expire, store, self._config.retention, record, self._clock)
            except FloorRecordError as error:
                log.error("nothing old is deleted: %s", error)
            await asyncio.sleep(WAIT_S if more else _RETENTION_S)

    async def _in_thread(self, work: Callable[..., Done], *arguments: object) -> Done:
        """Do what uses the database, one after the other; what has begun is not interrupted."""
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments))

    # -- status --------------------------------------------------------------------------------------------

    def _set_problem(self, problem: str) -> None:
        if problem and problem != self._problem:
            log.error("%s", problem)
        self._problem = problem
        self._metrics.store_available.set(not problem)
        self._changed()

    def _changed(self) -> None:
        self._metrics.connected.set(self._ingest.connected)
        self._manager.notify(STATUS=self._problem or self._ingest.detail or "connected to the broker")

    def _count(self, wrote: Work) -> None:
        """A transaction was committed."""
        metrics, now = self._metrics, datetime.fromisoformat(wrote.received)
        metrics.entries.inc(wrote.stored)
        for utc in wrote.utcs:
            metrics.lag.observe(max(0.0, (now - datetime.fromisoformat(utc)).total_seconds()))
        for row in wrote.rounds:
            metrics.rounds.labels(row["game"]).inc()
            metrics.voids.labels(row["game"]).inc(len(row["voids"]))
        for (_, reason), (count, _) in wrote.refused.items():
            metrics.refused.labels(reason).inc(count)

    async def _beat(self) -> None:
        """Feed the manager's watchdog, if it has one: a hung event loop stops feeding it."""
        while True:
            self._manager.notify(WATCHDOG="1")
            await asyncio.sleep(self._manager.watchdog_ns / 2e9 or _RETENTION_S)
