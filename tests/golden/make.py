"""Records the golden journals anew: ``cd tests && python -m golden.make [GAME ...]``.

Each change of the records' format, or of what a game decides, needs it, in a commit of its own. The same software
records the same journals: all is simulated, with virtual time and chance from a seed.
"""

import logging
import random
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from faulty_dealer import DealerAmongFaults, FaultSettings
from staff import DEALER, FLOOR, SECURITY, staff

from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.events.event import Terms
from controller.limits.proposals import Proposal
from controller.limits.terms import limits_from
from golden.journals import GAMES, table_of, write
from hal.errors import UnknownLineError

SEED, ROUNDS, TRACED = 27, 24, 8
"""``TRACED``: of so many rounds, the last ones, the edges of the sensors are kept."""
SESSION_S = 60
SOMETHING_ELSE = 0.2
"""The share of steps before which people do something else than the next right thing."""
FLOOR_KEY = "floor-key"


class StaffedRig(Rig):
    """A table at which the floorpersons identify in turn, whenever it asks."""

    def __init__(self, game: str, file: Path, seed: int, oracle: Oracle) -> None:
        self.present = (FLOOR, SECURITY)
        config = table_of(game)
        journal = config.journal.model_copy(update={"trace_rounds": TRACED})
        super().__init__(
            config.model_copy(update={"journal": journal}),
            file,
            options={"seed": seed} if config.wheel or config.rotor else None,
            slice_ns=500_000_000,
            listeners=(oracle,),
            staff=staff(SESSION_S),
        )

    def press(self, *controls: str) -> None:
        for control in controls:
            super().press(control)
            if control == FLOOR_KEY and self.prompt.text.code == "key-floorperson-number":
                number, self.present = self.present[0], self.present[::-1]
                super().press(*number, "enter", *(2 * number), "enter")

    def key(self, *controls: str) -> None:
        """Press controls, and nobody identifies."""
        super().press(*controls)


class People(DealerAmongFaults):
    """They play among faults, and now and then do something else than the next right thing."""

    def __init__(self, rig: StaffedRig, seed: int, oracle: Oracle) -> None:
        super().__init__(rig, random.Random(seed), oracle, FaultSettings(rate=0.15, repaired=0.2))
        self.table: StaffedRig = rig
        self._due: list[Callable[[], None]] = []

    def step(self) -> None:
        if self.rng.random() < SOMETHING_ELSE:
            if not self._due:
                self._due = [self._keys, self._keys, *[self._menu] * 4, self._power, self._power, self._cabinet]
                self._due += [self._wait, self._wrong_pin, self._forgotten, self._limits, self._log_on]
                self.rng.shuffle(self._due)
            self._due.pop()()
        super().step()

    def _keys(self) -> None:
        """Any keys, among them those that correct or abort."""
        controls = [control for keys in self.table.world.keys for control in keys.controls]
        self.table.press(*self.rng.choices(controls, k=self.rng.randint(1, 4)))

    def _menu(self) -> None:
        """Something that can be chosen in the floor menu; sometimes the power is cut before it is confirmed."""
        self.table.press(FLOOR_KEY)
        while entries := [entry for entry in self.table.table.desk.entries if not entry.unavailable]:
            before = self.table.table.desk.entries
            self.table.press(self.rng.choice(entries).key)
            if self.table.table.desk.entries == before:
                break
        if self.rng.random() < 0.2:
            self.table.power_cut()
        self.table.press(FLOOR_KEY if self.rng.random() < 0.8 else "clear")

    def _power(self) -> None:
        """The power is cut; once in a while for long, and somebody opens the cabinet."""
        self.table.power_cut(self.rng.choice((5, 5, 5, 3600)), self.rng.choice(((), (), ("cabinet",))))

    def _wait(self) -> None:
        self.table.wait(self.rng.choice((2, 70, 3700, 24 * 3600 + 60)))

    def _wrong_pin(self) -> None:
        """A wrong PIN, a turn of the key too early, an unknown number."""
        self.table.wait(SESSION_S + 35)
        self.table.key(FLOOR_KEY, *FLOOR, "enter", *SECURITY, "enter", FLOOR_KEY)
        self.table.wait(5)
        self.table.key(FLOOR_KEY, *"99", "enter", *FLOOR, "enter")
        self.table.wait(9)

    def _forgotten(self) -> None:
        """A prompt is left open, and keyed on once it is dark."""
        self.table.wait(SESSION_S + 35)
        self.table.key(FLOOR_KEY, *FLOOR[:2])
        self.table.wait(31)
        self.table.key(*FLOOR[2:], "enter")

    def _limits(self) -> None:
        """Limits are proposed, where they may be, and confirmed."""
        higher: Proposal = Proposal(Terms(limits_from("10", "1000", "", "$")), minutes=30)
        with suppress(ValueError, LookupError):
            self.table.table.sign.propose(self.rng.choice((higher, higher, Proposal(None))))
            self.table.floor("limits", "confirm-limits")
        self.table.wait(35 * 60)

    def _log_on(self) -> None:
        with suppress(UnknownLineError):  # Not every table has the key.
            self.table.log_on(self.rng.choice((DEALER, "7", "")))

    def _cabinet(self) -> None:
        """Door or cabinet is opened, or the supply is too low, for a while."""
        contact = self.rng.choice(("door", "cabinet", ""))
        self.table.world.fault("opened", contact) if contact else self.table.world.fault("supply-low")
        self.table.wait(6)
        self.table.press(FLOOR_KEY, "clear")
        self.table.world.repair()
        self.table.wait(6)


def main(words: Sequence[str]) -> int:
    logging.disable(logging.CRITICAL)  # Faults on purpose.
    for game in words or GAMES:
        oracle, seed = Oracle(), SEED + GAMES.index(game)
        with TemporaryDirectory() as folder:
            rig = StaffedRig(game, file := Path(folder, "table.journal"), seed, oracle)
            People(rig, seed, oracle).play(ROUNDS)
            rig.close()
            for written in write(game, file):
                print(f"{written.name}: {written.stat().st_size // 1000} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
