"""What a Sparkplug host sees of the bridge: a session from its start to its end, recorded packet by packet."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import aiomqtt
import pytest
from floor_messages import alert_of, online, record, state_after

from config.floor import FloorConfig
from config.schema import BrokerSection
from config.sparkplug import SparkplugSection
from controller.floor.sparkplug import bridge as bridge_module
from controller.floor.sparkplug.bridge import Bridge, mqtt_session
from controller.floor.sparkplug.edge_node import REBIRTH
from controller.floor.sparkplug.payload import DataType, Metric, Payload, decode, encode
from controller.messages.models import DeviceHealth, HealthMessage, Message, RoundClosed, write
from controller.messages.topics import Topic, of_table
from hal.clock import LoopClock

GROUP, NODE, HOST = "casino", "hall", "scada"
TABLES = ("big-six-1", "big-six-2")
NCMD, STATE = f"spBv1.0/{GROUP}/NCMD/{NODE}", f"spBv1.0/STATE/{HOST}"
PATIENCE_S = 30.0
Rounds = Sequence[RoundClosed]
_TOPICS = {"OnlineMessage": Topic.ONLINE, "StateMessage": Topic.STATE, "HealthMessage": Topic.HEALTH}
_TOPICS |= {"RoundClosed": Topic.ROUND, "AlertMessage": Topic.ALERT}


@dataclass(frozen=True)
class Packet:
    """What the bridge sent to the Sparkplug broker, or what came to it.

    Attributes:
        kind: connect, subscribe, publish, disconnect; arrived.
        session: which connection, from 0.
    """

    kind: str
    session: int
    topic: str = ""
    data: bytes = b""
    qos: int = 0
    retain: bool = False
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def verb(self) -> str:
        """NBIRTH and so on; empty for what is no message of Sparkplug."""
        parts = self.topic.split("/")
        return parts[2] if len(parts) > 3 else ""

    @property
    def device(self) -> str:
        parts = self.topic.split("/")
        return parts[4] if len(parts) > 4 else ""

    @property
    def payload(self) -> Payload:
        return decode(self.data)

    def metric(self, name: str) -> Metric:
        (found,) = [one for one in self.payload.metrics if one.name == name]
        return found


@dataclass
class Story:
    """All packets, in order; each step of the story with the number of packets before it."""

    packets: list[Packet] = field(default_factory=list)
    steps: dict[str, int] = field(default_factory=dict)

    def sent(self, *verbs: str, session: int | None = None) -> list[Packet]:
        """What was published, of these verbs; of all without any."""
        found = [one for one in self.packets if one.kind == "publish" and (not verbs or one.verb in verbs)]
        return [one for one in found if session in (None, one.session)]

    def between(self, step: str, next_step: str) -> list[Packet]:
        """What was published from one step of the story to another."""
        return [one for one in self.packets[self.steps[step] : self.steps[next_step]] if one.kind == "publish"]


class _Client:
    """In the place of aiomqtt's client: nothing is sent, everything is recorded."""

    story: Story
    arriving: "asyncio.Queue[tuple[str, bytes]]"
    sessions = 0

    def __init__(self, host: str, port: int, **options: Any) -> None:
        self._options = options
        self._session = _Client.sessions
        _Client.sessions += 1

    def _add(self, kind: str, *args: Any, **words: Any) -> None:
        self.story.packets.append(Packet(kind, self._session, *args, **words))

    async def __aenter__(self) -> "_Client":
        will = self._options["will"]
        _Client.arriving = asyncio.Queue()
        self._add("connect", will.topic, will.payload, will.qos, will.retain, options=self._options)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._add("disconnect")

    async def subscribe(self, topic: str, qos: int) -> None:
        self._add("subscribe", topic, b"", qos)

    async def publish(self, topic: str, payload: bytes, qos: int, retain: bool) -> None:
        self._add("publish", topic, payload, qos, retain)

    @property
    async def messages(self) -> AsyncIterator[Any]:
        while True:
            topic, payload = await _Client.arriving.get()
            self._add("arrived", topic, payload)
            yield SimpleNamespace(topic=topic, payload=payload)


class StoryDirector:
    """Tells the story: what tables, host and broker do, step by step."""

    def __init__(self, story: Story, bridge: Bridge) -> None:
        self.story, self.bridge = story, bridge

    def step(self, name: str) -> None:
        self.story.steps[name] = len(self.story.packets)

    def table(self, message: Message) -> None:
        topic = of_table(message.table, _TOPICS[type(message).__name__])
        self.bridge.take(topic, write(message))

    def host(self, topic: str, payload: bytes) -> None:
        _Client.arriving.put_nowait((topic, payload))

    def host_is(self, is_online: bool, stamp_ms: int, host: str = HOST) -> None:
        document = json.dumps({"online": is_online, "timestamp": stamp_ms}).encode()
        self.host(f"spBv1.0/STATE/{host}", document)

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                await asyncio.sleep(0.002)

    async def more(self, verb: str, count: int = 1) -> None:
        """Until so many more messages of a verb were published."""
        before = len(self.story.sent(verb))
        await self.until(lambda: len(self.story.sent(verb)) >= before + count)

    async def subscribed(self, count: int) -> None:
        """Until there were so many subscriptions in all."""
        await self.until(lambda: sum(one.kind == "subscribe" for one in self.story.packets) >= count)

    async def quiet(self) -> None:
        """Until all that has arrived was taken, and the bridge has had turns to act on it."""
        await self.until(_Client.arriving.empty)
        for _ in range(20):
            await asyncio.sleep(0.001)


def command(name: str = REBIRTH, value: Any = True) -> bytes:
    kind = DataType.BOOLEAN if isinstance(value, bool) else DataType.STRING
    return encode(Payload([Metric(value, name, value_type=kind)], 1))


def config() -> FloorConfig:
    broker = BrokerSection(host="localhost", ca="ca", certificate="crt", key="key")
    own = SparkplugSection(group=GROUP, primary_host=HOST, certificate="own.crt", key="own.key", broker=broker)
    return FloorConfig(floor=NODE, broker=broker, sparkplug=own)


async def _tell(director: StoryDirector) -> None:
    for chapter in (_birth, _data, _devices, _commands, _host_goes, _host_comes):
        await chapter(director, record([2] * 300))
    director.step("end")


async def _birth(director: StoryDirector, _: Rounds) -> None:
    for table in TABLES:
        director.table(online(table))
    director.step("before the host")
    await director.subscribed(3)
    director.host_is(True, 99, "another")
    director.host_is(False, 5)
    await director.quiet()
    director.step("host online")
    director.host_is(True, 10)
    await director.more("DBIRTH", 2)


async def _data(director: StoryDirector, rounds: Rounds) -> None:
    director.step("data")
    for number in range(270):
        director.table(state_after(rounds[number]))
        await director.more("DDATA")
    director.table(alert_of(rounds[280]))
    await director.more("DDATA")
    director.table(rounds[281])
    await director.more("DDATA")


async def _devices(director: StoryDirector, rounds: Rounds) -> None:
    director.step("sensors")
    health = [DeviceHealth(device="encoder", state="ok")]
    director.table(HealthMessage(table=TABLES[0], at=rounds[0].closed, devices=health))
    await director.more("DBIRTH")
    director.step("table away")
    director.table(online(TABLES[1], False))
    await director.more("NDATA")
    director.step("table back")
    director.table(online(TABLES[1]))
    await director.more("NDATA")


async def _commands(director: StoryDirector, _: Rounds) -> None:
    director.step("refused")
    director.host(NCMD, command("Node Control/Reboot"))
    director.host(NCMD, command(value=False))
    director.host(NCMD, b"\xff\xff\xff")
    director.host(f"spBv1.0/{GROUP}/DCMD/{NODE}/{TABLES[0]}", command("State", "locked"))
    await director.quiet()
    director.step("rebirth")
    director.host(NCMD, command())
    await director.more("DBIRTH", 2)


async def _host_goes(director: StoryDirector, _: Rounds) -> None:
    director.step("stale host")
    director.host_is(False, 9)
    await director.quiet()
    director.step("host offline")
    director.host_is(False, 20)
    await director.until(lambda: _Client.sessions == 2)


async def _host_comes(director: StoryDirector, _: Rounds) -> None:
    director.step("second session")
    await director.subscribed(6)
    director.host_is(True, 15)
    await director.quiet()
    director.step("host online again")
    director.host_is(True, 30)
    await director.more("DBIRTH", 2)


@asynccontextmanager
async def _no_tables(*_: object, **__: object) -> AsyncIterator[None]:
    """The tables' broker never answers: the story tells what they publish."""
    await asyncio.Event().wait()
    yield


def recorded_story(monkeypatch: pytest.MonkeyPatch) -> Story:
    """The whole story."""
    story = Story()
    _Client.story, _Client.sessions = story, 0
    monkeypatch.setattr(aiomqtt, "Client", _Client)
    monkeypatch.setattr(bridge_module, "tls", lambda _: None)
    monkeypatch.setattr(bridge_module, "connected", _no_tables)
    monkeypatch.setattr(bridge_module, "GATHER_S", 0.0)
    monkeypatch.setattr(bridge_module, "REBIRTH_S", 0.0)
    monkeypatch.setattr(bridge_module, "RETRY_S", 0.0)

    async def run() -> None:
        floor = config()
        assert floor.sparkplug is not None
        bridge = Bridge(floor, floor.sparkplug, LoopClock(), mqtt_session)
        task = asyncio.create_task(bridge.run())
        await _tell(StoryDirector(story, bridge))
        task.cancel()
        await asyncio.wait([task])

    asyncio.run(run())
    return story
