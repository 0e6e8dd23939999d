"""How a table of Three Dice Football reaches states to which correct actions do not lead."""

from collections.abc import Mapping

from controller.bench.ways import Detour, Way, press

WAYS: Mapping[str, Way] = {
    "position": Way((Detour("bets-open", press("correct")),)),
    "no-roll": Way((Detour("throw", press("no-roll")),)),
    "correcting": Way((Detour("settling", press("correct")),)),
}
