"""The people at a simulated table: a dealer and a floorperson who do the next correct action in every state.

Used by statistics, fault campaigns and tests. They act on the simulated hardware only and read the screen; the
floorperson also sees the true position of the wheel. Their actions in each state of a game are in its ``bench.py``
(:mod:`controller.bench.registry`).
"""

import random
from functools import partial

from controller.bench.oracle import Oracle
from controller.bench.registry import Acts
from controller.bench.rig import Rig
from controller.errors import UserError
from controller.events.event import Direction

PATIENCE = 6
"""After this many actions without any change, the floorperson has everything repaired."""
HOPELESS = 200
"""After this many actions within one round, the table counts as stuck."""
REVOLUTIONS = (2.95, 4.3)
"""The weakest and the strongest throw of the wheel."""


class StuckTableError(UserError):
    """No action of the people at the table leads on."""


class Dealer:
    """Dealer and floorperson of one table.

    Args:
        rig: the table; ``witness`` must be among its listeners.
        rng: throws and rolls.
        witness: the oracle, which counts rounds.
        no_rolls: the share of rolls in which a die does not lie flat.

    Attributes:
        dice: the true dice; empty before the first roll.
        careless: how many times more often than usual a ball is thrown badly.
    """

    def __init__(
        self,
        rig: Rig,
        rng: random.Random,
        witness: Oracle,
        no_rolls: float = 0.01,
    ) -> None:
        self.rig = rig
        self.rng = rng
        self.witness = witness
        self.dice: tuple[int, ...] = ()
        self.careless = 1.0
        self._no_rolls = no_rolls
        self._idle = 0
        bench = rig.bench
        if bench is None:
            raise StuckTableError(f"{rig.config.game} has no bench.py, so it cannot be dealt")
        self._acts: Acts = {
            "closed": self.open,
            "locked": self.unlock,
            "equipment-due": rig.floor,
            **{state: partial(rig.press, control) for state, control in bench.presses.items()},
            **bench.hands(self),
        }

    def play(self, rounds: int) -> None:
        """Play this many more rounds.

        Raises:
            StuckTableError: the table does not go on.
        """
        tally = self.witness.tally
        target = tally.rounds + rounds
        acts, reached = 0, tally.rounds
        while reached < target:
            self.act()
            acts = acts + 1 if tally.rounds == reached else 0
            reached = tally.rounds
            if acts > HOPELESS:
                raise StuckTableError(f"in state {self.rig.state.value}: {self.rig.waiting_for}")

    def act(self) -> None:
        """Do the next correct action, and compare the table's results with the truth."""
        before = (self.rig.state, self.rig.machine.data)
        self.step()
        self._idle = self._idle + 1 if before == (self.rig.state, self.rig.machine.data) else 0
        if self._idle >= PATIENCE:
            self._idle = 0
            self.repair()
            self.rig.wait(11)

    def step(self) -> None:
        """The same, without repairs when nothing changes. A prompt that somebody left open is closed first."""
        if self.rig.table.desk.is_open:
            self.rig.press("clear")
        self._acts[str(self.rig.state.value)]()
        self.witness.compare(self.rig)

    # -- actions at any table --------------------------------------------------------------------------------

    def unlock(self) -> None:
        """A fault is repaired, and the floorperson turns the key."""
        self.witness.tally.locks += 1
        self.repair()
        self.rig.floor()

    def repair(self) -> None:
        """The technician repairs everything."""
        self.rig.world.repair()

    def free_keys(self) -> None:
        """The screen shows that a key is stuck: the dealer frees it."""
        for keys in self.rig.world.keys:
            keys.repair()

    def open(self) -> None:
        """The floorperson opens a closed table, after a repair if a fault closed it."""
        if self.rig.machine.causes:
            self.unlock()
        else:
            self.rig.floor()

    def throw(self) -> None:
        """Throw the wheel in a random direction, sometimes too weakly, and wait until it is at rest."""
        self.throws()
        self.rig.spin(self.rng.uniform(*REVOLUTIONS), self.rng.choice(list(Direction)), rest=False)
        self.thrown()
        self.rig.rest()
        self.rested()

    def throws(self) -> None:
        """Wheel or ball is about to be thrown."""
        self.witness.tally.spins += 1

    def thrown(self) -> None:
        """It has just been thrown; a subclass may inject a fault here."""

    def rested(self) -> None:
        """It has come to rest."""

    def roll(self) -> None:
        """Roll three dice."""
        self.witness.tally.spins += 1
        self.dice = tuple(self.rng.randint(1, 6) for _ in range(3))
        self.witness.truth = "-".join(map(str, self.dice))

    def is_no_roll(self) -> bool:
        """Whether this roll is void."""
        return self.rng.random() < self._no_rolls

    def key_in(self, dice: tuple[int, ...]) -> None:
        """Key the missing dice of an entry, and enter it if the screen shows the dice; clear a wrong entry."""
        entry = self.rig.machine.data.entry
        if entry == dice[: len(entry)]:
            self.rig.press(*map(str, dice[len(entry) :]))
        # A stuck key may have added a die, or left one out.
        self.rig.press("enter" if self.rig.machine.data.entry == dice else "clear")
