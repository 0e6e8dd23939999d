"""One run of :mod:`benchmarks.floor`: broker, floor and tables are started, fail, and are compared."""

import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.floor_pieces import floor_file
from benchmarks.floor_plan import Plan
from benchmarks.floor_process import FloorProcess
from benchmarks.floor_store import Difference, Stored, StoreWatch, rounds_of
from benchmarks.floor_tables import Share, host
from benchmarks.forwarder import Forwarder
from benchmarks.usage import Usage, with_children

# The servers are those of the tests.
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from postgres_server import Postgres
from server_process import free_port
from servers import FLOOR, WORKERS, Certificates, Mosquitto, running

LOOK_S, STORE_S, WEIGH_S = 0.05, 0.1, 1.0
"""How often processes are looked at, the store, and memory and processor time."""
CATCHES_UP_S, CATCHES_UP_TABLE_S = 180.0, 0.03
"""After the last entry, everything must be in the store by then; and so much later for each table."""
BROKER_AT, FLOOR_AT, NETWORK_AT, NETWORK_UNTIL = 0.2, 0.4, 0.6, 0.8
"""Parts of the run at which something fails."""
DATABASE_AT = 0.85
DATABASE_DOWN_S = 3.0


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a run.

    Attributes:
        cut_off: the tables that lost their network.
        outages: what failed, and from when until when, in seconds of wall time.
        entries: that the tables recorded.
        takeover_s: after a worker was killed, until others had all of its tables; None for a floor of one process.
        late_s: how late they recorded one at the most, because this computer had too much to do.
        messages: that the broker took.
        grown_bytes: by how much the store grew on disk.
        took_s: until the tables had recorded everything; what follows is catching up.
    """

    plan: Plan
    difference: Difference
    stored: list[Stored]
    cut_off: frozenset[str]
    outages: dict[str, tuple[float, float]]
    usages: dict[str, Usage]
    entries: int
    late_s: float
    messages: int
    grown_bytes: int
    took_s: float
    caught_up_s: float
    takeover_s: float | None


class Run:
    """Begin one with :meth:`run`, once; all its processes have ended when that returns.

    Args:
        folder: of this run.
        plays: of the tables' plays, which are there already.
    """

    def __init__(self, plan: Plan, folder: Path, plays: Path) -> None:
        self._plan, self._folder = plan, folder
        self._seats = plan.seats(folder, plays)
        self._usages = {role: Usage() for role in ("broker", "floor", "database", "tables")}
        self._outages: dict[str, tuple[float, float]] = {}
        self._broker = Mosquitto(folder / "mosquitto", Certificates(folder / "c"), debug=False)
        self._names = WORKERS[: plan.workers] or (FLOOR,)
        self._floors = [FloorProcess(folder / f"{name}.yaml") for name in self._names]
        self._database: Postgres | None = None
        self._takeover_s: float | None = None
        self._hosts: list[tuple[multiprocessing.process.BaseProcess, Connection]] = []
        self._weighed_s = self._looked_s = 0.0
        self._watch: StoreWatch | None = None

    def run(self) -> Ran:
        """Everything.

        Raises:
            AssertionError: a process ended by itself, or did not begin.
        """
        with ExitStack() as stack:
            stack.enter_context(running(self._broker))
            url = stack.enter_context(self._store())
            for name, floor in zip(self._names, self._floors, strict=True):
                worker = name if self._plan.workers else ""
                file = self._folder / f"{name}.yaml"
                floor_file(file, self._broker.broker(name), url, free_port(), worker=worker)
                stack.callback(floor.kill)
                floor.start()
                self._until(self._connected, self._plan.patience_s, "the floor has not connected")
            network = Forwarder(self._broker.port)
            network.start()
            stack.callback(network.stop)
            stack.callback(self._end_hosts)
            self._watch = StoreWatch(url)
            stack.callback(self._watch.close)
            return self._play(network, self._watch)

    def _connected(self) -> bool:
        log = self._broker.log()
        return all(f"u'{name}'" in log for name, floor in zip(self._names, self._floors, strict=True) if floor.pid)

    def _tables_connected(self) -> bool:
        return self._broker.log().count("New client connected") >= self._plan.tables + len(self._names)

    def _play(self, network: Forwarder, watch: StoreWatch) -> Ran:
        empty_bytes = watch.size_bytes()
        began_s = self._start_hosts(network.port)
        self._fail(network, began_s)
        self._until(
            lambda: all(pipe.poll() for _, pipe in self._hosts),
            self._plan.seconds + self._plan.patience_s,
            "it goes on",
        )
        recorded: list[tuple[int, float]] = [pipe.recv() for _, pipe in self._hosts]
        recorded_s = time.monotonic()
        difference = self._catch_up(watch, recorded_s)
        caught_up_s = time.monotonic() - recorded_s
        messages = self._end_tables()
        return Ran(
            self._plan,
            difference,
            watch.stored,
            frozenset(seat.name for seat in self._seats if seat.cut_off),
            self._outages,
            self._usages,
            sum(entries for entries, _ in recorded),
            max(late_s for _, late_s in recorded),
            messages,
            watch.size_bytes() - empty_bytes,
            recorded_s - began_s,
            caught_up_s,
            self._takeover_s,
        )

    def _catch_up(self, watch: StoreWatch, recorded_s: float) -> Difference:
        """Wait until the store has what the tables recorded, for so long at the most."""
        recorded = set(rounds_of({seat.name: seat.journal for seat in self._seats}))
        difference = watch.compare(recorded)
        until_s = recorded_s + CATCHES_UP_S + CATCHES_UP_TABLE_S * self._plan.tables
        while not difference.none and time.monotonic() < until_s:
            self._pass(WEIGH_S)
            if len(watch.stored) >= difference.rounds:
                difference = watch.compare(recorded)
        return watch.compare(recorded)

    @contextmanager
    def _store(self) -> Iterator[str]:
        """The URL of an empty store."""
        if not self._plan.postgresql:
            yield f"sqlite:///{self._folder}/floor.db"
            return
        with TemporaryDirectory(prefix="floor-") as place:  # Where PostgreSQL's own user can reach it.
            self._database = Postgres(Path(place))
            with running(self._database):
                yield self._database.url

    # -- what fails ----------------------------------------------------------------------------------------------

    def _fail(self, network: Forwarder, began_s: float) -> None:
        """Broker, floor and network fail, one after the other."""
        whole, down_s = self._plan.seconds, self._plan.down_s
        self._outage("broker", began_s + BROKER_AT * whole, down_s, self._broker.kill, self._broker.start)
        self._outage("floor", began_s + FLOOR_AT * whole, down_s, self._kill_floor, self._floors[0].start)
        cut_s = (NETWORK_UNTIL - NETWORK_AT) * whole
        self._outage("network", began_s + NETWORK_AT * whole, cut_s, network.cut, network.restore)
        if self._plan.workers and self._database is not None:
            at_s, database = began_s + DATABASE_AT * whole, self._database
            self._outage("database", at_s, DATABASE_DOWN_S, database.kill, database.start)

    def _kill_floor(self) -> None:
        """Kill the floor, or one of its workers, and see how soon the others have its tables."""
        self._floors[0].kill()
        if self._plan.workers > 1 and self._watch is not None:
            from_s, watch, dead = time.monotonic(), self._watch, self._names[0]
            self._until(
                lambda: watch.tables_of(dead) == 0, self._plan.patience_s, "no other worker takes the tables"
            )
            self._takeover_s = time.monotonic() - from_s

    def _outage(
        self, what: str, at_s: float, for_s: float, down: Callable[[], None], up: Callable[[], None]
    ) -> None:
        self._pass(at_s - time.monotonic())
        from_s = time.time()
        down()
        self._pass(for_s)
        up()
        self._outages[what] = (from_s, time.time())

    # -- the processes of tables ---------------------------------------------------------------------------------

    def _start_hosts(self, through: int) -> float:
        """Start them; a tenth of the tables connect through another port.

        Returns the monotonic time of the beginning.
        """
        spawn, hosts = multiprocessing.get_context("spawn"), self._plan.hosts
        for first in range(hosts):
            seats = tuple(self._seats[first::hosts])
            brokers = tuple(self._broker.broker(seat.name, through if seat.cut_off else 0) for seat in seats)
            ours, theirs = spawn.Pipe()
            share = Share(seats, brokers, self._plan.speed, self._plan.tables)
            process = spawn.Process(target=host, args=(share, theirs), daemon=True)
            process.start()
            theirs.close()
            self._hosts.append((process, ours))
        for _, pipe in self._hosts:
            self._until(pipe.poll, self._plan.patience_s, "the tables have not begun")
            pipe.recv()
        for _, pipe in self._hosts:
            pipe.send(0.0)
        self._until(self._tables_connected, self._plan.patience_s, "not all tables have connected")
        began_s = time.monotonic()
        for _, pipe in self._hosts:
            pipe.send(began_s)
        return began_s

    def _end_tables(self) -> int:
        """Have them disconnect from the broker; returns how many messages it took of theirs."""
        for _, pipe in self._hosts:
            pipe.send(0.0)
        return sum(int(pipe.recv()) for _, pipe in self._hosts)

    def _end_hosts(self) -> None:
        """End those that there are, whatever they do."""
        while self._hosts:
            process, pipe = self._hosts.pop()
            process.kill()
            process.join()
            pipe.close()

    # -- time ----------------------------------------------------------------------------------------------------

    def _until(self, condition: Callable[[], bool], patience_s: float, otherwise: str) -> None:
        """Let time pass until a condition holds.

        Raises:
            AssertionError: it never did.
        """
        until_s = time.monotonic() + patience_s
        while not condition():
            assert time.monotonic() < until_s, otherwise
            self._pass(LOOK_S)

    def _pass(self, seconds: float) -> None:
        """Let time pass, and poll everything meanwhile."""
        until_s = time.monotonic() + seconds
        while (left_s := until_s - time.monotonic()) > 0:
            time.sleep(min(LOOK_S, left_s))
            if self._watch is not None and time.monotonic() - self._looked_s > STORE_S:
                self._looked_s = time.monotonic()
                self._watch.poll()
            if time.monotonic() - self._weighed_s > WEIGH_S:
                self._weighed_s = time.monotonic()
                self._weigh()

    def _weigh(self) -> None:
        for floor in self._floors:
            floor.check()
        self._usages["broker"].poll(self._broker.pids)
        self._usages["floor"].poll(floor.pid for floor in self._floors if floor.pid)
        if self._database is not None:
            self._usages["database"].poll(with_children(self._database.pids))
        self._usages["tables"].poll(process.pid for process, _ in self._hosts if process.pid)
