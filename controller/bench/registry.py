"""What people do at each game's simulated table: the ``BENCH`` of a game's ``bench.py``.

A game without one can be run, and played by scenarios and on the bench's page, but not simulated.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from controller.machine.game import Game
from controller.machine.registry import part_of

if TYPE_CHECKING:
    from controller.bench.dealer import Dealer
    from controller.bench.demo import Demonstration
    from controller.bench.guide import GameGuide
    from controller.bench.keys import Binding
    from controller.bench.oracle import Announcement
    from controller.bench.rig import Rig

Acts = Mapping[str, Callable[[], None]]
"""The next correct action of the people at the table, by state."""


@dataclass(frozen=True)
class BenchGame:
    """A game at its simulated table.

    Attributes:
        hands: what a dealer does in each state.
        wrong: compares a result with the simulated hardware once everything is at rest: what is wrong, as text;
            empty if it is true. Arguments: the announced result, the table, and the true dice or cards.
        scenes: rounds of the demonstration, each with its heading and what people do in it. The dealer goes on from
            there, and plays further rounds without a scene.
        guide: the first round on the bench's page, or None.
        keys: of the bench's page, in addition to those of the table's own controls.
    """

    hands: "Callable[[Dealer], Acts]"
    wrong: "Callable[[Announcement, Rig, str], str]"
    scenes: "tuple[tuple[str, Callable[[Demonstration], None]], ...]" = ()
    guide: "GameGuide | None" = None
    keys: "tuple[Binding, ...]" = ()


def bench_of(game: Game) -> BenchGame | None:
    """The bench part of a game, or None if it has none."""
    found = getattr(part_of(game, "bench"), "BENCH", None)
    return found if isinstance(found, BenchGame) else None
