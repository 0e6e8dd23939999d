"""A dealer at a table where things break: which, when, and whether it passes by itself, is random."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from config.schema import TableConfig
from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import NS_PER_S, Rig
from controller.journal.record import RecordedDecision
from hal.mock.world import BREAKAGES, World

APART_S = 4.0
"""The mean time between two faults."""
_AMOUNTS = {
    "noise": (1, 500),
    "lost-edges": (1e-4, 0.3),
    "overflow": (1, 2000),
    "slip": (1e-3, 1),
    "reader-astray": (1, 30),
}
"""Of faults that have one: from and to, on a logarithmic scale."""


@dataclass(frozen=True, slots=True)
class FaultSettings:
    """The rates of faults.

    Attributes:
        rate: the share of spins or rolls with a fault.
        both: the share of faults that are followed by a second one.
        passing: the share of faults that pass by themselves.
        repaired: the share of spins or rolls before which everything is repaired, locked or not.
        careless: how many times more often than usual a ball is thrown badly, or a die does not lie flat.
        at_rest_only: faults that come, and pass by themselves, only while the wheel is at rest.
    """

    rate: float = 0.05
    both: float = 0.3
    passing: float = 0.4
    repaired: float = 0.05
    careless: float = 1.0
    at_rest_only: frozenset[str] = frozenset()


class InjectedFault(NamedTuple):
    """A fault as :meth:`hal.mock.world.World.fault` takes it."""

    name: str
    target: str = ""
    amount: float = 0.0

    def __str__(self) -> str:
        return " ".join(filter(None, (self.name, self.target, f"{self.amount:.3g}" if self.amount else "")))


def sensor_fault(rng: random.Random, world: World, without: frozenset[str] = frozenset()) -> InjectedFault:
    """A fault of a wheel's sensors."""
    one = rng.choice([one for one in BREAKAGES if one.of and one.offered(world) and one.fault not in without])
    low, high = _AMOUNTS.get(one.fault, (0, 0))
    amount = math.exp(rng.uniform(math.log(low), math.log(high))) if high else 0.0
    return InjectedFault(one.fault, rng.choice(one.targets(world) or ("",)), amount)


def panel_fault(rng: random.Random, world: World) -> InjectedFault:
    """A fault of a lamp, a key or the keys' cable."""
    if rng.random() < 0.8:
        return InjectedFault(rng.choice(("dead-lamp", "burning-lamp")), rng.choice(world.panel.areas))
    controls = [control for keys in world.keys for control in keys.controls]
    return InjectedFault(rng.choice(("stuck-key", "keys-unplugged")), rng.choice(controls))


def ease(world: World, at_rest_only: frozenset[str] = frozenset()) -> None:
    """The faults of the head pass by themselves, but for some."""
    crossed = world.sensors.lines.faults.swapped and "swapped" in at_rest_only
    world.sensors.repair(crossed, remount=False)


def untold(config: TableConfig) -> frozenset[str]:
    """Faults that a table cannot detect: nothing contradicts a wheel reader that is the only source of results."""
    return frozenset({"reader-astray"} if config.rules.get("result") == "reader" else ())


class DealerAmongFaults(Dealer):
    """A dealer at a table with faults before, during and after a spin or a roll.

    Attributes:
        history: faults and repairs, as text.
    """

    def __init__(self, rig: Rig, rng: random.Random, witness: Oracle, settings: FaultSettings) -> None:
        super().__init__(rig, rng, witness, settings.careless)
        self.settings = settings
        self.history: list[str] = []
        self._moment = ""
        self._untold = untold(rig.config)

    @classmethod
    def at(
        cls,
        config: TableConfig,
        seed: int,
        settings: FaultSettings,
        journal: Path | None = None,
        listeners: Sequence[Callable[[RecordedDecision], None]] = (),
        **how: object,
    ) -> "DealerAmongFaults":
        """A dealer at a new table; all chance comes from the seed."""
        oracle = Oracle()
        rig = Rig(config, journal, {"seed": seed}, listeners=(oracle, *listeners), **how)
        return cls(rig, random.Random(seed), oracle, settings)

    def throws(self) -> None:
        self._repair_now_and_then()
        troubled = self.rng.random() < self.settings.rate
        self._moment = self.rng.choice(("before", "during", "after")) if troubled else ""
        if self._moment == "before":
            self._break()
        super().throws()

    def rested(self) -> None:
        if self._moment == "after":
            self._break()

    def thrown(self) -> None:
        if self._moment == "during":
            self._later(self.rng.choice((1, 4, 12)), self._break)

    def roll(self) -> tuple[int, ...]:
        self._repair_now_and_then()
        if self.rng.random() < self.settings.rate:
            self._break()
        return super().roll()

    def _break(self) -> None:
        self._break_one()
        if self.rng.random() < self.settings.both:
            self._later(APART_S, self._break_one)
        if self.rig.world.head is not None and self.rng.random() < self.settings.passing:
            self._later(6, self._ease)

    def _break_one(self) -> None:
        world = self.rig.world
        if world.head is not None and self.rng.random() < 0.95:
            fault = sensor_fault(self.rng, world, self._excluded() | self._untold)
        else:
            fault = panel_fault(self.rng, world)
            self.witness.panel_touched_ns = self.rig.clock.now_ns()
        self._note(str(fault))
        world.fault(*fault)

    def _excluded(self) -> frozenset[str]:
        """The faults that may not come or pass now."""
        head = self.rig.world.head
        turns = head is not None and self.rig.clock.now_ns() < head.at_rest_ns
        return self.settings.at_rest_only if turns else frozenset()

    def _repair_now_and_then(self) -> None:
        if self.rng.random() < self.settings.repaired:
            self._note("all repaired")
            self.rig.world.repair()

    def _ease(self) -> None:
        self._note("faults of the head pass by themselves")
        ease(self.rig.world, self._excluded())

    def _later(self, mean_s: float, action: Callable[[], None]) -> None:
        clock = self.rig.clock
        clock.call_at(clock.now_ns() + int(self.rng.expovariate(1 / mean_s) * NS_PER_S), action)

    def _note(self, what: str) -> None:
        self.history.append(f"{self.rig.clock.now_ns() / NS_PER_S:.3f} s: {what}")
