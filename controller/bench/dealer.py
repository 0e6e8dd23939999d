"""The people at a simulated table: a dealer and a floorperson who do the next correct action in every state.

Used by simulations, the demonstration, the page's guide, campaigns and tests. They act on the simulated hardware
only, and read the screen; the floorperson also sees the true position of the wheel.
"""

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from controller.bench.oracle import Oracle
from controller.bench.people import Act, Acts
from controller.bench.rig import Rig
from controller.errors import UserError
from controller.events.event import Direction

PATIENCE = 6
"""After this many actions without any change, the floorperson has everything repaired."""
HOPELESS = 300
"""After this many actions within one round, the table counts as stuck."""
REVOLUTIONS = (2.95, 4.3)
"""The weakest and the strongest throw of the wheel."""
_NOT_FLAT = 0.01
"""The share of rolls in which a die does not lie flat."""


class StuckTableError(UserError):
    """No action of the people at the table leads on."""


class Dealer:
    """Dealer and floorperson of one table.

    Args:
        rig: the table; ``witness`` must be among its listeners.
        rng: throws, rolls and the players; None for a newcomer's round, in which nothing happens by chance.
        witness: the oracle, which counts rounds.
        careless: how many times more often than usual a ball is thrown badly, or a die does not lie flat.

    Attributes:
        dice: the true dice; empty before the first roll.
        idle: so many actions have changed nothing.
    """

    def __init__(
        self, rig: Rig, rng: random.Random | None, witness: Oracle | None = None, careless: float = 1.0
    ) -> None:
        bench = rig.bench
        if bench is None:
            raise StuckTableError(f"{rig.config.game} has no bench.py, so it cannot be dealt")
        self.rig, self.newcomer = rig, rng is None
        self.rng = rng or random.Random()
        self.witness = witness or Oracle()
        self.dice: tuple[int, ...] = bench.dice if self.newcomer else ()
        self.idle = 0
        self._careless, self._no_roll = careless, False
        self._performs = bench.performs
        self._seen = deque[object](maxlen=2)
        """The last states of the table: an entry that is cleared and keyed again is no progress."""
        floor = Act(floor="")
        self._acts: Acts = {"closed": floor, "locked": floor, "equipment-due": floor, **bench.acts(self)}

    @property
    def machine(self) -> Any:
        return self.rig.machine

    @property
    def data(self) -> Any:
        """The data of the round."""
        return self.machine.data

    def next_act(self) -> Act:
        """What to do now."""
        state = str(self.machine.state.value)
        act = self._acts.get(state, Act())
        act = act() if callable(act) else act
        return replace(act, repair=True) if self.machine.causes and state in ("closed", "locked") else act

    # -- acting ----------------------------------------------------------------------------------------------

    def play(self, rounds: int) -> None:
        """Play this many more rounds.

        Raises:
            StuckTableError: the table does not go on.
        """
        tally = self.witness.tally
        for target in range(tally.rounds + 1, tally.rounds + rounds + 1):
            for _ in range(HOPELESS + 1):
                if tally.rounds >= target:
                    break
                self.act()
            else:
                raise StuckTableError(f"in state {self.rig.state.value}: {self.rig.waiting_for}")

    def follow(self, state: str, after: int = 0) -> None:
        """Do the next correct action until the table is in this state, in a later round than this one.

        Raises:
            StuckTableError: the table did not get there.
        """
        for _ in range(HOPELESS):
            if str(self.rig.state.value) == state and self.machine.round > after:
                return
            self.step()
        raise StuckTableError(f"the table does not come to {state}; it waits: {self.rig.waiting_for}")

    def act(self) -> None:
        """Do the next correct action, and compare the table's results with the truth."""
        self.step()
        if self.idle >= PATIENCE:
            self.idle = 0
            self.repair()
            self.rig.wait(11)

    def step(self) -> None:
        """The same, without repairs when nothing changes. A prompt that somebody left open is closed first."""
        rig, state = self.rig, self.rig.state
        self._seen.append((state, self.data))
        if rig.table.desk.is_open:
            rig.press("clear")
        act = self.next_act()
        if act.repair:
            self.witness.tally.locks += bool(self.machine.causes)
            self.repair()
        if act.floor is not None:
            self._ask_floor(act.floor, state)
        elif act.press:
            rig.press(*act.press.split())
        elif act.key in self._performs:
            self._performs[act.key](self)
        else:
            rig.wait(5)
        self.idle = self.idle + 1 if (rig.state, self.data) in self._seen else 0
        if self.idle and act.press:
            self.free_keys()
        self.witness.compare(rig)

    def _ask_floor(self, act: str, state: object) -> None:
        """What was to be done in this state, unless a fault changes it while the floorperson turns the key."""
        try:
            self.rig.floor(act)
        except LookupError:
            if self.rig.state == state:
                raise

    # -- what campaigns override -----------------------------------------------------------------------------

    def repair(self) -> None:
        """The technician repairs everything."""
        self.rig.world.repair()

    def free_keys(self) -> None:
        """The screen shows that a key is stuck: the dealer frees it."""
        for keys in self.rig.world.keys:
            keys.repair()

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
        """It has just been thrown."""

    def rested(self) -> None:
        """It has come to rest."""

    # -- chance ----------------------------------------------------------------------------------------------

    def happens(self, rate: float) -> bool:
        """Whether something happens that does so at this rate."""
        return rate > 0.5 if self.newcomer else self.rng.random() < rate

    def goes_wrong(self, rate: float) -> bool:
        """Whether a throw or roll goes wrong that does so at this rate."""
        return self.happens(rate * self._careless)

    def show(self, truth: str) -> None:
        """Dice or cards lie on the table, which the label of a result must name."""
        self.witness.tally.spins += 1
        self.witness.truth = truth

    def roll(self) -> tuple[int, ...]:
        """Roll the dice; those of a newcomer's round stay."""
        if not self.newcomer:
            self.dice = tuple(self.rng.randint(1, 6) for _ in range(3))
            self.show("-".join(map(str, self.dice)))
            self._no_roll = self.goes_wrong(_NOT_FLAT)
        return self.dice

    def no_roll(self) -> bool:
        """Whether the last roll is void, and not called so yet."""
        called, self._no_roll = self._no_roll, False
        return called

    # -- actions of several games ----------------------------------------------------------------------------

    def key_in(self, keys: Sequence[str], keyed: Sequence[str], words: str = "") -> Act:
        """Key in the missing keys of an entry, and enter it if the screen shows all; clear a wrong one."""
        done = len(keyed)
        if list(keyed) != list(keys[:done]):
            return Act(press="clear")
        return Act(words, press=" ".join(keys[done:]) or "enter")

    def key_dice(self, dice: tuple[int, ...], words: str) -> Act:
        return self.key_in([*map(str, dice)], [*map(str, self.data.entry)], words)
