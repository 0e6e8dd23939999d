"""One connection to the broker: MQTT 5 over TLS, with this computer's own certificate.

aiomqtt ignores the reason code of a PUBACK and only waits for the packet. A broker that refuses a message answers
with one too, so the reason code is checked here, and only one message at a time is in flight.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import aiomqtt
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from config.schema import BrokerSection
from controller.messages.models import MessagePart, write
from controller.messages.read_ahead import ReadAhead

PATIENCE_S = 10.0
"""A connection whose broker has not answered within this time is closed and opened again."""


_FILTERS_AT_ONCE = 200
"""Topic filters in one packet."""


class LinkError(Exception):
    """The broker cannot be reached, refuses, or does not answer; the message gives the reason."""


class RefusedError(LinkError):
    """The broker refused a message."""


class AcknowledgedClient(aiomqtt.Client):
    """A client that keeps the reason code of the last acknowledgement."""

    answer: ReasonCode | None = None
    reads_ahead: int | None = None
    """How many messages are read at once beyond the first; None for paho's own reading."""

    def arrived(self) -> Iterator[aiomqtt.Message]:
        """What has arrived and was not taken yet. aiomqtt's own iterator takes three turns of the loop for each."""
        while not self._queue.empty():
            yield self._queue.get_nowait()

    def _on_socket_open(self, client: Any, userdata: Any, sock: Any) -> None:
        if self.reads_ahead is not None and isinstance(sock, ssl.SSLSocket):
            client._sock = sock = ReadAhead(sock, self.reads_ahead)
        super()._on_socket_open(client, userdata, sock)

    def _on_publish(
        self, client: Any, userdata: Any, mid: int, reason_code: ReasonCode, properties: Properties
    ) -> None:
        self.answer = reason_code
        super()._on_publish(client, userdata, mid, reason_code, properties)


class Link:
    """An open connection."""

    def __init__(self, client: AcknowledgedClient) -> None:
        self._client = client
        self._one = asyncio.Lock()

    async def publish(self, topic: str, message: MessagePart, retain: bool = False) -> None:
        """Publish a message at least once; returns when the broker has acknowledged it.

        Raises:
            RefusedError: it refuses the message.
            LinkError: it does not answer.
        """
        async with self._one:
            self._client.answer = None
            try:
                await self._client.publish(topic, write(message), qos=1, retain=retain)
            except aiomqtt.MqttError as error:
                raise LinkError(reason(error)) from error
            answer = self._client.answer
        if answer is not None and answer.is_failure:
            raise RefusedError(f"the broker refuses {topic}: {answer}")

    async def subscribe(self, *filters: str) -> None:
        """Subscribe to topic filters, of which there may be thousands.

        Raises:
            LinkError: the broker refuses one, or does not answer.
        """
        for some in _packets(filters):
            try:
                answers = await self._client.subscribe([(one, SubscribeOptions(qos=1)) for one in some])
            except aiomqtt.MqttError as error:
                raise LinkError(reason(error)) from error
            for one, answer in zip(some, answers, strict=False):
                if isinstance(answer, ReasonCode) and answer.is_failure:
                    raise RefusedError(f"the broker refuses the subscription to {one}: {answer}")

    async def unsubscribe(self, *filters: str) -> None:
        """End subscriptions.

        Raises:
            LinkError: the broker does not answer.
        """
        for some in _packets(filters):
            try:
                await self._client.unsubscribe(list(some))
            except aiomqtt.MqttError as error:
                raise LinkError(reason(error)) from error

    async def messages(self) -> AsyncIterator[aiomqtt.Message]:
        """The messages that arrive, until the connection ends.

        Raises:
            LinkError: it has ended.
        """
        try:
            async for message in self._client.messages:
                yield message
                for further in self._client.arrived():
                    yield further
        except aiomqtt.MqttError as error:
            raise LinkError(reason(error)) from error


def _packets(filters: Sequence[str]) -> Iterator[Sequence[str]]:
    """Filters as one packet takes them."""
    for begin in range(0, len(filters), _FILTERS_AT_ONCE):
        yield filters[begin : begin + _FILTERS_AT_ONCE]


@asynccontextmanager
async def connected(
    broker: BrokerSection, identifier: str, will: aiomqtt.Will | None = None, reads_ahead: int | None = None
) -> AsyncIterator[Link]:
    """A connection to the broker, for as long as the context lasts.

    Args:
        identifier: this client's name; the broker drops an older connection of the same name.
        will: the message that the broker publishes if this connection ends without a DISCONNECT.
        reads_ahead: how many messages are read at once beyond the first, for much traffic (``read_ahead.py``).

    Raises:
        LinkError: it cannot be opened, or it ended; the message gives the reason.
    """
    client = AcknowledgedClient(
        broker.host,
        broker.port,
        identifier=identifier,
        protocol=aiomqtt.ProtocolVersion.V5,
        tls_context=tls(broker),
        will=will,
        keepalive=broker.keep_alive_s,
        timeout=PATIENCE_S,
        max_queued_incoming_messages=10_000,
    )
    client.reads_ahead = reads_ahead
    where = f"{broker.host}:{broker.port}"
    try:
        async with client:
            yield Link(client)
    except aiomqtt.MqttError as error:
        raise LinkError(f"{where}: {reason(error)}") from error


def raise_error_of(tasks: Sequence["asyncio.Task[Any]"]) -> None:
    """Raise the error of the first of these ended tasks that has one."""
    for task in tasks:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            raise error


async def end(tasks: Sequence["asyncio.Task[Any]"], patience_s: float = 1.0) -> None:
    """Cancel tasks, and wait until they have ended.

    aiomqtt waits with asyncio.wait_for, which in Python 3.11 loses a cancellation that arrives at the same moment
    as the result. So a task that is still running is cancelled again.
    """
    while running := [task for task in tasks if not task.done()]:
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=patience_s)
    for task in tasks:
        if not task.cancelled():
            task.exception()  # Retrieved, so that asyncio does not log it.


def tls(broker: BrokerSection) -> ssl.SSLContext:
    """The TLS context: encryption and the certificates of both sides.

    Raises:
        LinkError: a file cannot be read or used; the message names it.
    """
    try:
        context = ssl.create_default_context(cafile=broker.ca)
    except (OSError, ssl.SSLError) as error:
        raise LinkError(f"{broker.ca}: {_os_error_text(error)}; see broker: ca in the file") from error
    try:
        context.load_cert_chain(broker.certificate, broker.key, password="")
    except (OSError, ssl.SSLError) as error:
        files = f"{broker.certificate} with {broker.key}"
        raise LinkError(f"{files}: {_os_error_text(error)}; see broker: certificate and key in the file") from error
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def reason(error: aiomqtt.MqttError) -> str:
    """The reason, as short text."""
    text = str(error)
    if "timed out" in text.lower():
        return "no answer, or this computer's certificate is refused"
    return text


def _os_error_text(error: OSError) -> str:
    return error.strerror or type(error).__name__
