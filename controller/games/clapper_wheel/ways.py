"""How a table on a wheel with a clapper reaches states to which correct actions do not lead."""

from collections.abc import Mapping

from controller.bench.rig import Rig
from controller.bench.ways import Detour, Way, press

ABSENT: Mapping[str, str] = {"bonus": "no section of this wheel multiplies"}
"""States that a game on such a wheel may lack, each with the reason."""


def _unplugged(rig: Rig) -> None:
    """The sensor head loses its cable while the wheel turns, and gets it back."""
    rig.spin(3.5, rest=False)
    rig.wait(3)
    rig.world.fault("unplugged")
    rig.rest()
    rig.wait(3)
    rig.world.repair()


def _thrown_early(rig: Rig) -> None:
    """The wheel is thrown while wagers are open."""
    rig.spin(3.5, stop_on=10)


_LOCKED = Way((Detour("no-more-bets", _unplugged),))
WAYS: Mapping[str, Way] = {
    "confirming": _LOCKED,
    "void-spin": Way((Detour("bets-open", _thrown_early),)),
    "respin": Way((Detour("no-more-bets", lambda rig: rig.spin(1.5, stop_on=10)),)),
    "bonus": Way((Detour("no-more-bets", lambda rig: rig.spin(3.2, stop_on="2x")),)),
    "late-no-spin": Way((Detour("result", press("no-spin")),)),
    "locked": _LOCKED,
}
