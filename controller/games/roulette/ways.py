"""How a roulette table reaches states to which correct actions do not lead."""

from collections.abc import Mapping

from controller.bench.rig import Rig
from controller.bench.ways import Detour, Way, press


def _uncalled(rig: Rig) -> None:
    """No more bets is not called."""

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
_WITNESSED = (*_WORKER, Detour("work-credential", press("floor-key")))
_DISPUTED = Way((Detour("bets-open", _read_early),))
WAYS: Mapping[str, Way] = {
    "work": Way((_MENU,)),
    "work-part": Way(_PART),
    "work-credential": Way(_WORKER),
    "work-witness": Way(_WITNESSED),
    "late-call": Way((Detour("bets-open", _uncalled),)),
    "dispute": _DISPUTED,
    "deciding": _DISPUTED,
    "no-spin": Way((Detour("bets-open", press("no-spin")),)),
    "respin": Way((Detour("bets-open", _weak_ball),)),
    "correcting": Way((Detour("result", press("correct")),)),
    "locked": Way((Detour("bets-open", press("no-spin", "5")),)),
}
ABSENT: Mapping[str, str] = {"work-signature": "only in the record of an older version"}
"""States of the enumeration without transitions, each with the reason."""
