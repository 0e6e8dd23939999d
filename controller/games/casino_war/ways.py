"""How a table of Casino War comes into states that its people do not lead it into."""

from collections.abc import Mapping

from controller.bench.ways import Detour, Way, press

WAYS: Mapping[str, Way] = {
    "correcting": Way((Detour("settling", press("correct")),)),
}
