"""The floor's process: stores what tables send, deletes what is too old, and serves the pages."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol, TypeVar

from sqlalchemy import Engine

from config.floor import FloorConfig
from controller.floor.database import StoreAwayError, open_database, sole_writer
from controller.floor.ingest import Ingest
from controller.floor.link import end
from controller.floor.record import FloorRecordError
from controller.floor.retention import expire
from controller.floor.store import Committed, Store
from controller.floor.wire import Signer, Verifier
from controller.journal.chain import utc_text
from controller.runtime.systemd import ServiceManager
from hal.interfaces import Clock

log = logging.getLogger("floor")

RETRY_S = 5.0
"""How often a database that does not answer is tried again."""
WAIT_S = 1.0
"""How often a second process looks whether it may write."""
_RETENTION_S = 3600.0

Done = TypeVar("Done")


class Observer(Protocol):
    """What shows the floor's work: pages and metrics."""

    def committed(self, wrote: Committed) -> None:
        """A transaction was committed; called in the store's thread."""

    def store_available(self, available: bool) -> None:
        """Whether the database can be used has changed."""

    def connected(self, to_broker: bool) -> None:
        """Whether the broker is connected has changed."""

    async def serve(self, engine: Engine) -> None:
        """Serve the pages until cancelled."""


class Floor:
    """A floor, from its start to its end. Create it inside the running event loop.

    Args:
        observer: None for a floor without pages and metrics.
    """

    def __init__(
        self,
        config: FloorConfig,
        clock: Clock,
        manager: ServiceManager,
        observer: Observer | None = None,
        signer: Signer | None = None,
        verifier: Verifier | None = None,
    ) -> None:
        self._config, self._clock, self._manager, self._observer = config, clock, manager, observer
        self._signer, self._verifier = signer, verifier
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
        tasks = [asyncio.create_task(one) for one in (self._beat(), self._ingest.listen(), self._keep())]
        tasks.append(asyncio.create_task(self._stopped.wait()))  # type: ignore[arg-type]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._manager.notify(STOPPING="1")
            await end(*tasks)
            self._thread.shutdown(cancel_futures=True)
        for task in done:
            task.result()

    async def _keep(self) -> None:
        """Open the database and store, and again whenever it was away."""
        pages: asyncio.Task[None] | None = None
        try:
            while True:
                engine: Engine | None = None
                try:
                    engine = await self._in_thread(open_database, self._config.store.url)
                    if pages is None and self._observer is not None and self._config.screens.enabled:
                        pages = asyncio.create_task(self._observer.serve(engine))
                    await self._write(engine)
                except StoreAwayError as error:
                    self._set_problem(str(error))
                    await asyncio.sleep(RETRY_S)
                else:
                    self._set_problem(
                        "another process of this floor writes the database; this one waits for its end"
                    )
                    await asyncio.sleep(WAIT_S)
                finally:
                    if engine is not None:
                        engine.dispose()
        finally:
            if pages is not None:
                await end(pages)

    async def _write(self, engine: Engine) -> None:
        """Store what arrives, as the only process that does; returns at once if another one does.

        Raises:
            StoreAwayError: the database cannot be used any longer.
        """
        writer = sole_writer(engine)
        db = await self._in_thread(writer.__enter__)
        try:
            if db is None:
                return
            observer, level = self._observer, self._config.fairness.level
            committed = observer.committed if observer is not None else None
            made = (db, lambda: utc_text(self._clock.utc_ns()), level, self._signer, self._verifier, committed)
            store = await self._in_thread(Store, *made)
            self._set_problem("")
            await self._in_thread(store.catch_up)
            work = [asyncio.create_task(self._answer(store)), asyncio.create_task(self._delete_old(store))]
            try:
                await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
            finally:
                await end(*work)
            for task in work:
                if not task.cancelled():
                    task.result()
        finally:
            await self._in_thread(writer.__exit__, None, None, None)

    async def _answer(self, store: Store) -> None:
        def haves() -> Awaitable[Any]:
            return self._in_thread(store.haves)

        await self._ingest.keep(lambda arrived, flooded: self._in_thread(store.take, arrived, flooded), haves)

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
        if self._observer is not None:
            self._observer.store_available(not problem)
        self._changed()

    def _changed(self) -> None:
        if self._observer is not None:
            self._observer.connected(self._ingest.connected)
        self._manager.notify(STATUS=self._problem or self._ingest.detail or "connected to the broker")

    async def _beat(self) -> None:
        """Feed the manager's watchdog, if it has one: a hung event loop stops feeding it."""
        while True:
            self._manager.notify(WATCHDOG="1")
            await asyncio.sleep(self._manager.watchdog_ns / 2e9 or _RETENTION_S)
