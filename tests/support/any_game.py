"""Any registered game at its shipped table: its possible rules, rounds of it, and random actions."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Literal, get_args, get_origin

from faulty_dealer import DealerAmongFaults, FaultSettings
from lamps_by_hand import winning_lamps
from pydantic import ValidationError
from pydantic.fields import FieldInfo
from screen_table import SLICE_NS, Screens, screens_of

from config.schema import TableConfig
from controller.bench.dealer import HOPELESS, Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.bench.simulate import logged_failures
from controller.configuration.shipped import load_table, table_path
from controller.events.effect import Effect, Light
from controller.events.event import Direction
from controller.journal.record import RecordedDecision
from controller.machine.game import Game
from controller.machine.registry import find_game

OPEN = "bets-open"
"""The state in which wagers are placed, in every game."""
MOST_VALUES = 20
"""A rule with more values than these is left as the shipped table has it."""
MOST_ROUNDS = 3000


def shipped_table(name: str) -> TableConfig:
    """The shipped table of a game."""
    return load_table(table_path(name)).config


# -- rules -----------------------------------------------------------------------------------------------------


def variants(game: Game, config: TableConfig) -> list[Mapping[str, object]]:
    """The rules of the shipped table, and every other choice of those that have few values."""
    if game.rules is None:
        return [config.rules]
    choices = {name: values for name, info in game.rules.model_fields.items() if (values := _values(info))}
    found = [{**config.rules, **dict(zip(choices, chosen, strict=True))} for chosen in product(*choices.values())]
    return [config.rules, *(rules for rules in found if _allowed(game, rules))]


def _values(info: FieldInfo) -> tuple[object, ...]:
    if get_origin(info.annotation) is Literal:
        return get_args(info.annotation)
    if info.annotation is bool:
        return (False, True)
    least = next((bound.ge for bound in info.metadata if hasattr(bound, "ge")), None)
    most = next((bound.le for bound in info.metadata if hasattr(bound, "le")), None)
    if info.annotation is int and least is not None and most is not None and most - least < MOST_VALUES:
        return tuple(range(least, most + 1))
    return ()


def _allowed(game: Game, rules: Mapping[str, object]) -> bool:
    assert game.rules is not None
    try:
        game.rules.model_validate(rules)
    except ValidationError:
        return False
    return True


# -- rounds ----------------------------------------------------------------------------------------------------


@dataclass
class Played:
    """What was seen of some rounds of a game."""

    config: TableConfig
    lit: set[str] = field(default_factory=set)
    """Every lamp that was lit."""
    effects: list[Effect] = field(default_factory=list)

    def __call__(self, recorded: RecordedDecision) -> None:
        for effect in recorded.record.effects:
            self.effects.append(effect)
            if isinstance(effect, Light):
                self.lit.update(effect.areas)


def played(name: str, lamps_to_see: frozenset[str]) -> Played:
    """Rounds of a game, until each of these lamps was lit, or for a limited number of rounds."""
    config, oracle = shipped_table(name), Oracle()
    seen = Played(config)
    rig = Rig(config, options={"seed": 1}, listeners=(oracle, seen))
    dealer = Dealer(rig, random.Random(1), oracle)
    while oracle.tally.rounds < MOST_ROUNDS and not lamps_to_see <= seen.lit:
        dealer.play(50)
    rig.table.stop()
    rig.journal.close()
    return seen


# -- random actions --------------------------------------------------------------------------------------------


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
        self.rig = Rig(shipped_table(name), options={"seed": seed}, slice_ns=SLICE_NS, listeners=(self.oracle,))
        self.screens: Screens = screens_of(self.rig)
        self.left: set[str] = set()
        self._dealer = DealerAmongFaults(self.rig, self.chance, self.oracle, FaultSettings())

    def go(self, acts: int) -> list[str]:
        """Act so often; returns the failures of the controller's code.

        Raises:
            AssertionError: a picture says what is not on record, a wheel's result is wrong, or wagers cannot be
                opened again.
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
        assert {*self.rig.machine.lit} <= winning_lamps(self.rig), self.rig.waiting_for

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
