"""How a table comes into each state of its machine: for the fault matrix, and for tests of every game.

A table is new, and its people do the next right thing (:mod:`controller.bench.dealer`) until it comes into the
state. Where it never comes so, somebody does something else on the way: a detour. A game's detours are in its
``ways.py``, or in that of its kind of equipment: ``WAYS`` by state, and ``ABSENT``, which says of states of an
enumeration that games share why one of them may do without. A game without the file needs no detours.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path
from controller.statechart.registry import find_game, part_of

_WORST = 400
"""People act so often at most on a way that chance decides: the rarest state comes within some ten rounds."""


@dataclass(frozen=True)
class Detour:
    """What somebody does in a state, once, in place of the next right thing."""

    state: str
    do: Callable[[Rig], None]


@dataclass(frozen=True)
class Way:
    """How a table comes into a state.

    Attributes:
        detours: one after the other; the state is the one that is come into after the last one has begun.
        acts: how often people act at most.
        seed: of everything random.
    """

    detours: tuple[Detour, ...] = ()
    acts: int = _WORST
    seed: int = 1


def states(game: str) -> tuple[str, ...]:
    """Every state of a game's machine, in the order of its diagram.

    Raises:
        ValueError: a state of the enumeration has no rows at this table, and no ``ABSENT`` says why.
    """
    values, present = _values(game)
    unexplained = [value for value in values if value not in present and value not in _explained(game)]
    if unexplained:
        raise ValueError(f"{game} has no rows for {', '.join(unexplained)}; say why in ABSENT of its ways.py")
    return tuple(value for value in values if value in present)


def absent(game: str) -> dict[str, str]:
    """The states of an enumeration shared with other games that this game's machine does not have; and why."""
    values, present = _values(game)
    return {value: _explained(game).get(value, "") for value in values if value not in present}


def way(game: str, state: str) -> Way:
    """How a table of this game comes into a state; without a detour, its people lead it there."""
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
    """Press these one after the other."""
    return lambda rig: rig.press(*controls)
