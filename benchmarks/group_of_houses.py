"""Thirty small houses with a group above them, their lines cut for a day: ``python -m benchmarks.group_of_houses``.

Each house has a store of its own and relays it to the group's floor, a process, over a real Mosquitto. Their tables
were played beforehand on simulated hardware, and their time is stretched over a day. For the first two hours the
lines hold; then the group's broker is gone, and with it every line, until the day is over. While the houses catch
up the group's floor is killed, and the broker. In the end every round of every house must be in the group's store,
once, the same.
"""

import argparse
import json
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from sqlalchemy import create_engine, func, select
from sqlalchemy.exc import DBAPIError

from benchmarks.floor_pieces import floor_file
from benchmarks.floor_process import FloorProcess
from benchmarks.floor_tables import play
from benchmarks.group_houses import House, host
from benchmarks.group_plays import DAY_NS, PlayPlan
from benchmarks.report import Measured, machine, table
from benchmarks.usage import Usage
from controller.bench.workers import spread
from controller.floor.store import schema
from controller.messages.topics import house_itself

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from server_process import free_port
from servers import FLOOR, GROUP_ACCESS, Certificates, Mosquitto, running

PROCESSES = 2
"""Of houses."""
LINE_HOLDS_NS = 2 * 3600 * 1_000_000_000
"""So much of the day the lines hold."""
FLOOR_DIES, BROKER_DIES = 0.3, 0.6
"""Parts of the rounds that the group has when its floor, and its broker, are killed."""
DOWN_S = 3.0
PATIENCE_S = 1800.0
_ALERTS = ("gap", "fork", "false", "unproven", "house", "clock", "quota")


@dataclass
class Figures:
    """What came of a run.

    Attributes:
        catching_up_s: from when the lines were restored until the group had everything.
        group_ms, house_ms: processor time a round while they caught up: of the group's floor, of a relay.
        group_bytes: a round takes in the group's store.
    """

    houses: int
    tables: int
    rounds: int = 0
    before_cut: int = 0
    missing: int = 0
    doubled: int = 0
    different: int = 0
    alerts: list[str] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    catching_up_s: float = 0.0
    group_ms: float = 0.0
    house_ms: float = 0.0
    group_bytes: float = 0.0

    @property
    def passed(self) -> bool:
        return not (self.missing or self.doubled or self.different or self.alerts or self.refused)


class Group:
    """The group's broker and floor, and the houses' processes."""

    def __init__(self, plan: PlayPlan, houses: int, rate: int, folder: Path) -> None:
        self._plan, self._folder = plan, folder
        certificates = Certificates(folder / "c")
        self._broker = Mosquitto(folder / "mosquitto", certificates, debug=False, access=GROUP_ACCESS)
        self._url = f"sqlite:///{folder}/group.db"
        self._floor = FloorProcess(folder / "group.yaml")
        self._count, self._rate = houses, rate
        self._houses: list[House] = []
        self._hosts: list[tuple[multiprocessing.process.BaseProcess, Connection]] = []
        self._engine = create_engine(self._url)
        self._usages = {"group": Usage(), "houses": Usage()}

    def run(self) -> Figures:
        """Everything."""
        figures = Figures(self._count, self._plan.tables)
        with ExitStack() as stack:
            stack.enter_context(running(self._broker))
            self._configure()
            stack.callback(self._floor.kill)
            self._floor.start()
            stack.callback(self._end_hosts)
            self._start_hosts()
            self._store_until(LINE_HOLDS_NS)
            figures.before_cut = self._wait_for(1.0)
            self._broker.stop()
            self._store_until(DAY_NS)
            self._broker.start()
            self._catch_up(figures)
            self._compare(figures)
        return figures

    def _configure(self) -> None:
        self._houses = [
            House(number, self._broker.broker(f"house-{number}"), self._folder, self._rate)
            for number in range(self._count)
        ]
        file = self._folder / "group.yaml"
        floor_file(file, self._broker.broker(FLOOR), self._url, free_port())
        file.write_text(f"{file.read_text(encoding='utf-8')}{yaml.safe_dump({'houses': {'quota': {}}})}")

    def _catch_up(self, figures: Figures) -> None:
        begun_s, before = time.monotonic(), dict(self._processor_s())
        held = self._stored()
        self._wait_for(FLOOR_DIES)
        ended = self._processor_s()["group"] - before["group"]
        self._floor.kill()
        time.sleep(DOWN_S)
        self._usages["group"] = Usage()
        self._floor.start()
        self._wait_for(BROKER_DIES)
        self._broker.kill()
        time.sleep(DOWN_S)
        self._broker.start()
        total = self._wait_for(1.0)
        figures.catching_up_s = time.monotonic() - begun_s
        after, caught = self._processor_s(), total - held
        figures.group_ms = 1000 * (after["group"] + ended) / caught
        figures.house_ms = 1000 * (after["houses"] - before["houses"]) / caught
        figures.group_bytes = Path(self._url.removeprefix("sqlite:///")).stat().st_size / total

    def _compare(self, figures: Figures) -> None:
        """Compare the group's store with those of the houses."""
        known = schema.rounds.c
        names = (known.table, known.record, known.seq, known.hash, known.results, known.closed, known.entries)
        at_houses: dict[tuple[str, str, int], tuple[object, ...]] = {}
        for house in self._houses:
            engine = create_engine(house.url)
            with engine.connect() as db:
                for row in db.execute(select(*names)):
                    at_houses[house_itself(house.name) + row[0], row[1], row[2]] = (row[3], str(row[4]), *row[5:])
            engine.dispose()
        with self._engine.connect() as db:
            rows = list(db.execute(select(*names)))
            alerts = schema.alerts.c
            active = select(alerts.table, alerts.kind, alerts.text)
            active = active.where(alerts.ended.is_(None), alerts.kind.in_(_ALERTS))
            figures.alerts = [" ".join(row) for row in db.execute(active)]
            refused = schema.refused_count.c
            figures.refused = {row[0]: row[1] for row in db.execute(select(refused.reason, refused["count"]))}
        places = Counter((row[0], row[1], row[2]) for row in rows)
        figures.rounds = len(at_houses)
        figures.missing = len(set(at_houses) - set(places))
        figures.doubled = sum(count > 1 for count in places.values())
        figures.different = sum(
            at_houses.get((row[0], row[1], row[2])) != (row[3], str(row[4]), *row[5:]) for row in rows
        )

    # -- processes ---------------------------------------------------------------------------------------------

    def _start_hosts(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        for first in range(PROCESSES):
            ours, theirs = spawn.Pipe()
            given = (tuple(self._houses[first::PROCESSES]), self._plan, theirs)
            process = spawn.Process(target=host, args=given, daemon=True)
            process.start()
            theirs.close()
            self._hosts.append((process, ours))
        for _, pipe in self._hosts:
            pipe.recv()

    def _store_until(self, until_ns: int) -> None:
        for _, pipe in self._hosts:
            pipe.send(until_ns)
        for _, pipe in self._hosts:
            pipe.recv()

    def _end_hosts(self) -> None:
        while self._hosts:
            process, pipe = self._hosts.pop()
            process.kill()
            process.join()
            pipe.close()

    # -- time --------------------------------------------------------------------------------------------------

    def _wait_for(self, part: float) -> int:
        """Wait until the group has so much of what the houses have; returns how many rounds it has.

        Raises:
            AssertionError: it never had.
        """
        at_houses = sum(self._count_in(house.url) for house in self._houses)
        return self._until(lambda: self._stored() >= part * at_houses)

    def _until(self, condition: Callable[[], bool]) -> int:
        until_s = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < until_s, f"the group has {self._stored()} rounds, and gets no more"
            self._floor.check()
            time.sleep(0.5)
        return self._stored()

    def _stored(self) -> int:
        try:
            with self._engine.connect() as db:
                return db.execute(select(func.count()).select_from(schema.rounds)).scalar_one()
        except DBAPIError:
            return 0

    def _count_in(self, url: str) -> int:
        engine = create_engine(url)
        with engine.connect() as db:
            count = db.execute(select(func.count()).select_from(schema.rounds)).scalar_one()
        engine.dispose()
        return count

    def _processor_s(self) -> dict[str, float]:
        """Processor time so far."""
        self._usages["group"].poll([self._floor.pid] if self._floor.pid else [])
        self._usages["houses"].poll(process.pid for process, _ in self._hosts if process.pid)
        return {role: usage.processor_s for role, usage in self._usages.items()}


def lines(figures: Figures) -> list[Measured]:
    """The figures, for people."""

    def none(what: str, count: int) -> Measured:
        return Measured(what, str(count), target="0", passed=count == 0)

    return [
        Measured(f"{figures.houses} houses of {figures.tables} tables: rounds of the day", f"{figures.rounds:,}"),
        Measured("of these while the lines held", f"{figures.before_cut:,}"),
        none("missing at the group", figures.missing),
        none("stored twice", figures.doubled),
        none("different from the house's", figures.different),
        none("active alerts of records, houses, quotas", len(figures.alerts)),
        none(f"refused messages{_reasons(figures.refused)}", sum(figures.refused.values())),
        Measured("caught up in", f"{figures.catching_up_s:.0f} s"),
        Measured("the group's processor time a round", f"{figures.group_ms:.1f} ms"),
        Measured("a house's for relaying one", f"{figures.house_ms:.1f} ms"),
        Measured("a round in the group's store", f"{figures.group_bytes / 1000:.1f} kB"),
    ]


def _reasons(refused: dict[str, int]) -> str:
    return f" ({', '.join(f'{reason}: {count}' for reason, count in sorted(refused.items()))})" if refused else ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.group_of_houses", description=__doc__)
    parser.add_argument("--houses", type=int, default=30, help="default 30")
    parser.add_argument("--tables", type=int, default=5, help="of each house (default 5)")
    parser.add_argument("--minutes", type=float, default=60.0, help="of play, stretched over a day (default 60)")
    parser.add_argument("--rate", type=int, default=50, help="messages of a house in a second (default 50)")
    parser.add_argument("--seed", type=int, default=1, help="default 1")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        plan = PlayPlan(given.tables, given.minutes, given.seed, Path(folder))
        for _ in spread(play, plan.seats(), PROCESSES):
            pass
        figures = Group(plan, given.houses, given.rate, Path(folder)).run()
    for alert in figures.alerts[:10]:
        print(alert, file=sys.stderr)
    if given.json:
        print(json.dumps(asdict(figures), indent=2))
    else:
        print(machine())
        print(table(lines(figures)))
    return 0 if figures.passed else 1


if __name__ == "__main__":
    sys.exit(main())
