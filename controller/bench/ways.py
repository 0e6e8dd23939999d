"""How a table reaches each state of its machine: for the fault matrix, and for tests of every game.

At a new table people do the next correct action (:mod:`controller.bench.dealer`) until it reaches the state. If
that never leads there, a detour replaces one of their actions. A game's detours are in its ``ways.py``, or in that
of its kind of equipment: ``WAYS`` by state, and ``ABSENT``, the reason why a game lacks a state of an enumeration
that it shares. A game without the file needs no detours.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path
from controller.statechart.registry import find_game, part_of

_WORST = 400
"""The most actions on a way with random events: the rarest state is reached within about ten rounds."""


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
        acts: the largest number of actions.
        seed: of everything random.
    """

    detours: tuple[Detour, ...] = ()
    acts: int = _WORST
    seed: int = 1


def states(game: str) -> tuple[str, ...]:
    """Every state of a game's machine, in the order of its diagram.

    Raises:
        ValueError: a state of the enumeration has no transitions at this table, and no ``ABSENT`` explains it.
    """
    values, present = _values(game)
    unexplained = [value for value in values if value not in present and value not in _explained(game)]
    if unexplained:
        raise ValueError(f"{game} has no rows for {', '.join(unexplained)}; say why in ABSENT of its ways.py")
    return tuple(value for value in values if value in present)


def absent(game: str) -> dict[str, str]:
    """The states of a shared enumeration that this game's machine lacks, each with the reason."""
    values, present = _values(game)
    return {value: _explained(game).get(value, "") for value in values if value not in present}


def way(game: str, state: str) -> Way:
    """How a table of this game reaches a state; without detours where people's correct actions lead there."""
    ways: Mapping[str, Way] = getattr(part_of(find_game(game), "ways"), "WAYS", {})
    return ways.get(state, Way())


def _values(game: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The states of the enumeration, and those that the machine of the shipped table has."""
    machine = find_game(game).machine(load_table(table_path(game)).config)
    present = frozenset(str(state.value) for state in machine.states)
    return tuple(str(state.value) for state in type(machine.initial)), present


def _explained(game: str) -> Mapping[str, str]:
    explained: Mapping[str, str] = getattr(part_of(find_game(game), "ways"), "ABSENT", {})
    return explained


def press(*controls: str) -> Callable[[Rig], None]:
    """Press these controls one after another."""

    return lambda rig: rig.press(*controls)
