"""The people at a simulated table: a dealer and a floorperson who do the next right thing, whatever state it is in.

Used by statistics, fault campaigns and tests. They act on the simulated hardware only and read what the screen
says; the floorperson, who stands beside the wheel, also sees where it truly stands.
"""

import random
from collections.abc import Callable

from controller.bench.rig import Rig
from controller.bench.witness import Witness
from controller.facts import Direction
from controller.games.wheel_rules import WheelData

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
    """

    def __init__(
        self,
        rig: Rig,
        rng: random.Random,
        witness: Witness,
        revolutions: tuple[float, float] = (2.95, 4.3),
        no_rolls: float = 0.01,
    ) -> None:
        self.rig = rig
        self.rng = rng
        self.witness = witness
        self._revolutions = revolutions
        self._no_rolls = no_rolls
        self._idle = 0
        self._acts = self._by_state()

    def _by_state(self) -> dict[str, Callable[[], None]]:
        """What to do in each state."""
        return {
            "locating": self._locate,
            "confirming": self._confirm,
            "bets-open": lambda: self.rig.press("no-more-bets"),
            **dict.fromkeys(("no-more-bets", "respin", "bonus"), self.throw),
            **dict.fromkeys(("spinning", "void-spin"), lambda: self.rig.wait(5)),
            **dict.fromkeys(("result", "losers-collected"), lambda: self.rig.press("done")),
            "winners-paid": lambda: self.rig.press("clear"),
            "locked": self._unlock,
            "closed": self._open,
            **dict.fromkeys(("dice-due", "malfunction"), lambda: self.rig.press("floor-key")),
            "floor-menu": self._menu,
            "inspector": self._identify,
            "inspection-entry": self._key_dice,
            "inspection-lit": lambda: self.rig.press("floor-key"),
            "inspection-shaker": self._shake,
            "shaking": self._shake_or_key,
            "entry": self._key_dice,
            "correcting": lambda: self.rig.press("floor-key"),
        }

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
        self._acts[str(self.rig.state.value)]()
        self.witness.compare(self.rig)
        self._idle = self._idle + 1 if before == (self.rig.state, self.rig.machine.data) else 0
        if self._idle >= PATIENCE:
            self._idle = 0
            self.rig.world.mend()
            self.rig.wait(11)

    # -- wheel ---------------------------------------------------------------------------------------------

    def throw(self) -> None:
        """Throw the wheel one way or the other, now and then too weakly, and wait until it stands."""
        self.witness.tally.spins += 1
        self.rig.spin(self.rng.uniform(*self._revolutions), self.rng.choice(list(Direction)), rest=False)
        self.thrown()
        self.rig.rest()

    def thrown(self) -> None:
        """The wheel has just been thrown: for whoever wants to interfere."""

    def _locate(self) -> None:
        turns = 2.3 if self.rig.machine.data.confirm else 1.2
        self.rig.turn(turns + self.rng.random(), seconds=4 * turns)

    def _unlock(self) -> None:
        self.witness.tally.locks += 1
        self.rig.world.mend()
        self.rig.press("floor-key")

    def _confirm(self) -> None:
        """The floorperson compares what the screen says with the wheel, and turns the key only if they agree."""
        data = self.rig.machine.data
        assert isinstance(data, WheelData)
        section, bent = self.rig.world.wheel.true_stand()
        if data.section == (None if bent else section):
            self.rig.press("floor-key")
        else:
            self.rig.world.mend()
            self._locate()

    # -- dice ----------------------------------------------------------------------------------------------

    def _open(self) -> None:
        if self.rig.machine.data.cause:
            self._unlock()
        else:
            self.rig.press("floor-key")

    def _menu(self) -> None:
        """New dice if there are none that may be used, then the inspection."""
        data = self.rig.machine.data
        fresh = data.fitted_utc_ns > 0 and not data.retired
        self.rig.press("1" if fresh else "2")

    def _identify(self) -> None:
        self.rig.press(*(["enter"] if self.rig.machine.data.number else "4711"))

    def _shake(self) -> None:
        self.rig.press("floor-key" if self.rig.machine.data.cycled else "shaker-done")

    def _shake_or_key(self) -> None:
        self._roll()
        if self.rng.random() < self._no_rolls:
            self.rig.press("no-roll")
        elif self.rig.machine.data.automated:
            self.rig.press("shaker-done")
        else:
            self._key_dice()

    def _roll(self) -> None:
        self.witness.tally.spins += 1
        self.witness.dice = tuple(self.rng.randint(1, 6) for _ in range(3))

    def _key_dice(self) -> None:
        """Key what is missing; wipe an entry that went wrong."""
        entry = self.rig.machine.data.entry
        dice = self.witness.dice or (1, 2, 3)
        if entry != dice[: len(entry)]:
            self.rig.press("clear")
        else:
            self.rig.press(*map(str, dice[len(entry) :]), "enter")
