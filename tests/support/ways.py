"""How a table reaches each state of its machine: for the fault matrix, and for tests of every game.

At a new table people do the next correct action (:mod:`controller.bench.dealer`) until it reaches the state. If
that never leads there, a detour replaces one of their actions.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from steps import act

from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.configuration.machines import table_machine
from controller.configuration.shipped import load_table, table_path
from controller.machine.registry import find_game
from controller.table.keys import STUCK_NS


@dataclass(frozen=True)
class Detour:
    """An action that once replaces the next correct one in a state."""

    state: str
    do: Callable[[Rig], None]


@dataclass(frozen=True)
class Way:
    """How a table reaches a state.

    Attributes:
        detours: in order; the state counts as reached only after the last one has begun.
        acts: the largest number of actions: the rarest state is reached within about ten rounds.
        seed: of everything random.
    """

    detours: tuple[Detour, ...] = ()
    acts: int = 400
    seed: int = 1


class CellDealer(Dealer):
    """People who take the detours of a way, throw well, and let a fault be until it is time to repair it."""

    def __init__(self, rig: Rig, witness: Oracle, way: Way) -> None:
        super().__init__(rig, random.Random(way.seed), witness, careless=0)
        self.detours = list(way.detours)
        self.repairs = True
        """What was broken before the fault struck is repaired already."""

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
        if self.repairs:
            super().repair()

    def free_keys(self) -> None:
        if self.repairs:
            super().free_keys()


def states(name: str) -> tuple[str, ...]:
    """Every state of a game's machine at its shipped table."""
    machine = table_machine(find_game(name), load_table(table_path(name)).config)
    return tuple(str(state.value) for state in machine.states)


def way(name: str, state: str) -> Way:
    """How a table of this game reaches a state; without detours where people's correct actions lead there."""
    game = find_game(name)
    return WAYS.get(game.equipment or name, {}).get(state, Way())


def _doing(steps: str) -> Callable[[Rig], None]:
    """Steps as in :func:`steps.act`."""
    return lambda rig: act(rig, steps)


def _once(state: str, do: Callable[[Rig], None]) -> Way:
    """By an action in a state."""
    return Way((Detour(state, do),))


def _unplugged(rig: Rig) -> None:
    """The sensor head loses its cable while the wheel turns, and gets it back."""
    rig.spin(3.5, rest=False)
    rig.wait(3)
    rig.world.fault("unplugged")
    rig.rest()
    rig.wait(3)
    rig.world.repair()


def _key_sticks(rig: Rig) -> None:
    """A key sticks, is reported, and is freed at once."""
    keys = rig.world.keys[0]
    keys.set("0", True)
    rig.wait(STUCK_NS / 1e9)
    keys.repair()
    rig.wait(1)


def _ball(turns: float = 9) -> Callable[[Rig], None]:
    """A ball whose call does not come, or that is thrown weakly."""

    def throw(rig: Rig) -> None:
        rig.turn_rotor()
        rig.throw_ball(turns)

    return throw


def _read_early(rig: Rig) -> None:
    """The reader names a pocket while the ball is in the track."""
    rig.turn_rotor()
    rig.throw_ball(rest=False)
    rig.wait(3)
    rig.press("no-more-bets")
    rig.world.reader.say("0")
    rig.ball_rest()


def _spun(revolutions: float = 3.5, again: bool = False) -> Callable[[Rig], None]:
    """A spin onto a section that gives another spin, or onto one that does not, whatever the wheel calls it."""

    def spin(rig: Rig) -> None:
        rounds = rig.machine.rounds
        rig.spin(revolutions, stop_on=next(one for one in rounds.order if (one in rounds.again) is again))

    return spin


_LOCKED = _once("no-more-bets", _unplugged)
_DISPUTED = _once("bets-open", _read_early)
_DUE = _once("bets-open", _doing("day"))
_AUTOMATED = Detour("closed", _doing("floor shaker-installed"))
WAYS: Mapping[str, Mapping[str, Way]] = {
    "clapper_wheel": {
        "closed": _once("bets-open", _doing("floor close")),
        "locked": _LOCKED,
        "confirming": _LOCKED,
        "void-spin": _once("bets-open", _spun()),
        "respin": _once("no-more-bets", _spun(1.5)),
        "bonus": _once("no-more-bets", _spun(again=True)),
    },
    "dice": {
        "inspection-key": _once("shaking", _key_sticks),
        "inspection-shaker": Way((_AUTOMATED,)),
        "toss-in-doubt": Way((_AUTOMATED, Detour("shaking", lambda rig: rig.power_cut()))),
        "malfunction": _once("shaking", _key_sticks),
        "equipment-due": _DUE,
        "locked": _once("shaking", _doing("off")),
    },
    "three-dice-football": {
        "position": _once("bets-open", _doing("correct")),
        "equipment-due": _DUE,
        "locked": _once("throw", _doing("3 4 2 off")),
    },
    "roulette": {
        "work-witness": _once("closed", _doing("floor log-replacement replacement-of-the-ball")),
        "late-call": _once("bets-open", _ball()),
        "dispute": _DISPUTED,
        "deciding": _DISPUTED,
        "respin": _once("bets-open", _ball(2.5)),
        "locked": Way((Detour("bets-open", _ball()), Detour("late-call", _doing("off")))),
    },
    "casino-war": {"equipment-due": _DUE, "locked": _once("deal", _doing("off"))},
}
"""By game, or kind of equipment, and state."""
