"""The bridge's process: reads what tables publish at one broker, and publishes it as Sparkplug B at another.

It writes nothing to the tables' broker, and nothing that comes from the other one reaches it.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Protocol

import aiomqtt

from config.floor import FloorConfig
from config.schema import BrokerSection
from config.sparkplug import SparkplugSection
from controller import __version__
from controller.floor.sparkplug.edge_node import EdgeNode, Outgoing
from controller.floor.sparkplug.payload import DataType
from controller.floor.sparkplug.primary_host import PrimaryHost
from controller.floor.sparkplug.table_metrics import DeviceMetrics, Metrics
from controller.messages.link import PATIENCE_S, LinkError, connected, end, raise_error_of, reason, tls
from controller.messages.models import MOST_BYTES, HouseMessage
from controller.messages.reading import read
from controller.messages.topics import Topic, of_all, parse
from hal.interfaces import Clock

log = logging.getLogger("bridge")

TOPICS = (Topic.ONLINE, Topic.STATE, Topic.HEALTH, Topic.ROUND, Topic.ALERT)
"""What it reads of the tables."""
RETRY_S = 5.0
"""After so long a connection that ended is opened again."""
GATHER_S = 0.2
"""What changes within so long is published together."""
REBIRTH_S = 5.0
"""Births that are asked for come so far apart at least."""
MOST_TABLES = 10_000


class SparkplugSession(Protocol):
    """An open connection to the Sparkplug broker."""

    async def subscribe(self, topic: str) -> None:
        """Subscribe with QoS 1. Raises LinkError."""

    async def publish(self, message: Outgoing) -> None:
        """Publish a message, not retained. Raises LinkError."""

    def messages(self) -> AsyncIterator[tuple[str, bytes]]:
        """What arrives: topics and payloads. Raises LinkError when the connection ends."""


OpenSession = Callable[[BrokerSection, str, Outgoing], AbstractAsyncContextManager[SparkplugSession]]
"""Opens a clean session with a name and a will, for as long as the context lasts. Raises LinkError."""


class Bridge:
    """One bridge. Create and run it inside one event loop.

    Args:
        open_session: opens the connection to the Sparkplug broker.
    """

    def __init__(
        self, config: FloorConfig, section: SparkplugSection, clock: Clock, open_session: OpenSession
    ) -> None:
        self._section, self._clock, self._open = section, clock, open_session
        own = {"certificate": section.certificate, "key": section.key}
        self._source = config.broker.model_copy(update=own)
        self._name = f"{config.floor}-sparkplug"
        self._node = EdgeNode(section.group, section.node or config.floor)
        self._host = PrimaryHost(section.primary_host)
        self._tables: dict[str, DeviceMetrics] = {}
        self._connected = False
        self._news = asyncio.Event()
        self._rebirth = False
        self._failures: dict[str, str] = {}

    async def run(self) -> None:
        """Bridge, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._again("the tables' broker", self._read_tables))
            group.create_task(self._again("the Sparkplug broker", self._serve))

    async def _again(self, whom: str, act: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await act()
            except LinkError as error:
                if self._failures.get(whom) != str(error):
                    log.error("%s: %s; trying again every %.0f s", whom, error, RETRY_S)
                self._failures[whom] = str(error)
            await asyncio.sleep(RETRY_S)

    # -- the tables ------------------------------------------------------------------------------------------

    async def _read_tables(self) -> None:
        try:
            async with connected(self._source, self._name) as link:
                for topic in TOPICS:
                    await link.subscribe(of_all(topic))
                self._failures.pop("the tables' broker", None)
                self._connected = True
                async for message in link.messages():
                    if isinstance(message.payload, bytes):
                        self.take(str(message.topic), message.payload)
        finally:
            # Nobody knows now whether a table is online; the retained messages say so again.
            self._connected = False
            self._tables.clear()
            self._news.set()

    def take(self, topic: str, payload: bytes) -> None:
        """A message of a table has come; one that is not valid, or of another table, is dropped."""
        try:
            table, kind = parse(topic)
            if kind not in TOPICS or len(payload) > MOST_BYTES:
                return
            message = read(kind, payload)
        except ValueError:
            return
        if isinstance(message, HouseMessage):
            return
        if message.table == table and (table in self._tables or len(self._tables) < MOST_TABLES):
            self._tables.setdefault(table, DeviceMetrics()).take(message, self._now_ms())
            self._news.set()

    def _devices(self) -> dict[str, Metrics]:
        return {name: table.metrics() for name, table in self._tables.items() if table.online}

    def _node_metrics(self) -> Metrics:
        online = sum(table.online for table in self._tables.values())
        return {
            "Software": (DataType.STRING, f"table-controller {__version__}"),
            "Source Connected": (DataType.BOOLEAN, self._connected),
            "Tables Online": (DataType.INT64, online),
        }

    # -- the node --------------------------------------------------------------------------------------------

    async def _serve(self) -> None:
        """One session: from CONNECT to its end, by the broker, or because the primary host is offline."""
        host, self._rebirth = self._host, False
        host.begin()
        will = self._node.connect(self._now_ms())
        async with self._open(self._section.broker, self._name, will) as session:
            node_commands, device_commands = self._node.commands
            for topic in (node_commands, device_commands, *([host.topic] if host.topic else [])):
                await session.subscribe(topic)
            self._failures.pop("the Sparkplug broker", None)
            reading = asyncio.create_task(self._listen(session, host))
            publishing = asyncio.create_task(self._tell(session, host))
            try:
                done, _ = await asyncio.wait({reading, publishing}, return_when=asyncio.FIRST_COMPLETED)
                raise_error_of(list(done))
            finally:
                await end((reading, publishing))
                with suppress(LinkError):
                    await session.publish(self._node.death(self._now_ms()))

    async def _listen(self, session: SparkplugSession, host: PrimaryHost) -> None:
        async for topic, payload in session.messages():
            if topic == host.topic:
                host.take(payload)
            elif refused := self._node.refusal(topic, payload):
                log.warning("a command at %s is refused: %s", topic[:200], refused)
                continue
            else:
                self._rebirth = True
            self._news.set()

    async def _tell(self, session: SparkplugSession, host: PrimaryHost) -> None:
        """Publish what has changed, until the primary host goes offline."""
        born_ms = 0
        while host.is_online or not self._node.is_born:
            now_ms = self._now_ms()
            due = self._rebirth and now_ms - born_ms >= REBIRTH_S * 1000
            if host.is_online and (due or not self._node.is_born):
                self._rebirth, born_ms = False, now_ms
                await self._publish(session, self._node.birth(now_ms, self._node_metrics(), self._devices()))
            elif self._node.is_born and not self._rebirth:
                await self._publish(session, self._node.update(now_ms, self._node_metrics(), self._devices()))
            await asyncio.sleep(GATHER_S)
            if not self._rebirth:
                await self._news.wait()
            self._news.clear()

    async def _publish(self, session: SparkplugSession, messages: list[Outgoing]) -> None:
        for one in messages:
            await session.publish(one)

    def _now_ms(self) -> int:
        return self._clock.utc_ns() // 1_000_000


class _MqttSession:
    """A session of MQTT 3.1.1, which every Sparkplug host takes."""

    def __init__(self, client: aiomqtt.Client) -> None:
        self._client = client

    async def subscribe(self, topic: str) -> None:
        try:
            await self._client.subscribe(topic, qos=1)
        except aiomqtt.MqttError as error:
            raise LinkError(reason(error)) from error

    async def publish(self, message: Outgoing) -> None:
        try:
            await self._client.publish(message.topic, message.payload, qos=0, retain=False)
        except aiomqtt.MqttError as error:
            raise LinkError(reason(error)) from error

    async def messages(self) -> AsyncIterator[tuple[str, bytes]]:
        try:
            async for message in self._client.messages:
                if isinstance(message.payload, bytes):
                    yield str(message.topic), message.payload
        except aiomqtt.MqttError as error:
            raise LinkError(reason(error)) from error


@asynccontextmanager
async def mqtt_session(broker: BrokerSection, name: str, will: Outgoing) -> AsyncIterator[SparkplugSession]:
    """A session at a broker, over TLS.

    Raises:
        LinkError: it cannot be opened, or it ended.
    """
    client = aiomqtt.Client(
        broker.host,
        broker.port,
        identifier=name,
        protocol=aiomqtt.ProtocolVersion.V311,
        clean_session=True,
        tls_context=tls(broker),
        will=aiomqtt.Will(will.topic, will.payload, qos=will.qos, retain=False),
        keepalive=broker.keep_alive_s,
        timeout=PATIENCE_S,
        max_queued_incoming_messages=1_000,
    )
    try:
        async with client:
            yield _MqttSession(client)
    except aiomqtt.MqttError as error:
        raise LinkError(f"{broker.host}:{broker.port}: {reason(error)}") from error
