"""Receives the messages of all tables over MQTT, and requests the entries that are missing.

The floor does not rely on the broker's delivery guarantees: it starts a clean session each time, and a message lost
in transit shows as a gap in the hash chain of the table's record, and is requested again.

A broker has one queue for a connection. With a certificate for it in the floor's file (``alerts: connection:``) a
second connection gets what is urgent alone, so that an alert does not wait there behind the rounds of any table.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING

from config.floor import FloorConfig
from config.schema import BrokerSection
from controller.floor.ingest.alerts_connection import AlertsConnection
from controller.floor.ingest.resend_requests import ResendRequests
from controller.floor.ingest.table_share import TableShare
from controller.floor.ingest.validation import Arrived
from controller.floor.ingest.writer import StoreWriter
from controller.messages.link import Link, LinkError, RefusedError, connected, end, raise_error_of
from controller.messages.topics import wanted_of
from hal.interfaces import Clock

if TYPE_CHECKING:  # Loaded only for a floor whose file asks for metrics.
    from controller.floor.ingest.counters import FloorCounters

log = logging.getLogger("floor")

FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 30.0
"""How long until it reconnects; the interval doubles each time, with random jitter."""
ALERTS_AT_ONCE = 50
"""So many alerts are read while one round is: the connection for alerts is never the slower one."""
_REQUEST_PERIOD_S = 1.0
"""How often due requests are checked."""


class Subscriber:
    """The floor's connection to the broker. Create it inside the running event loop.

    Args:
        writer: stores what arrives.
        requests: the resend requests to send.
        changed: called when the connection opens or closes.
        share: the tables that this process takes; all of them by default.
        counters: count what arrives; None if no metrics are asked for.

    Attributes:
        connected: whether messages of the tables can arrive.
        since_ns: since when that is so, wall time.
        detail: why not, as text; or why alerts have no connection of their own.
        messages: how many have arrived, over both connections.
    """

    def __init__(
        self,
        config: FloorConfig,
        writer: StoreWriter,
        requests: ResendRequests,
        clock: Clock,
        changed: Callable[[], None],
        share: TableShare | None = None,
        counters: "FloorCounters | None" = None,
    ) -> None:
        self._share = share or TableShare()
        self._counters = counters
        self._broker = config.broker
        self._alerts_broker = config.broker_for_alerts
        self._alerts = AlertsConnection()
        self._name = f"floor-{config.floor}" + (f"-{config.worker.name}" if config.worker is not None else "")
        self._writer = writer
        self._requests = requests
        self._clock = clock
        self._changed = changed
        self.connected = False
        self.since_ns = clock.utc_ns()
        self.detail = "connecting"
        self.messages = 0

    async def run(self) -> None:
        """Listen until cancelled; reconnect whenever the connection ends."""
        wait_s = FIRST_WAIT_S
        while True:
            received_before = self.messages
            try:
                await self._connect()
            except LinkError as error:
                self._on_disconnected(str(error))
            await self._writer.room()
            wait_s = FIRST_WAIT_S if self.messages > received_before else min(LONGEST_WAIT_S, 2 * wait_s)
            await asyncio.sleep(wait_s * random.uniform(0.5, 1.0))

    async def _connect(self) -> None:
        """Receive messages and send requests for as long as the connection lasts.

        Raises:
            LinkError: the connection cannot be opened, or has ended.
        """
        async with connected(self._broker, self._name, reads_ahead=0) as link:
            await link.subscribe(*self._share.common_filters())
            self._on_connected()
            work = [self._listen(link), self._send_requests(link)]
            if self._share.shared:
                work.append(self._follow_share(link))
            if self._alerts_broker is not None:
                work.append(self._listen_for_alerts(self._alerts_broker))
            await self._until_one_ends(*work)

    async def _until_one_ends(self, *work: Coroutine[None, None, None]) -> None:
        """Do all of this until the first of it ends.

        Raises:
            LinkError: the connection has ended.
        """
        tasks = [asyncio.create_task(one) for one in work]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await end(tasks)
        raise_error_of(tasks)

    async def _follow_share(self, link: Link, urgent: bool = False) -> None:
        """Listen to the tables that this process takes, whichever they are, for as long as the connection lasts."""
        subscribed: frozenset[str] = frozenset()
        while True:
            changed, selected = self._share.changed, self._share.filters(urgent)
            await link.unsubscribe(*sorted(subscribed - selected))
            await link.subscribe(*sorted(selected - subscribed))
            subscribed = selected
            await changed.wait()

    async def _listen_for_alerts(self, broker: BrokerSection) -> None:
        """Keep a connection for what is urgent. While there is none, the first one takes that, too."""
        wait_s = FIRST_WAIT_S
        while True:
            try:
                async with connected(broker, f"{self._name}-alerts", reads_ahead=ALERTS_AT_ONCE) as link:
                    await link.subscribe(*self._share.common_filters(urgent=True))
                    self._alerts.opened(self._clock.now_ns())
                    self._set(True, "")
                    wait_s = FIRST_WAIT_S
                    work = [self._listen(link, for_alerts=True)]
                    if self._share.shared:
                        work.append(self._follow_share(link, urgent=True))
                    await self._until_one_ends(*work)
            except LinkError as error:
                self._on_alerts_wait(f"alerts: connection: {error}")
            finally:
                self._alerts.closed()
            await asyncio.sleep(wait_s * random.uniform(0.5, 1.0))
            wait_s = min(LONGEST_WAIT_S, 2 * wait_s)

    async def _listen(self, link: Link, for_alerts: bool = False) -> None:
        async for message in link.messages():
            if not self._alerts.takes(message.topic.value, for_alerts, self._clock.now_ns()):
                continue
            self.messages += 1
            if self._counters is not None:
                self._counters.arrived(message.topic.value)
            payload = message.payload if isinstance(message.payload, bytes) else b""
            arrived = Arrived(message.topic.value, payload, self._clock.utc_ns(), bool(message.retain))
            if not self._share.takes(arrived.topic):
                continue
            if not self._writer.add(arrived):
                # After a reconnect the retained messages give every table's state, and so what was missed.
                raise LinkError("the store does not take what arrives; the floor stops listening until it does")

    async def _send_requests(self, link: Link) -> None:
        while True:
            for table, request in self._requests.due(self._clock.now_ns(), self._writer.rounds_wait):
                log.info("requesting the entries after %d from table %s", request.after, table)
                try:
                    await link.publish(wanted_of(table), request)
                    if self._counters is not None:
                        self._counters.resend_requests.inc()
                except RefusedError as error:
                    log.warning("%s; the floor's certificate must be allowed to write there", error)
            self._writer.request_due.clear()
            with suppress(TimeoutError):
                # wait_for would swallow a cancellation that arrives together with a request.
                async with asyncio.timeout(_REQUEST_PERIOD_S):
                    await self._writer.request_due.wait()

    def _on_connected(self) -> None:
        log.info("connected to the broker at %s:%d", self._broker.host, self._broker.port)
        if self._counters is not None:
            self._counters.connections.inc()
        self._requests.connected(self._clock.now_ns())
        self._set(True, "")

    def _on_alerts_wait(self, why: str) -> None:
        """There is no connection for alerts: those come over the first one."""
        if why != self.detail:
            log.error("%s; retrying, and until then alerts wait behind rounds", why)
        self._set(True, why)

    def _on_disconnected(self, why: str) -> None:
        if self._counters is not None:
            self._counters.connection_failures.inc()
        if why != self.detail:
            log.warning("not connected to the broker: %s; retrying", why)
        self._set(False, why)

    def _set(self, is_connected: bool, detail: str) -> None:
        if is_connected != self.connected:
            self.connected, self.since_ns = is_connected, self._clock.utc_ns()
        self.detail = detail
        self._changed()
