"""Takes what tables send from the broker to the store, and tells them how far the floor has it."""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from config.schema import BrokerSection
from controller.floor.link import Link, LinkError, Pauses, connected, not_connected
from controller.floor.store import Answer, Arrived
from controller.floor.wire import have_topic, table_of, write

log = logging.getLogger("floor")

MOST_OF_TABLE = 4
"""Messages of one table that wait, which sends one batch at a time. Further ones are dropped."""
MOST_BYTES = 128 * 1024 * 1024
"""Of all messages that wait."""
_AT_ONCE = 8 * 1024 * 1024
"""Bytes that are stored in one transaction, about."""
GATHER_S = 0.1
"""After a message, for those of other tables: a transaction costs as much as many messages."""
_IDLE_S = 5.0
"""Without a message, the store is asked after this time: it notices what a person has settled."""

Take = Callable[[Sequence[Arrived], dict[str, int]], Awaitable[list[Answer]]]
"""Stores messages; returns what the tables are told."""


class Inbox:
    """What has arrived and is not stored, bounded by table and in all."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, Arrived]] = deque()
        self._of_table: Counter[str] = Counter()
        self._dropped: Counter[str] = Counter()
        self._bytes = 0
        self.arrived = asyncio.Event()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, message: Arrived) -> None:
        """Keep a message, or drop it if too much waits: its table sends it again."""
        found = table_of(message.topic)
        table = found[0] if found is not None else ""
        if self._of_table[table] >= MOST_OF_TABLE or self._bytes + len(message.payload) > MOST_BYTES:
            self._dropped[table] += 1
        else:
            self._waiting.append((table, message))
            self._of_table[table] += 1
            self._bytes += len(message.payload)
        self.arrived.set()

    def take(self) -> tuple[list[Arrived], dict[str, int]]:
        """The next messages, and how many were dropped since the last call, by table."""
        taken: list[Arrived] = []
        size = 0
        while self._waiting and size < _AT_ONCE:
            table, message = self._waiting.popleft()
            self._of_table[table] -= 1
            taken.append(message)
            size += len(message.payload)
        self._bytes -= size
        if not self._waiting:
            self._of_table.clear()
            self.arrived.clear()
        dropped, self._dropped = dict(self._dropped), Counter()
        return taken, dropped


class Ingest:
    """The connection to the broker.

    Args:
        name: of the floor, as a client of the broker.
        changed: called when the connection is made or lost.

    Attributes:
        connected: to the broker.
        detail: why not; empty while it is.
    """

    def __init__(self, broker: BrokerSection, name: str, changed: Callable[[], None]) -> None:
        self._broker, self._name, self._changed = broker, name, changed
        self._link: Link | None = None
        self._sent_have = False
        """Whether this connection's tables were told how far the floor has them."""
        self.inbox = Inbox()
        self.connected, self.detail = False, "connecting"

    async def listen(self) -> None:
        """Take what arrives, until cancelled."""
        pauses = Pauses(1.0, 30.0)
        try:
            while True:
                try:
                    async with connected(self._broker, self._name) as link:
                        await link.subscribe("tables/+/entries", "tables/+/online")
                        self._link, self._sent_have = link, False
                        self.inbox.arrived.set()
                        self._set("")
                        async for message in link.messages():
                            pauses.begin_anew()
                            payload = message.payload if isinstance(message.payload, bytes) else b""
                            self.inbox.add(Arrived(message.topic.value, payload))
                except LinkError as error:
                    self._set(str(error))
                finally:
                    self._link = None
                await asyncio.sleep(pauses.next_s())
        finally:
            self.connected, self.detail = False, "connecting"

    def _set(self, detail: str) -> None:
        if detail and detail != self.detail:
            log.warning("%s", not_connected(detail))
        elif not detail:
            log.info("connected to the broker at %s:%d", self._broker.host, self._broker.port)
        self.connected, self.detail = not detail, detail
        self._changed()

    async def keep(self, take: Take, haves: Callable[[], Awaitable[list[Answer]]]) -> None:
        """Store what arrives and answer it, until cancelled.

        Args:
            haves: what is told to all tables, at the start and after each connection.

        Raises:
            StoreAwayError: the database cannot be used. What was not stored comes again.
        """
        self._sent_have = False
        while True:
            if self._link is not None and not self._sent_have:
                self._sent_have = True
                await self._send(await haves(), qos=1)
            with suppress(TimeoutError):
                async with asyncio.timeout(_IDLE_S):
                    await self.inbox.arrived.wait()
            await asyncio.sleep(GATHER_S)
            await self._send(await take(*self.inbox.take()))

    async def _send(self, answers: Sequence[Answer], qos: int = 0) -> None:
        """Tell tables how far the floor has them. What is lost is asked for: the table sends its batch again.

        Args:
            qos: 1 for the first after a start, so that the log says if the broker refuses them.
        """
        for table, have in answers:
            link = self._link
            if link is None:
                return
            try:
                await link.publish(have_topic(table), write(have) if have is not None else b"", True, qos)
            except LinkError as error:
                log.warning("table %s was not answered: %s", table, error)
                if qos:
                    return
