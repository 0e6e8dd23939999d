"""One connection to the broker: MQTT 5 over TLS, with this computer's own certificate.

aiomqtt does not look at what a broker answers to a message (a PUBACK's reason code), only that it answers. A broker
that refuses a message answers, too; so the answer is looked at here, and one message at a time is under way.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import aiomqtt
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from config.schema import BrokerSection
from controller.messages.models import MessagePart, write

PATIENCE_S = 10.0
"""A broker that has not answered by then is given up, and connected to anew."""


class LinkError(Exception):
    """The broker cannot be reached, refuses, or does not answer; the message says which."""


class RefusedError(LinkError):
    """The broker answered that it does not take a message."""


class Answering(aiomqtt.Client):
    """A client that keeps what the broker answered to the last message."""

    answer: ReasonCode | None = None

    def _on_publish(
        self, client: Any, userdata: Any, mid: int, reason_code: ReasonCode, properties: Properties
    ) -> None:
        self.answer = reason_code
        super()._on_publish(client, userdata, mid, reason_code, properties)


class Link:
    """An open connection."""

    def __init__(self, client: Answering) -> None:
        self._client = client
        self._one = asyncio.Lock()

    async def publish(self, topic: str, message: MessagePart, retain: bool = False) -> None:
        """Publish a message at least once; returns when the broker has taken it.

        Raises:
            RefusedError: it does not take it.
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

    async def subscribe(self, topic: str) -> None:
        """Be told what is published there.

        Raises:
            LinkError: the broker refuses, or does not answer.
        """
        try:
            answers = await self._client.subscribe(topic, qos=1)
        except aiomqtt.MqttError as error:
            raise LinkError(reason(error)) from error
        for answer in answers:
            if isinstance(answer, ReasonCode) and answer.is_failure:
                raise RefusedError(f"the broker refuses to tell of {topic}: {answer}")

    async def messages(self) -> AsyncIterator[aiomqtt.Message]:
        """What arrives, until the connection ends.

        Raises:
            LinkError: it has ended.
        """
        try:
            async for message in self._client.messages:
                yield message
        except aiomqtt.MqttError as error:
            raise LinkError(reason(error)) from error


@asynccontextmanager
async def connected(
    broker: BrokerSection, identifier: str, will: aiomqtt.Will | None = None
) -> AsyncIterator[Link]:
    """A connection to the broker, for as long as the context lasts.

    Args:
        identifier: this client's name; the broker drops an older connection of the same name.
        will: what the broker publishes should this connection end without a goodbye.

    Raises:
        LinkError: there is none to be had, or it ended; the message says why.
    """
    client = Answering(
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
    where = f"{broker.host}:{broker.port}"
    try:
        async with client:
            yield Link(client)
    except aiomqtt.MqttError as error:
        raise LinkError(f"{where}: {reason(error)}") from error


async def end(tasks: Sequence["asyncio.Task[Any]"], patience_s: float = 1.0) -> None:
    """Cancel tasks, and wait until they have ended.

    aiomqtt waits with asyncio.wait_for, and that of Python 3.11 loses a cancellation which comes in the very moment
    in which what it waits for is there. So a task that goes on is cancelled again.
    """
    while going_on := [task for task in tasks if not task.done()]:
        for task in going_on:
            task.cancel()
        await asyncio.wait(going_on, timeout=patience_s)
    for task in tasks:
        if not task.cancelled():
            task.exception()  # Whoever is stopped looks at no error; none is left for asyncio's log.


def tls(broker: BrokerSection) -> ssl.SSLContext:
    """What the connection is encrypted with, and what both sides show.

    Raises:
        LinkError: a file cannot be read or used; the message names it.
    """
    try:
        context = ssl.create_default_context(cafile=broker.ca)
    except (OSError, ssl.SSLError) as error:
        raise LinkError(f"{broker.ca}: {_said(error)}; see broker: ca in the file") from error
    try:
        context.load_cert_chain(broker.certificate, broker.key, password="")
    except (OSError, ssl.SSLError) as error:
        files = f"{broker.certificate} with {broker.key}"
        raise LinkError(f"{files}: {_said(error)}; see broker: certificate and key in the file") from error
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def reason(error: aiomqtt.MqttError) -> str:
    """Why, in a few words."""
    said = str(error)
    if "timed out" in said.lower():
        return "no answer, or this computer's certificate is refused"
    return said


def _said(error: OSError) -> str:
    return error.strerror or type(error).__name__
