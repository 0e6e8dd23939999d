"""The current overview of all tables: read while there are viewers, at most once a second."""

import asyncio
import logging
from collections.abc import Callable

from sqlalchemy.exc import SQLAlchemyError

from config.floor import FloorConfig
from controller.floor.pages import documents
from controller.floor.queries.overview import Overview
from controller.floor.queries.query_pool import QueryPool
from controller.web.sse import Channel
from hal.interfaces import Clock, Timer

log = logging.getLogger("floor")

APART_NS = 1_000_000_000
"""The least time between two reads of the store, however much arrives."""
ALIVE_NS = 15_000_000_000
"""The most time between two reads while there are viewers: rounds leave the last hour by themselves."""
_TROUBLE = "the store cannot be read; what is shown is old. See the floor's log"


class LiveOverview:
    """Holds the overview and the stream of its snapshots.

    Args:
        link: the state of the connection to the broker.
    """

    def __init__(
        self, config: FloorConfig, pool: QueryPool, clock: Clock, link: Callable[[], documents.LinkState]
    ) -> None:
        self._overview = Overview(config)
        self._pool = pool
        self._clock = clock
        self._link = link
        self._shown: documents.OverviewDocument = {
            "floor": config.floor,
            "totals": None,
            "alerts": [],
            "tables": None,
            "refused": [],
        }
        """No tables until the store was read for the first time."""
        self._trouble = ""
        self._read_ns: int | None = None
        """When the store was last read; None if it never was."""
        self._stale = True
        self._reading: asyncio.Future[None] | None = None
        self._timer: Timer | None = None
        self._closed = False
        self.channel = Channel(clock, self._picture)

    def changed(self) -> None:
        """The store has changed."""
        self._stale = True
        self._read_if_due()

    @property
    def reading(self) -> bool:
        """Whether the store is being read."""
        return self._reading is not None

    async def document(self) -> documents.FloorPage:
        """The overview, at most a second old."""
        if self._due_ns() <= self._clock.now_ns() or self._reading is not None:
            await asyncio.shield(self._start_reading())
        return {**self._document(), "utc_ms": self._clock.utc_ns() // 1_000_000}

    def close(self) -> None:
        """Stop updating."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._reading is not None:
            self._reading.cancel()
        self.channel.close()

    # -- when it is read ------------------------------------------------------------------------------------

    def _picture(self) -> documents.LinkedOverview:
        """Called by the channel, and only while there are viewers."""
        if self._timer is None and not self._closed:
            # The new viewer is not counted in the channel yet.
            self._timer = self._clock.call_at(self._clock.now_ns(), self._on_timer)
        return self._document()

    def _document(self) -> documents.LinkedOverview:
        return {**self._shown, "link": self._link().copy(), "store": self._trouble}

    def _due_ns(self) -> int:
        if self._read_ns is None:
            return self._clock.now_ns()
        return self._read_ns + (APART_NS if self._stale else ALIVE_NS)

    def _on_timer(self) -> None:
        self._timer = None
        self._read_if_due()

    def _read_if_due(self) -> None:
        """Read the store if that is due, or set a timer for when it is."""
        if self._closed or not self.channel.viewers or self._reading is not None:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due_ns = self._due_ns()
        if due_ns <= self._clock.now_ns():
            self._start_reading()
        else:
            self._timer = self._clock.call_at(due_ns, self._on_timer)

    def _start_reading(self) -> asyncio.Future[None]:
        if self._reading is None:
            self._reading = asyncio.ensure_future(self._read())
        return self._reading

    async def _read(self) -> None:
        self._stale, self._read_ns = False, self._clock.now_ns()
        now_ms = self._clock.utc_ns() // 1_000_000
        try:
            self._shown = await self._pool.ask(lambda connection: self._overview.make(connection, now_ms))
            self._trouble = ""
        except SQLAlchemyError as error:
            if not self._trouble:
                log.error("the store cannot be read for the pages: %s", str(error).partition("\n")[0])
            self._trouble, self._stale = _TROUBLE, True
        except Exception:
            log.exception("the overview of all tables failed")
            self._trouble, self._stale = _TROUBLE, True
        finally:
            self._reading = None
        self.channel.changed()
        self._read_if_due()
