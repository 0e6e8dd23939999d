"""Tells the floor of one table, over MQTT, for as long as it runs. The table does not know of it.

The journal is the queue: rounds and alerts go out one by one, in order, and the cursor is moved once the broker has
taken each. The floor may ask for what it lacks; then the cursor goes back to there. How the table stands is told
besides, the latest alone.
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
from controller.journal.chain import utc_text
from controller.journal.errors import JournalError
from controller.messages import models
from controller.messages.link import Link, LinkError, connected, end
from controller.messages.topics import Topic, of_table, wanted_of
from controller.publishing.cursor import Cursor, Published
from controller.publishing.formatter import Due, JournalPlace
from controller.publishing.source import EmptyJournalError, JournalSource, running
from hal.interfaces import Clock

log = logging.getLogger("floor")

LOOK_S = 0.2
"""How often the journal is looked at."""
STATE_S = 1.0
"""How often the table's state is told, at most."""
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 30.0
"""How long it waits until it connects anew; twice as long each time, with some chance in it."""
RECORDED_S = 60.0
"""How often the same trouble is recorded."""
NOWHERE = JournalPlace(0, 0)


class Publisher:
    """Publishes one table.

    Args:
        config: the table's file, with its broker.
        journal: the table's journal; it need not exist yet.
        cursor: how far the floor has been told.
    """

    def __init__(
        self, config: TableConfig, broker: BrokerSection, journal: Path, cursor: Cursor, clock: Clock
    ) -> None:
        self._config = config
        self._broker = broker
        self._file = journal
        self._cursor = cursor
        self._clock = clock
        self._source: JournalSource | None = None
        self._queue: deque[Due] = deque()
        self._published: Published | None = None
        self._health: models.HealthMessage | None = None
        self._state: models.StateMessage | None = None
        self._state_ns = 0
        self._online: models.OnlineMessage | None = None
        self._said = ""
        self._said_ns = 0
        self._ready = False

    async def run(self) -> None:
        """Publish until cancelled. What fails is recorded, told in the log and tried again.

        Raises:
            CursorError: the cursor cannot be kept; nothing more is published.
        """
        wait_s = FIRST_WAIT_S
        while True:
            self._ready = False
            try:
                await self._connect()
            except LinkError as error:
                self._trouble(str(error))
            wait_s = FIRST_WAIT_S if self._ready else min(LONGEST_WAIT_S, 2 * wait_s)
            # Chance keeps a thousand tables from coming back to a broker in the same instant.
            await asyncio.sleep(wait_s * random.uniform(0.5, 1.0))

    def close(self) -> None:
        """Let go of the journal."""
        if self._source is not None:
            self._source.close()
            self._source = None

    # -- a connection ----------------------------------------------------------------------------------------

    async def _connect(self) -> None:
        """Tell the floor for as long as the connection lasts.

        Raises:
            LinkError: it cannot be had, or has ended.
        """
        table = self._config.table
        gone = models.OnlineMessage(table=table, online=False, running=False, software=__version__)
        will = aiomqtt.Will(of_table(table, Topic.ONLINE), models.write(gone), qos=1, retain=True)
        async with connected(self._broker, table, will) as link:
            self._online = self._state = self._health = None
            await link.subscribe(wanted_of(table))
            tasks = [asyncio.create_task(self._listen(link)), asyncio.create_task(self._keep_publishing(link))]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            except asyncio.CancelledError:
                with suppress(LinkError):
                    await link.publish(of_table(table, Topic.ONLINE), gone, retain=True)
                raise
            finally:
                await end(tasks)
            for error in [task.exception() for task in tasks if not task.cancelled()]:
                if error is not None:
                    raise error

    async def _keep_publishing(self, link: Link) -> None:
        await self._publish(link)
        # Only now: a broker that lets the table in and refuses its rounds is not to be asked every second.
        self._ready, self._said = True, ""
        log.info("table %s is told to the floor at %s:%d", self._config.table, self._broker.host, self._broker.port)
        while True:
            await asyncio.sleep(LOOK_S)
            await self._publish(link)

    async def _publish(self, link: Link) -> None:
        """Tell what there is to tell."""
        await self._publish_online(link)
        try:
            source = self._opened()
            if source is None:
                return
            await self._publish_state(link, source)
            while self._source is source and (self._queue or self._read(source)):
                await self._once(link, self._queue[0])
                await self._publish_state(link, source)
        except JournalError as error:
            self._trouble(str(error))
            self._forget_source()
            await asyncio.sleep(FIRST_WAIT_S)

    def _read(self, source: JournalSource) -> bool:
        assert self._published is not None
        self._queue.extend(source.due(self._published.place))
        return bool(self._queue)

    async def _once(self, link: Link, due: Due) -> None:
        """Publish a message, and keep that it is out.

        Raises:
            LinkError: the broker does not take it; the queue stays as it is.
        """
        await link.publish(of_table(self._config.table, due.topic), due.message)
        published = self._published
        if published is not None and self._queue and self._queue[0] is due:  # Nothing was asked for anew meanwhile.
            self._queue.popleft()
            closed = due.place.seq if due.topic is Topic.ROUND else published.closed
            self._published = Published(published.record, due.place, closed)
            self._cursor.keep(self._published)

    # -- the journal -----------------------------------------------------------------------------------------

    def _opened(self) -> JournalSource | None:
        """The journal, if there is one."""
        if (
            self._source is not None
            and self._source.replaced()
            and not self._queue
            and not self._read(self._source)
        ):
            log.warning("%s: another journal is in its place; its record is told from now on", self._file)
            self._forget_source()
        if self._source is None:
            if not self._file.is_file():
                return None
            try:
                source = JournalSource(self._config, self._file, self._clock)
            except EmptyJournalError:
                return None
            published = self._cursor.published()
            if published is None or published.record != source.record:
                published = Published(source.record, NOWHERE, 0)
            source.begin(published.place.seq)
            self._source, self._published = source, published
        return self._source

    def _forget_source(self) -> None:
        self._queue.clear()
        self.close()

    # -- what the floor asks ---------------------------------------------------------------------------------

    async def _listen(self, link: Link) -> None:
        """Take what the floor asks for."""
        async for message in link.messages():
            payload = message.payload if isinstance(message.payload, bytes) else b""
            try:
                request = models.ResendRequest.model_validate_json(payload)
            except ValueError:
                log.warning("the floor's question cannot be read: %.200r", payload)
                continue
            self._on_resend_request(request)

    def _on_resend_request(self, request: models.ResendRequest) -> None:
        """The floor lacks what comes after an entry: tell it again from there on."""
        source, published = self._source, self._published
        if (
            source is None
            or published is None
            or request.record != source.record
            or request.after >= published.closed
        ):
            return
        try:
            begin = source.begin(request.after)
        except JournalError as error:
            self._trouble(str(error))
            self._forget_source()
            return
        log.info("the floor lacks what comes after entry %d; it is told again from there on", request.after)
        self._queue.clear()
        self._published = Published(published.record, JournalPlace(begin, _ALL), begin)
        self._cursor.keep(self._published)

    # -- how the table stands --------------------------------------------------------------------------------

    async def _publish_online(self, link: Link) -> None:
        plays = running(self._file)
        online = models.OnlineMessage(table=self._config.table, online=True, running=plays, software=__version__)
        if online != self._online:
            await link.publish(of_table(self._config.table, Topic.ONLINE), online, retain=True)
            self._online = online

    async def _publish_state(self, link: Link, source: JournalSource) -> None:
        """Tell how the table stands, if that has changed, and not too often."""
        reached, published = source.formatter.reached, self._published
        if reached is None or published is None or self._clock.now_ns() - self._state_ns < STATE_S * 1e9:
            return
        state = source.formatter.state(published.closed)
        if state is not None and _as_seen(state) != _as_seen(self._state):
            self._state_ns = self._clock.now_ns()
            await link.publish(of_table(self._config.table, Topic.STATE), state, retain=True)
            self._state = state
        health = source.formatter.health(reached.utc)
        if self._health is None or health.devices != self._health.devices:
            await link.publish(of_table(self._config.table, Topic.HEALTH), health, retain=True)
            self._health = health

    # -- troubles --------------------------------------------------------------------------------------------

    def _trouble(self, what: str) -> None:
        """Record what keeps the floor from being told; the log says it once until it changes."""
        now_ns = self._clock.now_ns()
        if what != self._said:
            log.warning("the floor is not told: %s; the table plays on, and it is tried again", what)
        elif now_ns - self._said_ns < RECORDED_S * 1e9:
            return
        self._said, self._said_ns = what, now_ns
        self._cursor.trouble(what, utc_text(self._clock.utc_ns()))


def _as_seen(state: models.StateMessage | None) -> dict[str, object]:
    """What of a state is news: not that the record has one more entry."""
    return {} if state is None else state.model_dump(exclude={"at", "seq", "hash"})


_ALL = 1 << 30
"""More messages than an entry has."""
