"""Any registered game at its shipped table, and random actions there."""

import random
from collections.abc import Iterator
from typing import Any

from faulty_dealer import DealerAmongFaults, FaultSettings
from screen_table import SLICE_NS, Screens, screens_of

from config.schema import TableConfig
from controller.bench.dealer import HOPELESS, Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.bench.simulate import logged_failures
from controller.configuration.shipped import load_table, table_path
from controller.events.effect import Result, RoundOpened, withdraws
from controller.events.event import Direction
from controller.journal.record import RecordedDecision
from controller.machine.registry import find_game

OPEN = "bets-open"
"""The state in which wagers are placed, in every game."""


def shipped_table(name: str) -> TableConfig:
    """The shipped table of a game."""
    return load_table(table_path(name)).config


def controls(rig: Rig) -> list[str]:
    """Every key, button and switch of a table."""
    return [*(control for keys in rig.world.keys for control in keys.controls), *rig.world.switches.controls]


def back_to_open(rig: Rig, oracle: Oracle, chance: random.Random) -> None:
    """Everything is repaired, and people do what the table asks, until wagers are open again.

    Raises:
        AssertionError: they are not, however long people go on.
    """
    left, dealer = str(rig.state.value), Dealer(rig, chance, oracle, careless=0)
    rig.world.repair()
    for _ in range(HOPELESS):
        if str(rig.state.value) == OPEN:
            return
        dealer.act()
    raise AssertionError(f"{left} leads to {rig.state.value} and not to {OPEN}: {rig.waiting_for}")


class Walk:
    """People who do the right thing, anything else, and break things, at a table whose screens are looked at.

    Attributes:
        left: each state from which wagers were opened again.
    """

    def __init__(self, name: str, seed: int) -> None:
        self.chance, self.oracle = random.Random(seed), Oracle()
        self._result: Result | None = None
        listeners = (self.oracle, self._decided)
        self.rig = Rig(shipped_table(name), options={"seed": seed}, slice_ns=SLICE_NS, listeners=listeners)
        self.screens: Screens = screens_of(self.rig)
        self.left: set[str] = set()
        self._dealer = DealerAmongFaults(self.rig, self.chance, self.oracle, FaultSettings())

    def go(self, acts: int) -> list[str]:
        """Act so often; returns the failures of the controller's code.

        Raises:
            AssertionError: a picture says what is not on record, a lamp burns without a result, a wheel's result is
                wrong, or wagers cannot be opened again.
        """
        with logged_failures() as failures:
            for _ in range(acts):
                self._act()
                state = str(self.rig.state.value)
                if state not in self.left:
                    self.left.add(state)
                    back_to_open(self.rig, self.oracle, self.chance)
        assert not (self.rig.game.wheel and self.oracle.tally.wrong), self.oracle.tally.wrong
        self.rig.table.stop()
        return failures

    def _act(self) -> None:
        what = self.chance.random()
        if what < 0.4:
            self._dealer.act()
        elif what < 0.85:
            self.rig.press(*self.chance.choices(controls(self.rig), k=self.chance.randint(1, 4)))
        elif what < 0.97:
            self.chance.choice(list(self._strays()))()
        else:
            self.screens.power_cut()
            self.screens.same_as_recalled()
        rounds = self.rig.machine.rounds
        if not str(rounds.state.value).startswith("inspection-"):
            assert {*self.rig.machine.lit} <= {*self.rig.game.indicators, *self._decides()}, self.rig.waiting_for

    def _decided(self, recorded: RecordedDecision) -> None:
        effects = recorded.record.effects
        if withdraws(effects) or any(isinstance(one, RoundOpened) for one in effects):
            self._result = None
        self._result = next((one for one in effects if isinstance(one, Result)), self._result)

    def _decides(self) -> Iterator[str]:
        """The lamps that the result on record may light: of its wins, and in Casino War of all that it decides."""
        if self._result is not None:
            yield from (win.area for win in self._result.wins)
            yield from (f"{area}-{how}" for area in self._result.decided for how in ("won", "lost", "tied"))

    def _strays(self) -> Iterator[Any]:
        """What people do with the equipment at the wrong time, and time that passes."""
        rig, direction = self.rig, self.chance.choice(list(Direction))
        yield lambda: rig.wait(self.chance.choice((1, 60, 3600, 25 * 3600)))
        if find_game(rig.config.game).wheel:
            yield lambda: rig.spin(self.chance.uniform(0.5, 4), direction)
            yield lambda: rig.spin(self.chance.uniform(0.5, 4), direction, rest=False)
        elif rig.config.rotor is not None:
            yield rig.turn_rotor
            yield lambda: rig.throw_ball(self.chance.uniform(1, 10), with_rotor=self.chance.random() < 0.3)
