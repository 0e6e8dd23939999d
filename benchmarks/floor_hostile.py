"""What one hostile table costs the others: ``python -m benchmarks.floor_hostile [--seconds N] [--tables N]``.

Honest tables play on a real broker and the floor's process, first alone and then beside a table with a valid
certificate that sends as fast as it can. Then the floor gets SIGTERM under that load, and is started again: in the
end every honest round is looked for in the store.
"""

import asyncio
import math
import signal
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import aiomqtt
from sqlalchemy import Engine, create_engine, select
from sqlalchemy.exc import DBAPIError

from benchmarks.floor_pieces import floor_file
from benchmarks.floor_process import FloorProcess
from benchmarks.hostile_table import NAME, HostileTable
from benchmarks.report import Measured, main
from config.schema import BrokerSection
from controller.floor.store import schema
from controller.messages.link import tls
from controller.messages.models import ResendRequest, RoundClosed, write

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from floor_messages import online, record, state_after
from server_process import free_port
from servers import FLOOR, Certificates, Mosquitto, running

PERIOD_S = 1.0
"""How often an honest table closes a round; an alert comes half of it before."""
POLL_S = 0.02
ENDS_S = 5.0
COMPLETE_S = 120.0
_ENTRIES = 20


@dataclass
class Lags:
    """Seconds from publishing to the store; of alerts also from their arrival at the floor."""

    alerts: list[float] = field(default_factory=list)
    rounds: list[float] = field(default_factory=list)
    turns: list[float] = field(default_factory=list)


@dataclass
class HostileRun:
    """What was seen.

    Attributes:
        sent: messages of the hostile table.
        ended_s: how long the floor took to end after SIGTERM, under load.
        code: its exit code.
        missing: honest rounds that are not in the store in the end.
        quota: alerts of the hostile table that say that it sent too much.
    """

    alone: Lags = field(default_factory=Lags)
    beside: Lags = field(default_factory=Lags)
    sent: int = 0
    ended_s: float = math.inf
    code: int | None = None
    missing: list[str] = field(default_factory=list)
    quota: int = 0


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
            protocol=aiomqtt.ProtocolVersion.V5,
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


class _Watch:
    """Sees from outside what is in the store."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._alert = self._round = 0
        self.seen_s: dict[str, float] = {}
        self.turn_s: dict[str, float] = {}
        """How long each alert waited at the floor."""

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
            self.turn_s.setdefault(text, wall_s - datetime.fromisoformat(received).timestamp())
            self.seen_s.setdefault(text, now_s)
        for number, digest in new_rounds:
            self._round = max(self._round, number)
            self.seen_s.setdefault(digest, now_s)

    async def run(self) -> None:
        while True:
            self.poll()
            await asyncio.sleep(POLL_S)


def run(folder: Path, tables: int, seconds: float, most: int = 1_000_000) -> HostileRun:
    """Play.

    Args:
        seconds: that the hostile table sends; the others play a third of it alone before.
        most: how many messages it sends at most.
    """
    certificates = Certificates(folder / "certificates")
    broker = Mosquitto(folder / "mosquitto", certificates, ["max_queued_messages 10000"], debug=False)
    with running(broker):
        file = folder / "floor.yaml"
        floor_file(file, broker.broker(FLOOR), f"sqlite:///{folder}/floor.db", free_port())
        floor = FloorProcess(file)
        engine = create_engine(f"sqlite:///{folder}/floor.db")
        floor.start()
        try:
            return asyncio.run(_play(broker, floor, engine, tables, seconds, most))
        finally:
            floor.kill()
            engine.dispose()


async def _play(
    broker: Mosquitto, floor: FloorProcess, engine: Engine, tables: int, seconds: float, most: int
) -> HostileRun:
    result, watch = HostileRun(), _Watch(engine)
    count = int((seconds * 4 / 3) / PERIOD_S) + 1
    honest = [HonestTable(f"honest-{n}", count, broker.broker(f"honest-{n}")) for n in range(tables)]
    hostile = HostileTable(broker.broker(NAME), 10 * seconds, most)
    await asyncio.to_thread(hostile.start)
    watching = asyncio.create_task(watch.run())
    playing = [asyncio.create_task(one.play(n * PERIOD_S / tables)) for n, one in enumerate(honest)]
    try:
        await asyncio.sleep(seconds / 3)
        result.alone = _lags(honest, watch, 0, time.monotonic())
        begun_s = time.monotonic()
        hostile.send()
        await asyncio.sleep(seconds)
        result.beside = _lags(honest, watch, begun_s, time.monotonic())
        result.sent = hostile.sent
        result.ended_s, result.code = await asyncio.to_thread(floor.end, signal.SIGTERM, 4 * ENDS_S)
        await asyncio.to_thread(hostile.stop)
        floor.start()
        await _complete(honest, watch)
        result.missing = [
            f"{one.name} {message.number}"
            for one in honest
            for message in one.rounds
            if message.hash not in watch.seen_s
        ]
        result.quota = _quota_alerts(engine)
    finally:
        for task in (*playing, watching):
            task.cancel()
        await asyncio.gather(*playing, watching, return_exceptions=True)
        hostile.stop()
    return result


async def _complete(honest: Sequence[HonestTable], watch: _Watch) -> None:
    """Wait until all honest rounds are stored, for a while."""
    ends_s = time.monotonic() + COMPLETE_S
    while time.monotonic() < ends_s:
        if all(message.hash in watch.seen_s for one in honest for message in one.rounds):
            return
        await asyncio.sleep(0.2)


def _lags(honest: Sequence[HonestTable], watch: _Watch, since_s: float, now_s: float) -> Lags:
    """Of what was sent since a time; what is not stored yet has lagged until now at least."""
    found = Lags()
    for one in honest:
        hashes = {message.hash for message in one.rounds}
        for word, at_s in one.at_s.items():
            if at_s >= since_s:
                lag = watch.seen_s.get(word, now_s) - at_s
                (found.rounds if word in hashes else found.alerts).append(lag)
                if word in watch.turn_s:
                    found.turns.append(watch.turn_s[word])
    return found


def _quota_alerts(engine: Engine) -> int:
    alerts = schema.alerts.c
    with engine.connect() as db:
        return len(db.execute(select(alerts.id).where(alerts.table == NAME, alerts.kind == "quota")).all())


def words(lags: Sequence[float]) -> str:
    """p50, p99 and the longest."""
    ordered = sorted(lags)
    if not ordered:
        return "none"
    picked = (ordered[len(ordered) // 2], ordered[math.ceil(len(ordered) * 0.99) - 1], ordered[-1])
    return ", ".join(f"{lag:.2f}" for lag in picked) + " s"


def measure(tables: int, seconds: float) -> list[Measured]:
    """Play, and say what was seen."""
    with TemporaryDirectory(prefix="floor-") as folder:
        seen = run(Path(folder), tables, seconds)
    named = "p50, p99, longest"
    ends = seen.ended_s < ENDS_S and seen.code == 0
    return [
        Measured(f"{tables} tables alone: alerts' lag, {named}", words(seen.alone.alerts)),
        Measured("of it at the floor", words(seen.alone.turns)),
        Measured("rounds' lag", words(seen.alone.rounds)),
        Measured("beside a hostile table: alerts' lag", words(seen.beside.alerts)),
        Measured("of it at the floor", words(seen.beside.turns)),
        Measured("rounds' lag", words(seen.beside.rounds)),
        Measured("messages of the hostile table", f"{seen.sent / seconds:.0f}/s"),
        Measured("the floor ended after SIGTERM", f"{seen.ended_s:.1f} s", "", f"at most {ENDS_S:.0f} s", ends),
        Measured("honest rounds missing in the end", str(len(seen.missing)), "", "0", not seen.missing),
        Measured("alerts of its quota", str(seen.quota)),
    ]


if __name__ == "__main__":
    parser = ArgumentParser(prog="python -m benchmarks.floor_hostile")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    sys.exit(main(partial(measure, arguments.tables, arguments.seconds)))
