"""The bridge as a process between two real brokers: births, data, a rebirth, death by SIGKILL and by SIGTERM."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiomqtt
import pytest
import yaml
from floor_messages import online, record, state_after
from project import ROOT
from servers import FLOOR, FLOOR_SPARKPLUG, PLANT, Certificates, Mosquitto, running
from sparkplug_story import command

from config.schema import BrokerSection
from controller.floor.sparkplug.edge_node import BD_SEQ
from controller.floor.sparkplug.payload import Payload, decode
from controller.messages.link import tls
from controller.messages.models import Message, write

TABLE = "big-six-1"
PATIENCE_S = 60.0
Published = list[tuple[str, Payload]]


@pytest.fixture
def plant(tmp_path: Path, certificates: Certificates) -> Iterator[Mosquitto]:
    """The broker of Sparkplug."""
    broker = Mosquitto(tmp_path / "plant", certificates)
    with running(broker):
        yield broker


def section(broker: Mosquitto, certificates: Certificates, name: str) -> BrokerSection:
    certificate, key = certificates.of(name)
    own = {"certificate": str(certificate), "key": str(key), "ca": str(certificates.ca)}
    return BrokerSection(host="localhost", port=broker.port, **own)


@asynccontextmanager
async def client(broker: BrokerSection) -> AsyncIterator[aiomqtt.Client]:
    async with aiomqtt.Client(broker.host, broker.port, tls_context=tls(broker)) as one:
        yield one


class Host:
    """Who reads Sparkplug at the plant: everything that is published, in order."""

    def __init__(self, connection: aiomqtt.Client) -> None:
        self.published: Published = []
        self._connection = connection

    async def read(self) -> None:
        await self._connection.subscribe("spBv1.0/#", qos=1)
        async for message in self._connection.messages:
            assert isinstance(message.payload, bytes)
            assert not message.retain
            if "CMD" not in str(message.topic):
                self.published.append((str(message.topic), decode(message.payload)))

    def verbs(self) -> list[str]:
        return [topic.split("/")[2] for topic, _ in self.published]

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                await asyncio.sleep(0.02)


def bd_seq(payload: Payload) -> object:
    return next(metric.value for metric in payload.metrics if metric.name == BD_SEQ)


@pytest.fixture
def file(tmp_path: Path, mosquitto: Mosquitto, plant: Mosquitto, certificates: Certificates) -> Path:
    certificate, key = certificates.of(FLOOR_SPARKPLUG)
    document = {
        "floor": "hall",
        "broker": section(mosquitto, certificates, FLOOR).model_dump(),
        "sparkplug": {
            "group": "casino",
            "certificate": str(certificate),
            "key": str(key),
            "broker": section(plant, certificates, PLANT).model_dump(),
        },
    }
    path = tmp_path / "floor.yaml"
    path.write_text(yaml.safe_dump(document))
    return path


def start(file: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-m", "controller", "bridge", str(file)], cwd=ROOT)


def test_a_plant_reads_tables_and_cannot_command_them(
    file: Path, mosquitto: Mosquitto, plant: Mosquitto, certificates: Certificates
) -> None:
    async def run() -> Published:
        async with (
            client(section(mosquitto, certificates, TABLE)) as table,
            client(section(plant, certificates, PLANT)) as connection,
        ):
            host = Host(connection)
            reading = asyncio.create_task(host.read())
            bridge = start(file)
            try:
                await story(host, table, connection, bridge)
                bridge = start(file)
                await host.until(lambda: host.verbs().count("DBIRTH") == 3)
                bridge.send_signal(signal.SIGTERM)
                await host.until(lambda: host.verbs().count("NDEATH") == 2)
                assert await asyncio.to_thread(bridge.wait, PATIENCE_S) == 0
            finally:
                if bridge.poll() is None:
                    bridge.kill()
                    bridge.wait()
                reading.cancel()
                await asyncio.wait([reading])
            return host.published

    published = asyncio.run(run())
    assert {topic.split("/")[1] for topic, _ in published} == {"casino"}
    deaths = [payload for topic, payload in published if "NDEATH" in topic]
    assert [bd_seq(one) for one in deaths] == [0, 0]


async def story(
    host: Host, table: aiomqtt.Client, connection: aiomqtt.Client, bridge: "subprocess.Popen[bytes]"
) -> None:
    rounds = record([2] * 3)

    async def publish(message: Message, kind: str) -> None:
        await table.publish(f"tables/{TABLE}/{kind}", write(message), qos=1, retain=True)

    await host.until(lambda: "NBIRTH" in host.verbs())
    await publish(online(TABLE), "online")
    await publish(state_after(rounds[0]), "state")
    await host.until(lambda: "DBIRTH" in host.verbs())
    await publish(state_after(rounds[1]), "state")
    await host.until(lambda: "DDATA" in host.verbs())
    assert bd_seq(host.published[0][1]) == 0
    births = host.verbs().count("NBIRTH")
    # What the bridge refuses comes first: were it taken, the births would be other ones.
    await connection.publish("spBv1.0/casino/NCMD/hall", command("State"))
    await connection.publish(f"spBv1.0/casino/DCMD/hall/{TABLE}", command("State", "locked"))
    await connection.publish("spBv1.0/casino/NCMD/hall", command())
    await host.until(lambda: host.verbs().count("NBIRTH") == births + 1)
    await host.until(lambda: host.verbs().count("DBIRTH") == 2)
    numbers = [payload.seq for _, payload in host.published]
    again = max(at for at, verb in enumerate(host.verbs()) if verb == "NBIRTH")
    assert numbers[:again] == list(range(again))
    assert numbers[again:] == list(range(len(numbers) - again))
    bridge.kill()
    bridge.wait()
    await host.until(lambda: "NDEATH" in host.verbs())
