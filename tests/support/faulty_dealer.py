"""Random faults: which one, when, and whether it passes by itself. For campaigns and tests of every game."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from config.schema import TableConfig
from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import NS_PER_S, Rig
from hal.mock.head import SimulatedHead
from hal.mock.rotor import MockRotorHead

APART_S = 4.0
"""The mean time between two faults."""


@dataclass(frozen=True, slots=True)
class FaultSettings:
    """The rates of faults."""

    rate: float = 0.05
    """The share of spins or rolls with a fault."""
    both: float = 0.3
    """The share of faults that are followed by a second one."""
    passing: float = 0.4
    """The share of faults that pass by themselves."""
    repaired: float = 0.05
    """The share of spins or rolls before which everything is repaired, locked or not."""
    careless: float = 1.0
    """How many times more often than usual a ball is thrown badly, or a die does not lie flat."""
    at_rest_only: frozenset[str] = frozenset()
    """Faults that come, and pass by themselves, only while the wheel is at rest."""


@dataclass(frozen=True, slots=True)
class InjectedFaults:
    """One fault, for :meth:`hal.mock.world.World.fault`."""

    name: str
    target: str
    amount: float

    def __str__(self) -> str:
        amount = f" {self.amount:.3g}" if self.amount else ""
        return f"{self.name}{' ' if self.target else ''}{self.target}{amount}"


Draw = Callable[[random.Random, Sequence[str]], InjectedFaults]
"""Draws a fault of a sensor head with these lines."""

_LINES: tuple[Draw, ...] = (
    lambda rng, lines: InjectedFaults("stuck-high", rng.choice(lines), 0),
    lambda rng, lines: InjectedFaults("stuck-low", rng.choice(lines), 0),
    lambda rng, lines: InjectedFaults("open", rng.choice(lines), 0),
    lambda rng, lines: InjectedFaults("unplugged", "", 0),
    lambda rng, lines: InjectedFaults("noise", rng.choice(lines), _between(rng, 1, 500)),
    lambda rng, lines: InjectedFaults("lost-edges", "", _between(rng, 1e-4, 0.3)),
    lambda rng, lines: InjectedFaults("overflow", "", float(rng.randint(1, 2000))),
    lambda rng, lines: InjectedFaults("swapped", "", 0),
    lambda rng, lines: InjectedFaults("missing-index", "", 0),
)
_OF_WHEEL: tuple[Draw, ...] = (
    *_LINES,
    lambda rng, lines: InjectedFaults("dead-clapper", "", 0),
    lambda rng, lines: InjectedFaults("slip", "", _between(rng, 1e-3, 1)),
)
_OF_ROTOR: tuple[Draw, ...] = (
    *_LINES,
    lambda rng, lines: InjectedFaults("reader-silent", "", 0),
    lambda rng, lines: InjectedFaults("reader-garbled", "", 0),
    lambda rng, lines: InjectedFaults("reader-astray", "", float(rng.randint(1, 30))),
)


def _between(rng: random.Random, low: float, high: float) -> float:
    """A random amount, uniform on a logarithmic scale."""
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def sensor_trouble(rng: random.Random, head: SimulatedHead) -> InjectedFaults:
    """A fault of a wheel's sensors."""
    draws = _OF_ROTOR if isinstance(head, MockRotorHead) else _OF_WHEEL
    return rng.choice(draws)(rng, head.lines.names)


def panel_trouble(rng: random.Random, rig: Rig) -> InjectedFaults:
    """A fault of a lamp, a key or the keys' cable."""
    if rng.random() < 0.8:
        return InjectedFaults(rng.choice(("dead-lamp", "burning-lamp")), rng.choice(rig.world.panel.areas), 0)
    controls = [control for keys in rig.world.keys for control in keys.controls]
    return InjectedFaults(rng.choice(("stuck-key", "keys-unplugged")), rng.choice(controls), 0)


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

    def roll(self) -> None:
        self._repair_now_and_then()
        if self.rng.random() < self.settings.rate:
            self._break()
        super().roll()

    def _break(self) -> None:
        self._break_one()
        if self.rng.random() < self.settings.both:
            self._later(APART_S, self._break_one)
        if self.rig.world.head is not None and self.rng.random() < self.settings.passing:
            self._later(6, self._ease)

    def _break_one(self) -> None:
        if self.rig.world.head is not None and self.rng.random() < 0.95:
            trouble = self._sensor_trouble()
        else:
            trouble = panel_trouble(self.rng, self.rig)
            self.witness.panel_touched_ns = self.rig.clock.now_ns()
        self._note(str(trouble))
        self.rig.world.fault(trouble.name, trouble.target, trouble.amount)

    def _sensor_trouble(self) -> InjectedFaults:
        trouble = sensor_trouble(self.rng, self.rig.world.sensors)
        while trouble.name in self._excluded() | self._untold:
            trouble = sensor_trouble(self.rng, self.rig.world.sensors)
        return trouble

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
        world = self.rig.world
        swapped = world.sensors.lines.faults.swapped and "swapped" in self._excluded()
        world.sensors.repair(swapped, remount=False)

    def _later(self, mean_s: float, action: Callable[[], None]) -> None:
        clock = self.rig.clock
        clock.call_at(clock.now_ns() + int(self.rng.expovariate(1 / mean_s) * NS_PER_S), action)

    def _note(self, what: str) -> None:
        self.history.append(f"{self.rig.clock.now_ns() / NS_PER_S:.3f} s: {what}")
