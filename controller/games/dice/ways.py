"""How a table with keyed-in dice reaches states to which correct actions do not lead."""

from collections.abc import Mapping

from controller.bench.rig import Rig
from controller.bench.ways import Detour, Way, press
from controller.tracking.keys import STUCK_NS

_NS_PER_S = 1_000_000_000


def _key_sticks(rig: Rig) -> None:
    """A key sticks, is reported, and is freed at once."""
    keys = rig.world.keys[0]
    keys.stick("0")
    rig.wait(STUCK_NS / _NS_PER_S)
    keys.repair()
    rig.wait(1)


WAYS: Mapping[str, Way] = {
    "inspection-key": Way((Detour("shaking", _key_sticks),)),
    "inspection-shaker": Way((Detour("floor-menu", press("4")),)),
    "dice-due": Way((Detour("bets-open", lambda rig: rig.wait(24 * 3600 + 60)),)),
    "correcting": Way((Detour("result", press("correct")),)),
    "no-roll": Way((Detour("shaking", press("no-roll")),)),
    "voiding": Way((Detour("result", press("no-roll", "1")),)),
    "toss-in-doubt": Way((Detour("floor-menu", press("4")), Detour("entry", press("shaker-done")))),
    "malfunction": Way((Detour("shaking", _key_sticks),)),
}
