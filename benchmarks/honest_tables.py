"""Honest tables beside a hostile one, and how long what they send takes: for :mod:`benchmarks.floor_hostile`."""

import asyncio
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import aiomqtt
from sqlalchemy import Engine, select
from sqlalchemy.exc import DBAPIError

from config.schema import BrokerSection
from controller.floor.store import schema
from controller.messages.link import tls
from controller.messages.models import AlertMessage, ResendRequest, RoundClosed, write

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from floor_messages import online, record, state_after

PERIOD_S = 1.0
"""How often an honest table closes a round; an alert comes half of it before."""
POLL_S = 0.02
HONEST = "honest-"
_ENTRIES = 20
_MQTT_5 = aiomqtt.ProtocolVersion.V5


class HonestTable:
    """A table that plays rounds, and sends again what it is asked for."""

    def __init__(self, name: str, rounds: int, broker: BrokerSection) -> None:
        self.name = name
        self.rounds = record([_ENTRIES] * rounds, table=name, salt=name, alerts=[f"{name} #"])
        self.closed = 0
        self.at_s: dict[str, float] = {}
        """When alerts and rounds were first sent, by the store's words for them."""
        self._broker = broker

    async def play(self, offset_s: float) -> None:
        """Until cancelled, or all rounds are played."""
        broker = self._broker
        async with aiomqtt.Client(
            broker.host,
            broker.port,
            identifier=self.name,
            tls_context=tls(broker),
            protocol=_MQTT_5,
        ) as client:
            await client.subscribe(f"floor/{self.name}/wanted", qos=1)
            await client.publish(f"tables/{self.name}/online", write(online(self.name)), qos=1, retain=True)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._answer(client))
                tasks.create_task(self._play(client, offset_s))

    async def _play(self, client: aiomqtt.Client, offset_s: float) -> None:
        await asyncio.sleep(offset_s)
        for message in self.rounds:
            alert = message.alerts[0]
            self.at_s[alert.text] = time.monotonic()
            await client.publish(f"tables/{self.name}/alert", write(alert), qos=1)
            await asyncio.sleep(PERIOD_S / 2)
            self.at_s[message.hash] = time.monotonic()
            self.closed += 1
            await self._send(client, message)
            await asyncio.sleep(PERIOD_S / 2)

    async def _answer(self, client: aiomqtt.Client) -> None:
        async for request in client.messages:
            assert isinstance(request.payload, bytes)
            after = ResendRequest.model_validate_json(request.payload).after
            for message in self.rounds[: self.closed]:
                if message.seq > after:
                    await self._send(client, message)

    async def _send(self, client: aiomqtt.Client, message: RoundClosed) -> None:
        await client.publish(f"tables/{self.name}/round", write(message), qos=1)
        last = self.rounds[max(0, self.closed - 1)]
        state = state_after(last, handed_over=last.seq)
        await client.publish(f"tables/{self.name}/state", write(state), qos=1, retain=True)


class Watch:
    """Sees from outside what is in the store, and what the broker gives."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._alert = self._round = 0
        self.seen_s: dict[str, float] = {}
        self.turn_s: dict[str, float] = {}
        """How long each alert waited at the floor."""
        self.heard_s: dict[str, float] = {}
        """When who only hears alerts has heard each."""
        self.doubled = 0

    def poll(self) -> None:
        alerts, rounds = schema.alerts.c, schema.rounds.c
        try:
            with self._engine.connect() as db:
                new_alerts = db.execute(
                    select(alerts.id, alerts.text, alerts.received).where(alerts.id > self._alert)
                ).all()
                new_rounds = db.execute(select(rounds.id, rounds.hash).where(rounds.id > self._round)).all()
        except DBAPIError:
            return  # The floor makes it just now.
        now_s, wall_s = time.monotonic(), time.time()
        for number, text, received in new_alerts:
            self._alert = max(self._alert, number)
            self.doubled += text in self.turn_s and text.startswith(HONEST)
            self.turn_s.setdefault(text, wall_s - datetime.fromisoformat(received).timestamp())
            self.seen_s.setdefault(text, now_s)
        for number, digest in new_rounds:
            self._round = max(self._round, number)
            self.doubled += digest in self.seen_s
            self.seen_s.setdefault(digest, now_s)

    async def run(self) -> None:
        while True:
            self.poll()
            await asyncio.sleep(POLL_S)

    async def hear(self, broker: BrokerSection) -> None:
        """Hear the honest tables' alerts and nothing else: when the broker has given them."""
        client = aiomqtt.Client(
            broker.host, broker.port, identifier="listener", tls_context=tls(broker), protocol=_MQTT_5
        )
        async with client:
            await client.subscribe("tables/+/alert", qos=1)
            async for message in client.messages:
                if message.topic.value.split("/")[1].startswith(HONEST):
                    assert isinstance(message.payload, bytes)
                    text = AlertMessage.model_validate_json(message.payload).text
                    self.heard_s.setdefault(text, time.monotonic())


@dataclass
class Lags:
    """Seconds from publishing to the store; of alerts also until the broker gave them, and from their arrival."""

    alerts: list[float] = field(default_factory=list)
    heard: list[float] = field(default_factory=list)
    rounds: list[float] = field(default_factory=list)
    turns: list[float] = field(default_factory=list)


def percentile(lags: Sequence[float], part: float) -> float:
    """The smallest that so large a part of them does not exceed; infinite if there are none."""
    return sorted(lags)[math.ceil(len(lags) * part) - 1] if lags else math.inf


def words(lags: Sequence[float]) -> str:
    """p50, p99 and the longest."""
    ordered = sorted(lags)
    if not ordered:
        return "none"
    picked = (percentile(ordered, 0.5), percentile(ordered, 0.99), ordered[-1])
    return ", ".join(f"{lag:.2f}" for lag in picked) + " s"
