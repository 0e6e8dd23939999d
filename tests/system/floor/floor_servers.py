"""What the broker lets each certificate do, and what a client sees of a refusal."""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

import pytest
from aiomqtt import Client, MqttError, ProtocolVersion, Will
from servers import FLOOR, Mosquitto

from config.schema import BrokerSection

REFUSED = 0x87
"""MQTT 5's reason code "not authorised"."""
REFUSAL_S = 1.0
"""How long a client waits here for an answer that does not come."""


def client(broker: BrokerSection, shows_certificate: bool = True, **options: Any) -> Client:
    """A client of aiomqtt with this section."""
    context = ssl.create_default_context(cafile=broker.ca)
    if shows_certificate:
        context.load_cert_chain(broker.certificate, broker.key)
    return Client(broker.host, broker.port, protocol=ProtocolVersion.V5, tls_context=context, **options)


async def publish(by: Client, topic: str, payload: bytes = b"{}") -> int:
    """Publish at QoS 1; returns the reason code of the broker's answer, which aiomqtt keeps to itself."""
    codes: list[int] = []
    tells = by._client.on_publish

    def on_publish(*answer: Any) -> None:
        codes.append(answer[3].value)
        tells(*answer)  # type: ignore[misc]

    by._client.on_publish = on_publish
    await by.publish(topic, payload, qos=1)
    by._client.on_publish = tells
    return codes[0]


async def heard_by_floor(mosquitto: Mosquitto, doing: Callable[[], Awaitable[None]]) -> list[tuple[str, bytes]]:
    """All that the floor receives while an action runs: topic and payload."""
    received = []
    async with client(mosquitto.broker(FLOOR)) as floor:
        await floor.subscribe("#", qos=1)
        await doing()
        async with client(mosquitto.broker("last")) as last:
            await publish(last, "tables/last/state", b"the end")
        async for message in floor.messages:
            if message.topic.value == "tables/last/state":
                return received
            received.append((message.topic.value, bytes(message.payload)))
    raise AssertionError("the floor was cut off")


def run(doing: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine, for half a minute at the most."""
    asyncio.run(asyncio.wait_for(doing, 30))


def refused(broker: BrokerSection, shows_certificate: bool = True) -> str:
    """The error of a client that is refused."""

    async def tries() -> None:
        async with client(broker, shows_certificate, timeout=REFUSAL_S):
            raise AssertionError("the broker let somebody in")

    with pytest.raises(MqttError) as seen:
        run(tries())
    return str(seen.value)


def test_a_certificate_writes_under_its_own_name_alone_whatever_it_claims(
    module_mosquitto: Mosquitto,
) -> None:
    async def doing() -> None:
        claims = {"username": "robbed", "password": "secret"}
        async with client(module_mosquitto.broker("thief"), **claims) as table:
            for topic in ("tables/robbed/round", "floor/robbed/wanted", "tables", "tables/thief2/round", "$SYS/x"):
                assert await publish(table, topic) == REFUSED
            await table.publish("tables/robbed/state", b"", qos=0, retain=True)
            assert await publish(table, "tables/thief/state", b"own") < 0x80
        async with client(module_mosquitto.broker(FLOOR)) as floor:
            assert await publish(floor, "tables/thief/round") == REFUSED

    async def check() -> None:
        assert await heard_by_floor(module_mosquitto, doing) == [("tables/thief/state", b"own")]

    run(check())


def test_the_will_of_another_table_is_not_published(module_mosquitto: Mosquitto) -> None:
    """The connection is accepted; the broker looks at the will when it is due."""

    async def dies_with(topic: str) -> None:
        with suppress(MqttError):
            async with client(module_mosquitto.broker("thief"), will=Will(topic, b"gone", qos=1)) as table:
                connection = table._client.socket()
                assert isinstance(connection, socket.socket)
                connection.shutdown(socket.SHUT_RDWR)  # No goodbye, as when the network fails.

    async def check() -> None:
        async with client(module_mosquitto.broker(FLOOR)) as floor:
            await floor.subscribe("#", qos=1)
            await dies_with("tables/robbed/online")
            await dies_with("tables/thief/online")
            assert (await anext(floor.messages)).topic.value == "tables/thief/online"

    run(check())


def test_a_table_may_read_its_resend_requests_and_nothing_else(module_mosquitto: Mosquitto) -> None:
    """A subscription to anything is granted; messages that a table must not read are not delivered."""

    async def check() -> None:
        async with (
            client(module_mosquitto.broker("curious")) as table,
            client(module_mosquitto.broker(FLOOR)) as floor,
            client(module_mosquitto.broker("other")) as other,
        ):
            granted = await table.subscribe("#", qos=1)
            assert [code.value for code in granted] == [1]  # type: ignore[union-attr]
            await publish(other, "tables/other/round", b"secret")
            await publish(floor, "floor/other/wanted", b"secret")
            await publish(floor, "floor/curious/wanted", b"yours")
            message = await anext(table.messages)
            assert (message.topic.value, message.payload) == ("floor/curious/wanted", b"yours")

    run(check())


def test_no_certificate_is_refused(module_mosquitto: Mosquitto) -> None:
    # In TLS 1.3 the client has shaken hands before the broker asks for a certificate: it receives nothing more.
    assert refused(module_mosquitto.broker("nobody"), shows_certificate=False) == "Operation timed out"
    assert "peer did not return a certificate" in module_mosquitto.log()
