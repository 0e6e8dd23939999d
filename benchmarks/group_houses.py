"""The houses of :mod:`benchmarks.group_of_houses`: a process has several, each with its store and its relay.

What the tables send is stored as their time comes; that a house's own broker works is measured elsewhere
(:mod:`benchmarks.floor`). The relay is the floor's own, at a real broker.
"""

import asyncio
import ctypes
import heapq
import logging
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.group_plays import DatedMessage, PlayPlan, messages_of
from config.floor import FloorConfig, GroupSection, StoreSection
from config.schema import BrokerSection
from controller.floor.relay.relay import Relay
from controller.floor.store.store import Store
from hal.clock import LoopClock

AT_ONCE = 200
"""Messages that a house stores in one transaction."""
_PR_SET_PDEATHSIG = 1
"""See prctl(2)."""


@dataclass(frozen=True, slots=True)
class House:
    """One house.

    Attributes:
        broker: the group's, with this house's certificate.
        rate: messages that it relays in a second.
    """

    number: int
    broker: BrokerSection
    folder: Path
    rate: int

    @property
    def name(self) -> str:
        return f"house-{self.number}"

    @property
    def url(self) -> str:
        return f"sqlite:///{self.folder}/{self.name}.db"

    def config(self) -> FloorConfig:
        group = GroupSection(**self.broker.model_dump(), messages_per_s=self.rate)
        return FloorConfig(floor=self.name, broker=self.broker, store=StoreSection(url=self.url), group=group)


class _RunningHouse:
    """A house's store, what its tables have yet to send, and its relay."""

    def __init__(self, house: House, plan: PlayPlan) -> None:
        self.store = Store(house.url)
        config = house.config()
        assert config.group is not None
        self.relay = Relay(config, config.group, self.store, LoopClock(), lambda: None)
        streams = [messages_of(seat, house.number) for seat in plan.seats()]
        self._coming: Iterator[DatedMessage] = heapq.merge(*streams, key=lambda one: one.at_ns)
        self._next: list[DatedMessage] = []

    def store_until(self, until_ns: int) -> None:
        """Store what the tables send before so much of the day has passed."""
        while batch := self._batch(until_ns):
            self.store.take([one.arrived for one in batch])

    def _batch(self, until_ns: int) -> list[DatedMessage]:
        self._next += islice(self._coming, AT_ONCE - len(self._next))
        due = [one for one in self._next if one.at_ns < until_ns]
        self._next = self._next[len(due) :]
        return due


def host(houses: tuple[House, ...], plan: PlayPlan, pipe: Connection) -> None:
    """A process of houses: for each time of the day that it reads it stores what comes until then, and answers."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    logging.disable(logging.WARNING)  # Each house would log the failure.
    asyncio.run(_host(houses, plan, pipe))


async def _host(houses: tuple[House, ...], plan: PlayPlan, pipe: Connection) -> None:
    loop = asyncio.get_running_loop()
    running = [_RunningHouse(house, plan) for house in houses]
    relays = [asyncio.create_task(one.relay.run()) for one in running]
    pipe.send("ready")
    while (until_ns := await loop.run_in_executor(None, pipe.recv)) is not None:
        for one in running:
            await loop.run_in_executor(None, one.store_until, until_ns)
        pipe.send(until_ns)
    for relay in relays:
        relay.cancel()
    await asyncio.gather(*relays, return_exceptions=True)
    for one in running:
        one.relay.close()
        one.store.close()
