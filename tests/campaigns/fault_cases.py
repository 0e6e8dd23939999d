"""One cell of the fault matrix: a table in a state, a fault, and what comes of it.

The fault strikes a moment after the table has come into the state, whatever its people are about just then. They
go on as if nothing were wrong, until a whole round was played with the fault, the table is locked or closed, or
nothing changes any more. Then everything is repaired, and play must go on in the same process.
"""

import random
from collections import Counter
from dataclasses import dataclass

from campaigns.fault_watch import STOPPED, Broken, Onlooker, Reaction, Seen, unusual
from ways import Way

from config.schema import TableConfig
from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import NS_PER_S, Rig

STRIKES_AFTER_NS = 50_000_000
"""Less than the third of a second that people leave between two presses."""
SLICE_NS = 500_000_000
"""How often a turning wheel delivers its edges: a fault strikes while it turns, and not once all are delivered."""
PATIENCE_NS = 180 * NS_PER_S
"""So long without any change, and nothing more will come of the fault: a minute more than the two minutes that a
table gives its wheel to come to rest."""
ROUNDS = 2
"""Rounds that open before play with a fault ends: the one between them was played with it from end to end."""
LEAST_NS = 15 * NS_PER_S
"""Play with a fault takes at least so long: a key is stuck once it was down for ten seconds."""
MANY_ACTS = 600
"""More than two rounds of any game, and than a minute of presses."""


class NoWayError(Exception):
    """The way does not lead into the state; it must be corrected in ``tests/support/ways.py``."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What came of a fault.

    Attributes:
        reaction: what the table first did and said because of it; None for nothing.
        end: the state in which the table stopped; ``waits`` if nothing changed any more; else empty.
        unseen: a lamp was wrong, and nothing reported it: it was right again when the lamps changed.
        failures: what was wrong, in words; empty as it should be.
    """

    reaction: Reaction | None
    end: str
    unseen: bool
    failures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Usual:
    """Play from a state on without a fault.

    Attributes:
        reactions: how often each void, stop and alert comes.
        lit: the lamps that burn as the state is come into.
        next: the lamps of the next result.
    """

    reactions: Counter[Reaction]
    lit: frozenset[str]
    next: frozenset[str]


class CellDealer(Dealer):
    """People who take the detours of a way, throw well, and let a fault be until it is time to repair it."""

    def __init__(self, rig: Rig, witness: Oracle, way: Way) -> None:
        super().__init__(rig, random.Random(way.seed), witness, careless=0)
        self.detours = list(way.detours)
        self.repairs = True

    def step(self) -> None:
        if self.detours and self.detours[0].state == str(self.rig.state.value):
            self.detours.pop(0).do(self.rig)
            self.witness.compare(self.rig)
        else:
            super().step()

    def throw(self) -> None:
        """Into the middle of a section: a spin between two would be void with no fault at all."""
        self.throws()
        self.rig.spin(3.2, stop_on=self.rng.randrange(len(self.rig.order)), rest=False)
        self.thrown()
        self.rig.rest()
        self.rested()

    def repair(self) -> None:
        """What was broken before the fault struck is repaired already."""
        if self.repairs:
            super().repair()

    def free_keys(self) -> None:
        if self.repairs:
            super().free_keys()


class Case:
    """A table on its way into a state, and on from there.

    Args:
        broken: strikes there; None for play without a fault.
    """

    def __init__(self, config: TableConfig, state: str, way: Way, broken: Broken | None = None) -> None:
        self._state = state
        self._way = way
        self._broken = broken
        self._arrived = self._struck = False
        self._lit: frozenset[str] = frozenset()
        self._next: frozenset[str] | None = None
        self._onlooker = Onlooker(config.game)
        self._witness = Oracle()
        listeners = (self._witness, self._onlooker)
        self._rig = Rig(config, options={"seed": way.seed}, slice_ns=SLICE_NS, listeners=listeners)
        self._dealer = CellDealer(self._rig, self._witness, way)
        self._onlooker.rig = self._rig
        self._rig.table.listeners.append(self._look)

    # -- into the state --------------------------------------------------------------------------------------

    def _reach(self) -> None:
        """Play until the fault has struck.

        Raises:
            NoWayError: the table does not come into the state.
        """
        acts = 0
        self._look()
        self._rig.wait(2 * STRIKES_AFTER_NS / NS_PER_S)  # A new table is in a state already.
        while not self._struck:
            if acts > self._way.acts:
                raise NoWayError(f"{self._rig.config.game}: no way into {self._state}")
            self._dealer.act()
            self._look()  # A table that was switched on anew has other listeners.
            acts += 1

    def _look(self, *recorded: object) -> None:
        """Whether the table has come into the state: then the fault strikes soon."""
        if self._struck and self._next is None and self._onlooker.seen.results:
            self._next = frozenset(self._rig.machine.lit)
        if not self._arrived and not self._dealer.detours and str(self._rig.state.value) == self._state:
            self._arrived = True
            self._rig.clock.call_at(self._rig.clock.now_ns() + STRIKES_AFTER_NS, self._strike)

    def _strike(self) -> None:
        if str(self._rig.state.value) != self._state:
            raise NoWayError(f"{self._rig.config.game}: {self._state} is left before the fault strikes")
        self._struck, self._dealer.repairs = True, False
        self._lit = frozenset(self._rig.lit())
        self._onlooker.seen = Seen()
        self._onlooker.broken = self._broken
        if self._broken is not None:
            if self._broken.lamp:
                self._witness.panel_touched_ns = self._rig.clock.now_ns()
            self._rig.world.fault(self._broken.fault, self._broken.target, self._broken.amount)
            lamp, commanded = self._broken.lamp, frozenset(self._rig.machine.lit)
            self._onlooker.differed = lamp in commanded ^ self._rig.lit()

    # -- with the fault --------------------------------------------------------------------------------------

    def _go_on(self, usual: Counter[Reaction] | None) -> str:
        """Play on with the fault; returns the state in which the table stopped, ``waits``, or nothing."""
        clock, seen = self._rig.clock, self._onlooker.seen
        struck_ns = changed_ns = clock.now_ns()
        before = self._rig.state, self._rig.machine.data
        for _ in range(MANY_ACTS):
            stopped = usual is not None and any(one.stop for one in unusual(seen.reactions, usual))
            if stopped and str(self._rig.state.value) in STOPPED:
                return str(self._rig.state.value)
            if seen.rounds >= ROUNDS and clock.now_ns() - struck_ns >= LEAST_NS:
                return ""
            self._dealer.step()
            if (now := (self._rig.state, self._rig.machine.data)) != before:
                changed_ns, before = clock.now_ns(), now
            elif clock.now_ns() - changed_ns >= PATIENCE_NS:
                break
        return "waits"

    # -- repaired ----------------------------------------------------------------------------------------------

    def _recover(self) -> list[str]:
        """Repair everything and play on; returns what is wrong, in words."""
        self._onlooker.broken = None
        self._onlooker.seen = seen = Seen()
        self._dealer.repairs = True
        self._rig.world.repair()
        for _ in range(MANY_ACTS):
            if seen.rounds >= ROUNDS and seen.results:
                return seen.failures
            self._dealer.act()
        return [*seen.failures, f"stuck in state {self._rig.state.value}: {self._rig.waiting_for}"]

    # -- what came of it -------------------------------------------------------------------------------------

    def usual(self) -> Usual:
        """Play without a fault.

        Raises:
            NoWayError: the table does not come into the state.
        """
        self._reach()
        self._go_on(None)
        reactions = Counter(self._onlooker.seen.reactions)
        self._close()
        return Usual(reactions, self._lit, self._next or frozenset())

    def play(self, usual: Usual) -> Cell:
        """Play with the fault.

        Raises:
            NoWayError: the table does not come into the state.
        """
        self._reach()
        end, seen = self._go_on(usual.reactions), self._onlooker.seen
        reaction = next(iter(unusual(seen.reactions, usual.reactions)), None)
        unseen = reaction is None and self._onlooker.differed
        failures = list(seen.failures)
        if self._onlooker.owed:
            failures.append("a lamp fails as the lamps change, and nothing reports it")
        failures += self._recover()
        failures += self._witness.tally.wrong
        if self._rig.table.halted:
            failures.append(f"the table halted: {self._rig.table.halted}")
        verdict = self._rig.journal.verify()
        failures += [verdict.problem] if verdict.problem else []
        self._close()
        return Cell(reaction, end, unseen, tuple(failures))

    def _close(self) -> None:
        self._rig.table.stop()
        self._rig.journal.close()
