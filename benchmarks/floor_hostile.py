"""What one hostile table costs the others: ``python -m benchmarks.floor_hostile [--seconds N] [--tables N]``.

Honest tables play on a real broker and the floor's process, first alone and then beside a table with a valid
certificate that sends as fast as it can. Then the floor gets SIGTERM under that load, and is started again: in the
end every honest round is looked for in the store. Where an alert waits is seen from a client that does nothing but
hear alerts (until the broker has given it), and from the store's own times (at the floor).
``--one-connection``: the floor has no connection for alerts.
"""

import asyncio
import math
import signal
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Engine, create_engine, select

from benchmarks.floor_pieces import floor_file
from benchmarks.floor_process import FloorProcess
from benchmarks.honest_tables import HONEST, PERIOD_S, HonestTable, Lags, Watch, percentile, words
from benchmarks.hostile_table import NAME, HostileTable
from benchmarks.report import Measured, main
from controller.floor.store import schema

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from server_process import free_port
from servers import FLOOR, FLOOR_ALERTS, Certificates, Mosquitto, running

ENDS_S = 5.0
ALERT_S = 2.0
"""Within which an alert reaches the store, at the 99th percentile, beside the hostile table."""
COMPLETE_S = 120.0


@dataclass
class HostileRun:
    """What was seen.

    Attributes:
        sent: messages of the hostile table.
        ended_s: how long the floor took to end after SIGTERM, under load.
        code: its exit code.
        missing: honest rounds that are not in the store in the end.
        lost: honest alerts that are not.
        doubled: honest rounds and alerts that are there twice.
        quota: alerts of the hostile table that say that it sent too much.
    """

    alone: Lags = field(default_factory=Lags)
    beside: Lags = field(default_factory=Lags)
    sent: int = 0
    ended_s: float = math.inf
    code: int | None = None
    missing: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    doubled: int = 0
    quota: int = 0


def run(
    folder: Path, tables: int, seconds: float, most: int = 1_000_000, one_connection: bool = False
) -> HostileRun:
    """Play.

    Args:
        seconds: that the hostile table sends; the others play a third of it alone before.
        most: how many messages it sends at most.
        one_connection: whether the floor has no connection for alerts.
    """
    certificates = Certificates(folder / "certificates")
    broker = Mosquitto(folder / "mosquitto", certificates, ["max_queued_messages 10000"], debug=False)
    with running(broker):
        file = folder / "floor.yaml"
        alerts = None if one_connection else broker.broker(FLOOR_ALERTS)
        floor_file(file, broker.broker(FLOOR), f"sqlite:///{folder}/floor.db", free_port(), alerts)
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
    result, watch = HostileRun(), Watch(engine)
    count = int((seconds * 4 / 3) / PERIOD_S) + 1
    honest = [HonestTable(f"{HONEST}{n}", count, broker.broker(f"{HONEST}{n}")) for n in range(tables)]
    hostile = HostileTable(broker.broker(NAME), 10 * seconds, most)
    await asyncio.to_thread(hostile.start)
    watching = [asyncio.create_task(watch.run()), asyncio.create_task(watch.hear(broker.broker(FLOOR)))]
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
        rounds = [(one.name, message) for one in honest for message in one.rounds]
        result.missing = [f"{name} {one.number}" for name, one in rounds if one.hash not in watch.seen_s]
        result.lost = [one.alerts[0].text for _, one in rounds if one.alerts[0].text not in watch.seen_s]
        result.doubled = watch.doubled
        result.quota = _quota_alerts(engine)
    finally:
        for task in (*playing, *watching):
            task.cancel()
        await asyncio.gather(*playing, *watching, return_exceptions=True)
        hostile.stop()
    return result


async def _complete(honest: Sequence[HonestTable], watch: Watch) -> None:
    """Wait until all honest rounds are stored, for a while."""
    ends_s = time.monotonic() + COMPLETE_S
    while time.monotonic() < ends_s:
        if all(message.hash in watch.seen_s for one in honest for message in one.rounds):
            return
        await asyncio.sleep(0.2)


def _lags(honest: Sequence[HonestTable], watch: Watch, since_s: float, now_s: float) -> Lags:
    """Of what was sent since a time; what is not stored yet has lagged until now at least."""
    found = Lags()
    for one in honest:
        hashes = {message.hash for message in one.rounds}
        for word, at_s in one.at_s.items():
            if at_s >= since_s:
                lag = watch.seen_s.get(word, now_s) - at_s
                (found.rounds if word in hashes else found.alerts).append(lag)
                if word in watch.heard_s or (word not in hashes and word not in watch.seen_s):
                    found.heard.append(watch.heard_s.get(word, now_s) - at_s)
                if word in watch.turn_s:
                    found.turns.append(watch.turn_s[word])
    return found


def _quota_alerts(engine: Engine) -> int:
    alerts = schema.alerts.c
    with engine.connect() as db:
        return len(db.execute(select(alerts.id).where(alerts.table == NAME, alerts.kind == "quota")).all())


def measure(tables: int, seconds: float, one_connection: bool) -> list[Measured]:
    """Play, and say what was seen."""
    with TemporaryDirectory(prefix="floor-") as folder:
        seen = run(Path(folder), tables, seconds, one_connection=one_connection)
    named = "p50, p99, longest"
    ends = seen.ended_s < ENDS_S and seen.code == 0
    in_time = percentile(seen.beside.alerts, 0.99) < ALERT_S
    return [
        Measured(f"{tables} tables alone: alerts' lag, {named}", words(seen.alone.alerts)),
        Measured("of it at the floor", words(seen.alone.turns)),
        Measured("rounds' lag", words(seen.alone.rounds)),
        Measured(
            "beside a hostile table: alerts' lag",
            words(seen.beside.alerts),
            "",
            f"p99 under {ALERT_S:.0f} s",
            in_time,
        ),
        Measured("of it at the broker", words(seen.beside.heard)),
        Measured("of it at the floor", words(seen.beside.turns)),
        Measured("rounds' lag", words(seen.beside.rounds)),
        Measured("messages of the hostile table", f"{seen.sent / seconds:.0f}/s"),
        Measured("the floor ended after SIGTERM", f"{seen.ended_s:.1f} s", "", f"at most {ENDS_S:.0f} s", ends),
        Measured("honest rounds missing in the end", str(len(seen.missing)), "", "0", not seen.missing),
        Measured("honest alerts missing", str(len(seen.lost)), "", "0", not seen.lost),
        Measured("honest rounds and alerts stored twice", str(seen.doubled), "", "0", not seen.doubled),
        Measured("alerts of its quota", str(seen.quota)),
    ]


if __name__ == "__main__":
    parser = ArgumentParser(prog="python -m benchmarks.floor_hostile")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--one-connection", action="store_true", help="the floor has no connection for alerts")
    arguments = parser.parse_args()
    sys.exit(main(partial(measure, arguments.tables, arguments.seconds, arguments.one_connection)))
