"""Publishes one table to the floor, over MQTT, for as long as it runs. The table does not depend on it.

The journal is the queue: rounds and alerts go out one by one, in order, and the cursor moves once the broker has
acknowledged each. What the floor requests again is read a second time, beside, and published when nothing is
new. The table's state is published too, only the latest.
"""

import asyncio
import logging
import random
from collections import deque
from contextlib import suppress
from pathlib import Path

import aiomqtt

from config.schema import BrokerSection, TableConfig
from controller import __version__
from controller.journal.errors import JournalError
from controller.messages import models
from controller.messages.link import Link, LinkError, connected, end, raise_error_of
from controller.messages.topics import Topic, of_table
from controller.publishing.cursor import Cursor, Published
from controller.publishing.floor_requests import FloorRequests
from controller.publishing.formatter import Due, JournalPlace, significant_part
from controller.publishing.publisher_counters import PublisherCounters
from controller.publishing.resends import Resends
from controller.publishing.source import ALL_OF_ENTRY, EmptyJournalError, JournalSource, running
from controller.publishing.trouble_log import TroubleLog
from controller.viewmodel.floor_contact import ContactFile
from hal.interfaces import Clock

log = logging.getLogger("floor")

POLL_S = 0.2
"""How often the journal is polled."""
STATE_S = 1.0
"""The least time between two messages of the table's state."""
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 30.0
"""How long until it reconnects; the interval doubles each time, with random jitter."""
BEGINNING = JournalPlace(0, 0)


class Publisher:
    """Publishes one table.

    Args:
        config: the table's file, with its broker.
        journal: the table's journal; it need not exist yet.
        cursor: how far the record is published.
        mirror: the table's second journal; None for none.
        contact: the file in which the table's screens read whether the floor hears it; None to write none.
    """

    def __init__(
        self,
        config: TableConfig,
        broker: BrokerSection,
        journal: Path,
        cursor: Cursor,
        clock: Clock,
        mirror: Path | None = None,
        contact: Path | None = None,
    ) -> None:
        self._config = config
        self._broker = broker
        self._file, self._mirror = journal, mirror
        self._cursor = cursor
        self._clock = clock
        self._contact = ContactFile(contact, clock)
        self._source: JournalSource | None = None
        self._queue: deque[Due] = deque()
        self._published: Published | None = None
        self._resends = Resends(self._reopened)
        self._health: models.HealthMessage | None = None
        self._state: models.StateMessage | None = None
        self._state_ns = 0
        self._online: models.OnlineMessage | None = None
        self.failures, self._ready = TroubleLog(cursor, clock), False
        self.counters = PublisherCounters(config.table, clock)
        self._requests = FloorRequests(config.table, self._on_resend_request)

    async def run(self) -> None:
        """Publish until cancelled. A failure is recorded, logged and retried.

        Raises:
            CursorError: the cursor cannot be written; nothing more is published.
        """
        wait_s = FIRST_WAIT_S
        while True:
            self._ready = False
            try:
                await self._connect()
            except LinkError as error:
                self.failures.note(str(error))
            self.counters.connected = False
            wait_s = FIRST_WAIT_S if self._ready else min(LONGEST_WAIT_S, 2 * wait_s)
            # The jitter keeps a thousand tables from reconnecting to a broker at the same instant.
            await asyncio.sleep(wait_s * random.uniform(0.5, 1.0))

    def close(self) -> None:
        """Close the journal."""
        self._resends.stop()
        if self._source is not None:
            self._source.close()
            self._source = None

    # -- a connection ----------------------------------------------------------------------------------------

    async def _connect(self) -> None:
        """Publish for as long as the connection lasts.

        Raises:
            LinkError: the connection cannot be opened, or has ended.
        """
        table = self._config.table
        gone = models.OnlineMessage(table=table, online=False, running=False, software=__version__)
        will = aiomqtt.Will(of_table(table, Topic.ONLINE), models.write(gone), qos=1, retain=True)
        async with connected(self._broker, table, will) as link:
            self._online = self._state = self._health = None
            self.counters.opened()
            self._resends.connected()
            await self._requests.subscribe(link)
            work = [self._requests.listen(link), self._publish_periodically(link)]
            tasks = [asyncio.create_task(one) for one in work]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            except asyncio.CancelledError:
                with suppress(LinkError):
                    await link.publish(of_table(table, Topic.ONLINE), gone, retain=True)
                raise
            finally:
                await end(tasks)
            raise_error_of(tasks)

    async def _publish_periodically(self, link: Link) -> None:
        await self._publish(link)
        # Only now: a broker that accepts the connection and refuses the rounds must not be retried every second.
        self._ready = True
        self.failures.over()
        host, port = self._broker.host, self._broker.port
        log.info("publishing table %s to the floor at %s:%d", self._config.table, host, port)
        while True:
            self._contact.heard()
            await asyncio.sleep(POLL_S)
            await self._publish(link)

    async def _publish(self, link: Link) -> None:
        """Publish everything that is due."""
        await self._publish_online(link)
        try:
            source = self._open_source()
            if source is None:
                return
            await self._publish_state(link, source)
            while self._source is source:
                if self._queue or self._read(source):
                    await self._publish_next(link, self._queue[0])
                elif again := self._resends.next():
                    await self.counters.publish(link, again.topic, again.message)
                    self._resends.published(again)
                    self.counters.repeated += 1
                else:
                    break
                await self._publish_state(link, source)
        except JournalError as error:
            self.failures.note(str(error))
            self._forget_source()
            await asyncio.sleep(FIRST_WAIT_S)

    def _read(self, source: JournalSource) -> bool:
        assert self._published is not None
        self._queue.extend(source.due(self._published.place))
        return bool(self._queue)

    async def _publish_next(self, link: Link, due: Due) -> None:
        """Publish a message, and record in the cursor that it is out.

        Raises:
            LinkError: the broker does not accept it; the queue stays as it is.
        """
        await self.counters.publish(link, due.topic, due.message)
        published = self._published
        if published is not None and self._queue and self._queue[0] is due:  # The journal is the same.
            self._queue.popleft()
            closed = due.place.seq if due.topic is Topic.ROUND else published.closed
            self._published = Published(published.record, due.place, closed)
            self._cursor.keep(self._published)

    # -- the journal -----------------------------------------------------------------------------------------

    def _open_source(self) -> JournalSource | None:
        """The open journal; None if there is none, or it has no entry yet."""
        if (
            self._source is not None
            and (self._source.replaced() or self._source.file != self._in_use())
            and not self._queue
            and not self._read(self._source)
        ):
            log.warning("%s is published from now on", self._in_use())
            self._forget_source()
        if self._source is None:
            file = self._in_use()
            if not file.is_file():
                return None
            try:
                source = JournalSource(self._config, file, self._clock)
            except EmptyJournalError:
                return None
            published = self._cursor.published()
            if published is None or published.record != source.record:
                published = Published(source.record, BEGINNING, 0)
            begin = source.begin(published.place.seq)
            if published.place.seq > source.length():
                self.failures.note(
                    f"{file} ends at entry {source.length()}, and was published up to entry {published.place.seq}: "
                    "it was cut, or an older one was put in its place; what it has now is published again"
                )
                published = Published(source.record, JournalPlace(begin, ALL_OF_ENTRY), begin)
            self._source, self._published = source, published
        return self._source

    def reading(self) -> tuple[JournalSource, Published] | None:
        """The journal that is published, and how far; None if there is none yet.

        Raises:
            JournalError: it cannot be read.
        """
        source, published = self._open_source(), self._published
        return (source, published) if source is not None and published is not None else None

    def _in_use(self) -> Path:
        """The mirror if it went on without the journal."""
        return self._file

    def _forget_source(self) -> None:
        self._queue.clear()
        self.close()

    def _reopened(self) -> JournalSource:
        """The journal that is published, opened once more."""
        assert self._source is not None
        return JournalSource(self._config, self._source.file, self._clock)

    # -- what the floor asks -----------------------------------------------------------------------------------

    def _on_resend_request(self, request: models.ResendRequest) -> None:
        """Begin to publish again what follows the requested entry."""
        source, published = self._source, self._published
        if source is None or published is None or request.record != source.record:
            return
        if request.after >= published.closed:
            return
        try:
            answered = self._resends.request(request, published.closed, self._clock.now_ns())
        except JournalError as error:
            self.failures.note(str(error))
            self._forget_source()
            return
        if answered:
            log.info("the floor requests the entries after %d; they are published again", request.after)

    # -- the table's state -----------------------------------------------------------------------------------

    async def _publish_online(self, link: Link) -> None:
        is_running = running(self._file) or (self._mirror is not None and running(self._mirror))
        online = models.OnlineMessage(
            table=self._config.table, online=True, running=is_running, software=__version__
        )
        if online != self._online:
            await self.counters.publish(link, Topic.ONLINE, online, retain=True)
            self._online = online

    async def _publish_state(self, link: Link, source: JournalSource) -> None:
        """Publish the table's state if it has changed, at most every ``STATE_S``."""
        reached, published = source.formatter.reached, self._published
        if reached is None or published is None or self._clock.now_ns() - self._state_ns < STATE_S * 1e9:
            return
        state = source.formatter.state(published.closed, source.length())
        if state is not None and significant_part(state) != significant_part(self._state):
            self._state_ns = self._clock.now_ns()
            await self.counters.publish(link, Topic.STATE, state, retain=True)
            self._state = state
        health = source.formatter.health(reached.utc)
        if self._health is None or health.devices != self._health.devices:
            await self.counters.publish(link, Topic.HEALTH, health, retain=True)
            self._health = health
