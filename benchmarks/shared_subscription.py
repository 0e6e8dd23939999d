"""What a shared subscription of MQTT 5 does to the order of rounds: ``python -m benchmarks.shared_subscription``.

Two workers subscribe together (``$share/floor/tables/#``) at a real Mosquitto, and tables publish their rounds in
order. Printed is how many of the rounds reach another worker than the round before of the same table, so that each
worker sees a record with gaps; and how many of the messages that the broker keeps for tables are heard. By the
standard such a subscription gets none (MQTT Version 5.0, OASIS Standard 2019, section 3.3.1.3); brokers differ.

It is the experiment behind the decision for leases: docs/decisions/workers-by-leases.md.
"""

import argparse
import asyncio
import random
import sys
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import aiomqtt

from benchmarks.report import machine
from controller.messages.link import tls
from controller.messages.topics import Topic, of_table

# The servers are those of the tests.
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from servers import FLOOR, WORKERS, Certificates, Mosquitto, running

SHARED = "$share/floor/tables/#"
QUIET_S = 2.0
"""After so long without a message, all have arrived."""


def _client(broker: Mosquitto, name: str) -> aiomqtt.Client:
    section = broker.broker(name)
    return aiomqtt.Client(
        section.host,
        section.port,
        identifier=name,
        protocol=aiomqtt.ProtocolVersion.V5,
        tls_context=tls(section),
        max_queued_incoming_messages=1_000_000,
    )


async def _hear(client: aiomqtt.Client, worker: str, heard: dict[tuple[str, int], str]) -> int:
    """Note which round reaches this worker; returns how many messages the broker had kept."""
    kept = 0
    messages = aiter(client.messages)
    while True:
        try:
            message = await asyncio.wait_for(anext(messages), QUIET_S)
        except TimeoutError:
            return kept
        if message.retain:
            kept += 1
        elif message.topic.value.endswith("/round"):
            heard[message.topic.value.split("/")[1], int(bytes(message.payload or b"0"))] = worker


async def _run(broker: Mosquitto, tables: int, rounds: int) -> tuple[int, int, int]:
    """Rounds heard, those that changed the worker, and kept messages heard."""
    names = [f"table-{number}" for number in range(tables)]
    heard: dict[tuple[str, int], str] = {}
    async with _client(broker, FLOOR) as publisher:
        for name in names:
            await publisher.publish(of_table(name, Topic.STATE), b"0", qos=1, retain=True)
        async with _client(broker, WORKERS[0]) as first, _client(broker, WORKERS[1]) as second:
            for one in (first, second):
                await one.subscribe(SHARED, qos=1)
            hearing = [
                asyncio.create_task(_hear(one, worker, heard))
                for one, worker in zip((first, second), WORKERS, strict=False)
            ]
            order = random.Random(1)
            for number in range(rounds):
                for name in order.sample(names, tables):
                    await publisher.publish(of_table(name, Topic.ROUND), str(number).encode(), qos=1)
            kept = sum(await asyncio.gather(*hearing))
    by_table: dict[str, list[str]] = defaultdict(list)
    for (name, _), worker in sorted(heard.items()):
        by_table[name].append(worker)
    changes = sum(a != b for workers in by_table.values() for a, b in pairwise(workers))
    return len(heard), changes, kept


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.shared_subscription", description=__doc__)
    parser.add_argument("--tables", type=int, default=50, help="default 50")
    parser.add_argument("--rounds", type=int, default=20, help="of each table; default 20")
    given = parser.parse_args()
    access = "user floor\ntopic readwrite #\n" + "".join(f"user {name}\ntopic read #\n" for name in WORKERS)
    with TemporaryDirectory() as folder:
        broker = Mosquitto(Path(folder), Certificates(Path(folder) / "c"), debug=False, access=access)
        with running(broker):
            heard, changes, kept = asyncio.run(_run(broker, given.tables, given.rounds))
    print(machine())
    print(f"rounds heard: {heard} of {given.tables * given.rounds}")
    print(f"at another worker than the round before: {changes} of {heard - given.tables}")
    print(f"messages that the broker keeps, heard: {kept} of {given.tables}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
