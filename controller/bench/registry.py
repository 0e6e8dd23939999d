"""What people do at each game's simulated table, and what the bench shows of it: the ``BENCH`` of a game's
``bench.py``.

A game without one can be run and played by scenarios, but not simulated.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from controller.statechart.game import Game
from controller.statechart.registry import part_of

if TYPE_CHECKING:
    from controller.bench.dealer import Dealer
    from controller.bench.oracle import Announcement
    from controller.bench.rig import Rig
    from controller.bench.terminal.view import View
    from controller.bench.transcript import Transcript

Acts = Mapping[str, Callable[[], None]]
"""The next right thing to do, by state."""


@dataclass(frozen=True)
class BenchGame:
    """A game at its simulated table.

    Attributes:
        hands: what a dealer does in each state.
        demo: ten rounds of the demonstration.
        view: how the bench shows the game; a function, for views need rich and simulations do not.
        wrong: what is wrong with a result, in words, seen from beside the table once everything stands; empty if
            it is true. Given what the table said, the table, and the dice or cards that lie there.
    """

    hands: "Callable[[Dealer], Acts]"
    demo: "Callable[[Transcript], None]"
    view: "Callable[[], View]"
    wrong: "Callable[[Announcement, Rig, str], str]"


def bench_of(game: Game) -> BenchGame | None:
    """The bench's side of a game, or None if it has none yet."""
    found = getattr(part_of(game, "bench"), "BENCH", None)
    return found if isinstance(found, BenchGame) else None
