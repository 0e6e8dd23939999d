"""What people do at each game's simulated table, and what the bench shows of it.

A game's module here has the game's name, or that of its equipment if it shares everything with others: ``wheel``,
``dice``. Each defines ``BENCH``. A game without one can be run and played by scenarios, but not simulated.
"""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from controller.statechart.game import Game

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
    equipment = "wheel" if game.wheel else "dice" if game.dice else ""
    for name in filter(None, (game.name.replace("-", "_"), equipment)):
        module = f"{__name__}.{name}"
        try:
            found = importlib.import_module(module).BENCH
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
            continue
        assert isinstance(found, BenchGame)
        return found
    return None
