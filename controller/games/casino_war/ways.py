"""How a table of Casino War reaches states to which correct actions do not lead."""

from collections.abc import Mapping

from controller.bench.ways import Detour, Way, press

WAYS: Mapping[str, Way] = {
    "correcting": Way((Detour("settling", press("correct")),)),
}
