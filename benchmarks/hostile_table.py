"""A table with a valid certificate that sends as fast as its broker takes it: for ``floor_hostile``."""

import itertools
import multiprocessing
import random
import ssl
import sys
import time
from collections.abc import Iterator
from multiprocessing.synchronize import Event
from pathlib import Path

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from config.schema import BrokerSection
from controller.messages.models import write

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from floor_messages import alert_of, record, spin

NAME = "hostile"
AT_ONCE = 100
"""Messages that are under way at the same time."""
SPINS = 1_000
_PATIENCE_S = 60.0
ROUNDS = 100
"""After so many rounds it begins again: from there on all are repeats."""


def payloads(seed: int) -> Iterator[tuple[str, bytes]]:
    """Topics and payloads: rounds of a thousand spins, large rounds, repeats, garbage, alerts."""
    chance = random.Random(seed)
    # A wheel that rests once and counts a thousand times: its one entry says so.
    rounds = record([3, 200] * (ROUNDS // 2), table=NAME, salt=NAME, spins=[spin(17)] * SPINS)
    sent = [write(one) for one in rounds]
    garbage = bytes(chance.randrange(256) for _ in range(60_000))
    for n in itertools.count():
        yield "round", sent[n % ROUNDS]
        yield "round", garbage[chance.randrange(30_000) :]
        yield "round", sent[max(0, n % ROUNDS - 3)]
        yield "alert", write(alert_of(rounds[n % ROUNDS], part=n % 1000))


class HostileTable:
    """Its process. It ends by itself after its time or its messages, or when it is stopped.

    Args:
        most: how many messages it sends at most.
    """

    def __init__(self, broker: BrokerSection, seconds: float, most: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._ready, self._going, self._stopped = context.Event(), context.Event(), context.Event()
        self._sent = context.Value("q", 0)
        arguments = (broker, seconds, most, (self._ready, self._going, self._stopped), self._sent)
        self._process = context.Process(target=_flood, args=arguments, daemon=True)

    @property
    def sent(self) -> int:
        """How many messages its broker took so far."""
        return int(self._sent.value)

    def start(self) -> None:
        """Start it; returns when it could send."""
        self._process.start()
        if not self._ready.wait(_PATIENCE_S):
            raise AssertionError("the hostile table has not started")

    def send(self) -> None:
        """Let it send."""
        self._going.set()

    def stop(self) -> None:
        self._stopped.set()
        self._going.set()
        if self._process.pid is not None:
            self._process.join(_PATIENCE_S)


def _flood(
    broker: BrokerSection,
    seconds: float,
    most: int,
    events: tuple[Event, Event, Event],
    sent: "multiprocessing.sharedctypes.Synchronized[int]",
) -> None:
    ready, going, stopped = events
    sending = payloads(seed=1)
    next(sending)
    client = mqtt.Client(CallbackAPIVersion.VERSION2, NAME, protocol=mqtt.MQTTv5)
    context = ssl.create_default_context(cafile=broker.ca)
    context.load_cert_chain(broker.certificate, broker.key)
    client.tls_set_context(context)
    client.max_inflight_messages_set(AT_ONCE)
    client.connect(broker.host, broker.port)
    client.loop_start()
    client.publish(f"tables/{NAME}/online", b'{"version":1,"table":"hostile","online":true,"running":true}', qos=1)
    ready.set()
    going.wait(_PATIENCE_S)
    ends_s = time.monotonic() + seconds
    for n, (topic, payload) in enumerate(sending, 1):
        given = client.publish(f"tables/{NAME}/{topic}", payload, qos=1)
        if n % AT_ONCE == 0:
            given.wait_for_publish(10)
            sent.value = n
            if stopped.is_set() or time.monotonic() > ends_s or n >= most:
                break
    client.loop_stop()
