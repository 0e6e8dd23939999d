"""Tables of :mod:`benchmarks.floor`: played beforehand, recorded as their time comes, and published.

A process has many tables; each has its journal, its publisher, its cursor, its certificate and its connection.
"""

import asyncio
import ctypes
import heapq
import json
import logging
import random
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from benchmarks.floor_pieces import Counted, as_if_alone, publisher_of, slow_down
from config.schema import BrokerSection, TableConfig
from controller.bench.injected_faults import DealerAmongFaults, FaultSettings
from controller.bench.oracle import Oracle
from controller.bench.rig import NS_PER_S, Rig
from controller.configuration.shipped import load_table, table_path
from controller.journal.journal import Journal
from controller.runtime.table import Table

OPENS_S = 20.0
"""The tables of a floor begin within so long, one after the other."""
CONNECTING = 64
"""Tables that connect at the same time; each would have a computer of its own."""
_PR_SET_PDEATHSIG = 1
"""See prctl(2)."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One table.

    Attributes:
        number: from 0; what is random comes from it and the seed.
        folder: where its journal is.
        play: the file of what was played, made by :func:`play`.
    """

    number: int
    name: str
    game: str
    seed: int
    seconds: float
    folder: Path
    play: Path

    @property
    def journal(self) -> Path:
        return self.folder / f"{self.name}.journal"

    @property
    def cut_off(self) -> bool:
        """Whether it is of the tenth that loses its network."""
        return self.number % 10 == 3

    def config(self) -> TableConfig:
        """The shipped table of its game, with its own name and its own wheel."""
        config = _shipped(self.game)
        changed: dict[str, object] = {"table": self.name}
        for part in ("wheel", "rotor"):
            section = getattr(config, part)
            changed[part] = section and section.model_copy(update={"serial": f"W-{self.number}"})
        return config.model_copy(update=changed)


@cache
def _shipped(game: str) -> TableConfig:
    return load_table(table_path(game)).config


# -- beforehand ----------------------------------------------------------------------------------------------------


class LaterRig(Rig):
    """A table on simulated hardware whose computer has been on for a while: so no two records are the same."""

    def __init__(self, seat: Seat, oracle: Oracle) -> None:
        self._number = seat.number
        super().__init__(seat.config(), None, {"seed": seat.seed}, listeners=(oracle,))

    def _start(self) -> Table:
        self.clock.advance_to(max(self.clock.now_ns(), self._number + 1))
        return super()._start()


def play(seat: Seat) -> int:
    """Play so long, faults and mishaps included, on virtual time, into a file; returns the entries."""
    if seat.play.exists():
        return 0
    oracle = Oracle()
    rig = LaterRig(seat, oracle)
    dealer = DealerAmongFaults(rig, random.Random(seat.seed), oracle, FaultSettings())
    while rig.clock.now_ns() < seat.seconds * NS_PER_S:
        dealer.act()
    part = seat.play.with_suffix(".part")
    with part.open("w", encoding="utf-8") as file:
        for entry in rig.journal.entries():
            file.write(json.dumps([entry.round, entry.at_ns, entry.kind, entry.body, entry.checkpoint]) + "\n")
    part.rename(seat.play)
    count = len(rig.journal)
    rig.table.stop()
    rig.journal.close()
    return count


class Played(NamedTuple):
    """An entry that is to be recorded."""

    round: int
    at_ns: int
    kind: str
    body: str
    checkpoint: str | None


def played(seat: Seat) -> Iterator[Played]:
    with seat.play.open(encoding="utf-8") as file:
        for line in file:
            yield Played(*json.loads(line))


# -- in the run ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Share:
    """The parameters of a process of tables.

    Attributes:
        brokers: each seat's, in their order.
        speed: how many times faster than real time they are.
        tables: of the whole floor.
    """

    seats: tuple[Seat, ...]
    brokers: tuple[BrokerSection, ...]
    speed: float
    tables: int


class _Recorder:
    """Records entries as their time comes, without syncing them (see :func:`publisher_of`).

    Attributes:
        late_s: how late an entry was at the most, because this computer had too much to do.
    """

    def __init__(self, share: Share) -> None:
        self._share = share
        self.entries, self.late_s = 0, 0.0
        self._journals = [Journal(seat.journal) for seat in share.seats]
        for journal in self._journals:
            journal._db.execute("PRAGMA synchronous=OFF")

    async def run(self, began_s: float) -> None:
        """Record everything; ``began_s`` is the monotonic time of the floor's beginning."""
        share, plays = self._share, [played(seat) for seat in self._share.seats]
        due: list[tuple[float, int, Played]] = []

        def next_of(number: int) -> None:
            entry, seat = next(plays[number], None), share.seats[number]
            opens_s = OPENS_S * seat.number / share.tables
            if entry is not None and opens_s + entry.at_ns / NS_PER_S < seat.seconds:
                at_s = began_s + (opens_s + entry.at_ns / NS_PER_S) / share.speed
                heapq.heappush(due, (at_s, number, entry))

        for number in range(len(plays)):
            next_of(number)
        while due:
            at_s, number, entry = heapq.heappop(due)
            await asyncio.sleep(max(0.0, at_s - time.monotonic()))
            self.late_s = max(self.late_s, time.monotonic() - at_s)
            self._journals[number].append(
                entry.round, entry.at_ns, time.time_ns(), entry.kind, entry.body, entry.checkpoint
            )
            self.entries += 1
            next_of(number)

    def close(self) -> None:
        for journal in self._journals:
            journal.close()


def host(share: Share, pipe: Connection) -> None:
    """A process of tables.

    It prints ``ready``, connects its tables when it reads something, reads when the floor began, prints how many
    entries it has recorded and how late, and publishes until it reads that it is to end; then it prints how many
    messages the broker took.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # Nothing goes on when the benchmark is killed.
    logging.disable(logging.WARNING)  # A thousand tables would each log the failure.
    as_if_alone()
    slow_down(share.speed)
    counted = Counted()
    asyncio.run(_host(share, pipe))
    pipe.send(counted.messages)


async def _host(share: Share, pipe: Connection) -> None:
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(CONNECTING))
    recorder = _Recorder(share)
    made = [
        publisher_of(seat.config(), broker, seat.journal)
        for seat, broker in zip(share.seats, share.brokers, strict=True)
    ]
    pipe.send("ready")
    await _received(pipe)
    tasks = [asyncio.create_task(publisher.run()) for publisher, _ in made]
    began_s: float = await _received(pipe)
    await _or_fails(asyncio.create_task(recorder.run(began_s)), tasks)
    pipe.send((recorder.entries, recorder.late_s))
    await _or_fails(asyncio.create_task(_received(pipe)), tasks)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    recorder.close()
    for publisher, cursor in made:
        publisher.close()
        cursor.close()


async def _received(pipe: Connection) -> float:
    """The benchmark's next message; when it has ended, this process ends, too (EOFError)."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(pipe.fileno(), ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(pipe.fileno())
    return float(pipe.recv())


async def _or_fails(
    what: "asyncio.Task[float] | asyncio.Task[None]", publishers: list["asyncio.Task[None]"]
) -> None:
    """Wait for something; a publisher that ends before it does has failed."""
    done, _ = await asyncio.wait([what, *publishers], return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()
    assert what in done, "a publisher has ended"
