"""The people at a simulated table: a dealer and a floorperson who do the next right thing, whatever state it is in.

Used by statistics, fault campaigns and tests. They act on the simulated hardware only and read what the screen
says; the floorperson, who stands beside the wheel, also sees where it truly stands. What they do in each state of a
game is in :mod:`controller.bench.registry`.
"""

import random

from controller.bench.oracle import Oracle
from controller.bench.registry import bench_of
from controller.bench.rig import Rig
from controller.events.event import Direction
from controller.statechart.registry import find_game

PATIENCE = 6
"""So many acts without any change, and the floorperson has everything mended."""
HOPELESS = 200
"""So many acts within one round, and the table is stuck."""


class StuckTableError(Exception):
    """The table does not go on, whatever the people at it do."""


class Dealer:
    """Dealer and floorperson of one table.

    Args:
        rig: the table; ``witness`` must be among its listeners.
        rng: throws and rolls.
        witness: what it heard tells when a round is over.
        revolutions: the weakest and the strongest throw of the wheel.
        no_rolls: part of the rolls in which a die does not lie flat.

    Attributes:
        dice: as they truly lie; empty before the first roll.
        careless: how many times more often than usual a ball is thrown badly.
    """

    def __init__(
        self,
        rig: Rig,
        rng: random.Random,
        witness: Oracle,
        revolutions: tuple[float, float] = (2.95, 4.3),
        no_rolls: float = 0.01,
    ) -> None:
        self.rig = rig
        self.rng = rng
        self.witness = witness
        self.dice: tuple[int, ...] = ()
        self.careless = 1.0
        self._revolutions = revolutions
        self._no_rolls = no_rolls
        self._idle = 0
        bench = bench_of(find_game(rig.config.game))
        if bench is None:
            raise StuckTableError(f"nobody knows yet how to deal {rig.config.game}")
        self._acts = bench.hands(self)

    def play(self, rounds: int) -> None:
        """Play so many rounds more.

        Raises:
            StuckTableError: the table does not go on.
        """
        tally = self.witness.tally
        wanted = tally.rounds + rounds
        acts, reached = 0, tally.rounds
        while reached < wanted:
            self.act()
            acts = acts + 1 if tally.rounds == reached else 0
            reached = tally.rounds
            if acts > HOPELESS:
                raise StuckTableError(f"in state {self.rig.state.value}: {self.rig.waiting_for}")

    def act(self) -> None:
        """Do the next right thing, and compare what the table said of it with the truth."""
        before = (self.rig.state, self.rig.machine.data)
        self.step()
        self._idle = self._idle + 1 if before == (self.rig.state, self.rig.machine.data) else 0
        if self._idle >= PATIENCE:
            self._idle = 0
            self.mend()
            self.rig.wait(11)

    def step(self) -> None:
        """The same, by people who wait for ever rather than have anything mended."""
        self._acts[str(self.rig.state.value)]()
        self.witness.compare(self.rig)

    # -- what the hands at any table do ----------------------------------------------------------------------

    def unlock(self) -> None:
        """A fault is mended, and the floorperson turns the key."""
        self.witness.tally.locks += 1
        self.mend()
        self.rig.press("floor-key")

    def mend(self) -> None:
        """The technician mends whatever is broken."""
        self.rig.world.mend()

    def free_keys(self) -> None:
        """The screen shows that a key is stuck: the dealer frees it."""
        for keys in self.rig.world.keys:
            keys.mend()

    def open(self) -> None:
        """A closed table is opened by the floorperson; what closed it is mended first."""
        if self.rig.machine.data.cause:
            self.unlock()
        else:
            self.rig.press("floor-key")

    def throw(self) -> None:
        """Throw the wheel one way or the other, now and then too weakly, and wait until it stands."""
        self.throws()
        self.rig.spin(self.rng.uniform(*self._revolutions), self.rng.choice(list(Direction)), rest=False)
        self.thrown()
        self.rig.rest()
        self.rested()

    def throws(self) -> None:
        """Wheel or ball is about to be thrown."""
        self.witness.tally.spins += 1

    def thrown(self) -> None:
        """It has just been thrown: for whoever wants to interfere."""

    def rested(self) -> None:
        """It has come to rest."""

    def roll(self) -> None:
        """Roll three dice."""
        self.witness.tally.spins += 1
        self.dice = tuple(self.rng.randint(1, 6) for _ in range(3))
        self.witness.truth = "-".join(map(str, self.dice))

    def is_no_roll(self) -> bool:
        """Whether something is wrong with a roll."""
        return self.rng.random() < self._no_rolls

    def key_in(self, dice: tuple[int, ...]) -> None:
        """Key what is missing of an entry, and enter it if the screen shows the dice; wipe one that went wrong."""
        entry = self.rig.machine.data.entry
        if entry == dice[: len(entry)]:
            self.rig.press(*map(str, dice[len(entry) :]))
        # A key that is stuck may have put in a die, or left one out.
        self.rig.press("enter" if self.rig.machine.data.entry == dice else "clear")
