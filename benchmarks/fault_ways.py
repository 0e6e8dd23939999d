"""How a table comes into each state of its machine, for the fault matrix.

A table is new, and its people do the next right thing (:mod:`controller.bench.dealer`) until it comes into the
state. Where it never comes so, somebody does something else on the way: a detour.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path
from controller.statechart.registry import find_game
from controller.tracking.keys import STUCK_NS

_NS_PER_S = 1_000_000_000
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
        ValueError: a state of the enumeration has no rows at this table, and :data:`ABSENT` does not say why.
    """
    machine = find_game(game).machine(load_table(table_path(game)).config)
    values = tuple(str(state.value) for state in type(machine.initial))
    present = {str(state.value) for state in machine.states}
    unexplained = [value for value in values if value not in present and (game, value) not in ABSENT]
    if unexplained:
        raise ValueError(f"{game} has no rows for {', '.join(unexplained)}; say why in ABSENT")
    return tuple(value for value in values if value in present)


def way(game: str, state: str) -> Way:
    """How a table of this game comes into a state; where nothing else is known, its people lead it there."""
    return _WAYS.get(game, {}).get(state, Way())


ABSENT: Mapping[tuple[str, str], str] = {
    ("big-six", "bonus"): "no section of this wheel multiplies",
}
"""States of an enumeration that a game shares with others, which its machine does not have; and why."""


# -- a wheel with a clapper --------------------------------------------------------------------------------------


def press(*controls: str) -> Callable[[Rig], None]:
    """Press these one after the other."""
    return lambda rig: rig.press(*controls)


def _held(rig: Rig) -> None:
    """Somebody grabs the turning wheel."""
    rig.spin(3.5, rest=False)
    rig.wait(3)
    rig.world.wheel.halt()
    rig.wait(3)


def _thrown_early(rig: Rig) -> None:
    """The wheel is thrown while wagers are open."""
    rig.spin(3.5, stop_on=10)


_GRABBED = Way((Detour("no-more-bets", _held),))
_WHEEL: Mapping[str, Way] = {
    "confirming": _GRABBED,
    "void-spin": Way((Detour("bets-open", _thrown_early),)),
    "respin": Way((Detour("no-more-bets", lambda rig: rig.spin(1.5, stop_on=10)),)),
    "bonus": Way((Detour("no-more-bets", lambda rig: rig.spin(3.2, stop_on="2x")),)),
    "locked": _GRABBED,
}

# -- roulette ----------------------------------------------------------------------------------------------------


def _uncalled(rig: Rig) -> None:
    """Nobody calls no more bets."""
    rig.turn_rotor()
    rig.throw_ball()


def _weak_ball(rig: Rig) -> None:
    rig.turn_rotor()
    rig.throw_ball(2.5)


def _read_early(rig: Rig) -> None:
    """The reader names a pocket while the ball is in the track."""
    rig.turn_rotor()
    rig.throw_ball(rest=False)
    rig.wait(3)
    rig.press("no-more-bets")
    rig.world.reader.say("0")
    rig.ball_rest()


_MENU = Detour("closed", press("floor-key", "2"))
_PART = (_MENU, Detour("work", press("1")))
_WORKER = (*_PART, Detour("work-part", press("2")))
_NUMBERED = (*_WORKER, Detour("work-credential", press("7", "enter")))
_SIGNING = (*_NUMBERED, Detour("work-witness", press("8", "enter")))
_DISPUTED = Way((Detour("bets-open", _read_early),))
_ROULETTE: Mapping[str, Way] = {
    "work": Way((_MENU,)),
    "work-part": Way(_PART),
    "work-credential": Way(_WORKER),
    "work-witness": Way(_NUMBERED),
    "work-signature": Way(_SIGNING),
    "late-call": Way((Detour("bets-open", _uncalled),)),
    "dispute": _DISPUTED,
    "deciding": _DISPUTED,
    "no-spin": Way((Detour("bets-open", press("no-spin")),)),
    "respin": Way((Detour("bets-open", _weak_ball),)),
    "correcting": Way((Detour("result", press("correct")),)),
    "locked": Way((Detour("bets-open", press("no-spin", "5")),)),
}

# -- dice and cards ----------------------------------------------------------------------------------------------


def _key_sticks(rig: Rig) -> None:
    """A key sticks, is told, and is freed in the same moment."""
    keys = rig.world.keys[0]
    keys.stick("0")
    rig.wait(STUCK_NS / _NS_PER_S)
    keys.mend()
    rig.wait(1)


_CORRECTED = Way((Detour("result", press("correct")),))
_SIC_BO: Mapping[str, Way] = {
    "inspection-shaker": Way((Detour("floor-menu", press("4")),)),
    "dice-due": Way((Detour("bets-open", lambda rig: rig.wait(24 * 3600 + 60)),)),
    "correcting": _CORRECTED,
    "malfunction": Way((Detour("shaking", _key_sticks),)),
}
_FOOTBALL: Mapping[str, Way] = {
    "no-roll": Way((Detour("throw", press("no-roll")),)),
    "correcting": Way((Detour("settling", press("correct")),)),
}
_WAR: Mapping[str, Way] = {
    "correcting": Way((Detour("settling", press("correct")),)),
}
_WAYS: Mapping[str, Mapping[str, Way]] = {
    "dreamcatcher": _WHEEL,
    "big-six": _WHEEL,
    "roulette": _ROULETTE,
    "sic-bo": _SIC_BO,
    "three-dice-football": _FOOTBALL,
    "casino-war": _WAR,
}
