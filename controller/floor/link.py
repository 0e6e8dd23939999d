"""One connection to the broker: MQTT 5 over TLS, with this computer's own certificate. Used by publisher and floor.

aiomqtt ignores the reason code of a PUBACK and only waits for the packet. A broker that refuses a message answers
with one too, so the reason code is checked here, and one message at a time is in flight.
"""

import asyncio
import random
import re
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import aiomqtt
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from config.schema import BrokerSection
from controller.errors import CONFIGURATION, UserError

PATIENCE_S = 10.0
"""A connection whose broker has not answered within this time is closed and opened again."""
_MOST_WAITING = 10_000
"""Messages that have arrived and were not taken; further ones are dropped, and sent again."""

_ERRNO = re.compile(r"^\[Errno -?\d+\] ")


class LinkError(UserError):
    """The broker cannot be reached, refuses, or does not answer; the message gives the reason."""

    exit_code = CONFIGURATION


class _Client(aiomqtt.Client):
    """A client that keeps the reason code of the last acknowledgement."""

    answer: ReasonCode | None = None

    def arrived(self) -> Iterator[aiomqtt.Message]:
        """What has arrived and was not taken yet. aiomqtt's own iterator takes three turns of the loop for each."""
        while not self._queue.empty():
            yield self._queue.get_nowait()

    def _on_publish(
        self, client: Any, userdata: Any, mid: int, reason_code: ReasonCode, properties: Properties
    ) -> None:
        self.answer = reason_code
        super()._on_publish(client, userdata, mid, reason_code, properties)


class Link:
    """An open connection."""

    def __init__(self, client: _Client) -> None:
        self._client = client
        self._one = asyncio.Lock()

    async def publish(self, topic: str, payload: bytes, retain: bool = False, qos: int = 1) -> None:
        """Publish a message; with QoS 1 it returns when the broker has acknowledged it.

        Raises:
            LinkError: it refuses the message, or does not answer.
        """
        async with self._one:
            self._client.answer = None
            try:
                await self._client.publish(topic, payload, qos=qos, retain=retain)
            except aiomqtt.MqttError as error:
                raise LinkError(_reason(error)) from error
            answer = self._client.answer
        if qos and answer is not None and answer.is_failure:
            raise LinkError(f"the broker refuses {topic}: {answer}")

    async def subscribe(self, *filters: str) -> None:
        """Subscribe to topic filters.

        Raises:
            LinkError: the broker refuses one, or does not answer.
        """
        try:
            answers = await self._client.subscribe([(one, SubscribeOptions(qos=1)) for one in filters])
        except aiomqtt.MqttError as error:
            raise LinkError(_reason(error)) from error
        for one, answer in zip(filters, answers, strict=False):
            if isinstance(answer, ReasonCode) and answer.is_failure:
                raise LinkError(f"the broker refuses the subscription to {one}: {answer}")

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
            raise LinkError(_reason(error)) from error


@asynccontextmanager
async def connected(
    broker: BrokerSection, identifier: str, will: aiomqtt.Will | None = None
) -> AsyncIterator[Link]:
    """A connection to the broker, for as long as the context lasts. It leaves no session behind.

    Args:
        identifier: this client's name; the broker ends an older connection of the same name.
        will: the message that the broker publishes if this connection ends without a word.

    Raises:
        LinkError: it cannot be opened, or it ended; the message gives the reason.
    """
    client = _Client(
        broker.host,
        broker.port,
        identifier=identifier,
        protocol=aiomqtt.ProtocolVersion.V5,
        tls_context=tls(broker),
        will=will,
        keepalive=broker.keep_alive_s,
        timeout=PATIENCE_S,
        max_queued_incoming_messages=_MOST_WAITING,
    )
    try:
        async with client:
            yield Link(client)
    except aiomqtt.MqttError as error:
        raise LinkError(f"{broker.host}:{broker.port}: {_reason(error)}") from error


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


class Pauses:
    """Growing pauses between attempts, randomised so that not all tables come at once."""

    def __init__(self, first_s: float, longest_s: float) -> None:
        self._first_s, self._longest_s = first_s, longest_s
        self._next_s = first_s

    def next_s(self) -> float:
        """The next pause, in seconds."""
        now, self._next_s = self._next_s, min(self._next_s * 2, self._longest_s)
        return now * random.uniform(0.5, 1.5)

    def begin_anew(self) -> None:
        """It worked."""
        self._next_s = self._first_s


async def end(*tasks: "asyncio.Task[Any]") -> None:
    """Cancel tasks, and wait until they have ended.

    aiomqtt waits with asyncio.wait_for, which in Python 3.11 loses a cancellation that arrives at the same moment
    as the result. So a task that is still running is cancelled again.
    """
    while running := [task for task in tasks if not task.done()]:
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=1.0)
    for task in tasks:
        if not task.cancelled():
            task.exception()  # Retrieved, so that asyncio does not log it.


def not_connected(why: object) -> str:
    """Of a log, while the connection is tried again."""
    return f"not connected to the broker: {why}; retrying"


def _reason(error: aiomqtt.MqttError) -> str:
    text = _ERRNO.sub("", str(error))
    if "timed out" in text.lower():
        return "no answer, or this computer's certificate is refused"
    return text


def _os_error_text(error: OSError) -> str:
    return error.strerror or type(error).__name__
