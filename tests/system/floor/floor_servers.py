"""What the broker lets each certificate do, and what a client sees of a refusal."""

import asyncio
import gc
import signal
import socket
import ssl
import subprocess
import sys
import time
import warnings
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import pytest
import server_process
from aiomqtt import Client, MqttError, ProtocolVersion, Will
from postgres_server import Postgres
from server_process import ServerError, program
from servers import FLOOR, Certificates, Mosquitto, running

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


def test_a_table_publishes_under_its_own_name(module_mosquitto: Mosquitto) -> None:
    async def doing() -> None:
        async with client(module_mosquitto.broker("craps-7")) as table:
            assert await publish(table, "tables/craps-7/round", b"one") < 0x80

    async def check() -> None:
        assert await heard_by_floor(module_mosquitto, doing) == [("tables/craps-7/round", b"one")]

    run(check())


def test_a_message_without_a_subscriber_is_accepted_and_lost(module_mosquitto: Mosquitto) -> None:
    async def check() -> None:
        async with client(module_mosquitto.broker("alone")) as table:
            assert await publish(table, "tables/alone/round") == 0x10  # No matching subscribers: a good code.

    run(check())


def test_another_tables_topic_is_refused_without_ending_the_connection(module_mosquitto: Mosquitto) -> None:
    async def doing() -> None:
        async with client(module_mosquitto.broker("thief")) as table:
            for topic in ("tables/robbed/round", "floor/robbed/wanted", "tables", "tables/thief2/round", "$SYS/x"):
                assert await publish(table, topic) == REFUSED
            await table.publish("tables/robbed/state", b"", qos=0, retain=True)
            await publish(table, "tables/thief/state", b"own")

    async def check() -> None:
        assert await heard_by_floor(module_mosquitto, doing) == [("tables/thief/state", b"own")]

    run(check())


@pytest.mark.parametrize("claims", [{"username": "robbed"}, {"username": "robbed", "password": "secret"}])
def test_a_claimed_client_name_gives_no_rights(module_mosquitto: Mosquitto, claims: dict[str, str]) -> None:
    async def check() -> None:
        async with client(module_mosquitto.broker("thief"), **claims) as table:
            assert await publish(table, "tables/robbed/round") == REFUSED
            assert await publish(table, "tables/thief/round") < 0x80

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


def test_the_floor_cannot_publish_for_a_table(module_mosquitto: Mosquitto) -> None:
    async def check() -> None:
        async with client(module_mosquitto.broker(FLOOR)) as floor:
            assert await publish(floor, "tables/craps-7/round") == REFUSED

    run(check())


def test_no_certificate_is_refused(module_mosquitto: Mosquitto) -> None:
    # In TLS 1.3 the client has shaken hands before the broker asks for a certificate: it receives nothing more.
    assert refused(module_mosquitto.broker("nobody"), shows_certificate=False) == "Operation timed out"
    assert "peer did not return a certificate" in module_mosquitto.log()


def test_another_authoritys_certificate_is_refused(module_mosquitto: Mosquitto, certificates: Certificates) -> None:
    certificate, key = certificates.foreign("craps-7")
    broker = module_mosquitto.broker("craps-7")
    foreign = broker.model_copy(update={"certificate": str(certificate), "key": str(key)})
    assert refused(foreign) == "Operation timed out"
    assert "certificate verify failed" in module_mosquitto.log()


def test_a_broker_of_another_authority_is_refused(mosquitto: Mosquitto, tmp_path: Path) -> None:
    other = Certificates(tmp_path / "others")
    broker = mosquitto.broker("craps-7").model_copy(update={"ca": str(other.ca)})
    assert "certificate verify failed" in refused(broker)


def test_a_port_without_broker_refuses_at_once(mosquitto: Mosquitto) -> None:
    mosquitto.kill()
    assert refused(mosquitto.broker("craps-7")) == "[Errno 111] Connection refused"


def test_a_hanging_broker_times_out(mosquitto: Mosquitto) -> None:
    mosquitto.hang()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # paho leaves a socket open whose handshake failed.
        assert "timed out" in refused(mosquitto.broker("craps-7"))
        gc.collect()
    mosquitto.go_on()

    async def check() -> None:
        async with client(mosquitto.broker("craps-7")) as table:
            assert await publish(table, "tables/craps-7/round") < 0x80

    run(check())


def test_a_killed_broker_restarts_at_its_port_without_its_messages(mosquitto: Mosquitto) -> None:
    async def retained(expected: list[bytes]) -> None:
        async with client(mosquitto.broker(FLOOR)) as floor, client(mosquitto.broker("last")) as last:
            await floor.subscribe("tables/#", qos=1)
            await publish(last, "tables/last/state", b"the end")
            found = []
            while (payload := (await anext(floor.messages)).payload) != b"the end":
                found.append(payload)
            assert found == expected

    async def keeps(name: str) -> None:
        async with client(mosquitto.broker(name)) as table:
            await table.publish(f"tables/{name}/state", b"kept", qos=1, retain=True)

    port = mosquitto.port
    run(keeps("craps-7"))
    mosquitto.stop()  # It saves its data.
    mosquitto.start()
    run(retained([b"kept"]))
    run(keeps("sic-bo-2"))
    mosquitto.kill()
    mosquitto.start()
    run(retained([b"kept"]))
    assert mosquitto.port == port


def _taken_over(mosquitto: Mosquitto) -> bool:
    """Whether a table loses its connection to another that gives the same client identifier."""

    async def tries() -> None:
        async with client(mosquitto.broker("robbed"), identifier="robbed") as robbed:
            async with client(mosquitto.broker("thief"), identifier="robbed") as thief:
                await publish(thief, "tables/thief/state")
            await publish(robbed, "tables/robbed/state")

    try:
        run(tries())
    except MqttError:
        return True
    return False


def test_a_client_identifier_can_be_stolen(module_mosquitto: Mosquitto) -> None:
    """Only with a certificate; but this is why a broker should take the identifier from it, too."""
    assert _taken_over(module_mosquitto)


def test_a_client_identifier_of_the_certificate_cannot_be_stolen(
    tmp_path: Path, certificates: Certificates
) -> None:
    mosquitto = Mosquitto(tmp_path / "mosquitto", certificates, ("use_username_as_clientid true",))
    with running(mosquitto):
        assert not _taken_over(mosquitto)


# -- the servers themselves ----------------------------------------------------------------------------------------


def test_a_port_taken_by_another_process_is_not_used(
    mosquitto: Mosquitto, tmp_path: Path, certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports = [mosquitto.port, server_process.free_port()]
    monkeypatch.setattr("servers.free_port", lambda: ports.pop(0))
    other = Mosquitto(tmp_path / "other", certificates)
    with running(other):
        assert other.port != mosquitto.port
        assert not ports


def test_a_missing_program_names_its_package() -> None:
    with pytest.raises(ServerError, match="sudo apt install mosquitto"):
        program("no-such-broker", "mosquitto")


def test_a_wrong_setting_is_reported(tmp_path: Path, certificates: Certificates) -> None:
    mosquitto = Mosquitto(tmp_path / "mosquitto", certificates, ("no_such_setting true",))
    with pytest.raises(ServerError, match="no_such_setting"):
        mosquitto.start()


STARTS = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from postgres_server import Postgres
from servers import Certificates, Mosquitto
folder = Path(sys.argv[2])
started = [Mosquitto(folder / "m", Certificates(folder / "c")), Postgres(folder / "p")]
for server in started:
    server.start()
print(*(server.pid for server in started), flush=True)
time.sleep(600)
"""


def test_no_server_outlives_the_process_that_started_it() -> None:
    with TemporaryDirectory(prefix="floor-") as folder:
        Path(folder).chmod(0o755)
        command = [sys.executable, "-c", STARTS, str(Path(server_process.__file__).parent), folder]
        starter = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert starter.stdout is not None
        pids = [int(pid) for pid in starter.stdout.readline().split()]
        assert len(pids) == 2
        starter.send_signal(signal.SIGKILL)
        starter.communicate()
        until = time.monotonic() + 20
        while any(Path(f"/proc/{pid}/exe").exists() for pid in pids):
            assert time.monotonic() < until, "a server runs on"
            time.sleep(0.01)


def test_a_killed_postgresql_keeps_its_data(postgres: Postgres) -> None:
    database = postgres.fresh().replace("+psycopg", "")
    with psycopg.connect(database) as connection:
        connection.execute("CREATE TABLE kept (number integer)")
        connection.execute("INSERT INTO kept VALUES (7)")
    postgres.kill()
    postgres.start()
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT number FROM kept").fetchall() == [(7,)]


def test_each_database_is_empty_at_first(postgres: Postgres) -> None:
    with psycopg.connect(postgres.fresh().replace("+psycopg", "")) as connection:
        found = connection.execute("SELECT 1 FROM pg_tables WHERE schemaname = 'public'").fetchall()
    assert found == []
