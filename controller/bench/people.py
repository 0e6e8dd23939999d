"""What people do at each game's simulated table: the ``BENCH`` of a game's ``bench.py``.

The next correct action in a state is data. The dealer of simulations and of the demonstration performs it; the
bench's page shows it to a newcomer, and does the inspection by it. A game without a ``bench.py`` can be run, and
played by scenarios and on the page, but not simulated.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from controller.machine.game import Game
from controller.machine.registry import part_of

if TYPE_CHECKING:
    from controller.bench.dealer import Dealer
    from controller.bench.demo import Demonstration
    from controller.bench.oracle import Announcement
    from controller.bench.rig import Rig


@dataclass(frozen=True, slots=True)
class Act:
    """The next correct action at a table: of one kind, or to wait.

    Attributes:
        words: one to three sentences for a newcomer; empty for the table's own instruction.
        press: controls that the dealer presses one after the other, with spaces between them.
        floor: what the floorperson chooses after a turn of the key; empty for what the table waits for; None for
            another action.
        key: of the game's ``keys``, for an action at wheel or ball.
        repair: the technician repairs everything first.
    """

    words: str = ""
    press: str = ""
    floor: str | None = None
    key: str = ""
    repair: bool = False


Acts = Mapping[str, Act | Callable[[], Act]]
"""By state: an action, or a function that looks at the table. In any other state people wait."""


StepData = Mapping[str, object]
"""A step (:mod:`controller.bench.steps`) as JSON."""


@dataclass(frozen=True, slots=True)
class HandKey:
    """A key of the bench's page for what hands do at the equipment.

    Attributes:
        reverse: the step of its capital letter: the same in the other direction.
        choices: steps to choose from instead, each with its words.
    """

    key: str
    words: str
    step: StepData = field(default_factory=dict)
    reverse: StepData | None = None
    choices: Mapping[str, StepData] = field(default_factory=dict)


@dataclass(frozen=True)
class BenchGame:
    """A game at its simulated table.

    Attributes:
        acts: the next action in each state. How a table is opened and unlocked need not be among them.
        wrong: compares a result with the simulated hardware once everything is at rest: what is wrong, as text;
            empty if it is true. Arguments: the announced result, the table, and the true dice or cards.
        scenes: rounds of the demonstration, each with its heading and what people do in it. The dealer goes on from
            there, and plays further rounds without a scene.
        performs: how a simulation's dealer does actions at wheel or ball, by their keys; under the empty name,
            how they wait.
        dice: of a newcomer's first round.
        then: what to try after it, in words.
        keys: what hands can do at wheel or ball on the bench's page.
    """

    acts: "Callable[[Dealer], Acts]"
    wrong: "Callable[[Announcement, Rig, str], str]"
    scenes: "tuple[tuple[str, Callable[[Demonstration], None]], ...]" = ()
    performs: "Mapping[str, Callable[[Dealer], None]]" = field(default_factory=dict)
    dice: tuple[int, ...] = ()
    then: str = ""
    keys: "Callable[[Rig], tuple[HandKey, ...]]" = lambda at: ()


def bench_of(game: Game) -> BenchGame | None:
    """The bench part of a game, or None if it has none."""
    found = getattr(part_of(game, "bench"), "BENCH", None)
    return found if isinstance(found, BenchGame) else None
