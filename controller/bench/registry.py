"""What people do at each game's simulated table: the ``BENCH`` of a game's ``bench.py``.

A game without one can be run, and played by scenarios and on the bench's page, but not simulated.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from controller.machine.game import Game
from controller.machine.registry import part_of

if TYPE_CHECKING:
    from controller.bench.dealer import Dealer
    from controller.bench.demo import Demonstration
    from controller.bench.keys import Binding
    from controller.bench.live import LiveBench
    from controller.bench.oracle import Announcement
    from controller.bench.rig import Rig

Acts = Mapping[str, Callable[[], None]]
"""The next correct action of the people at the table, by state."""


@dataclass(frozen=True, slots=True)
class GuideStep:
    """What to do next on the bench's page.

    Attributes:
        words: one to three sentences; empty for the table's own instruction.
        control: the control of the table that is pressed; empty for none.
        key: the bench's key that is pressed, as for a throw; empty for none. Without either one waits.
    """

    words: str = ""
    control: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class GameGuide:
    """The first round on the bench's page, step by step.

    Attributes:
        steps: by state: only words, where what people press is in ``presses``; or a function that looks at the
            table. Any other state has the table's own instruction.
        then: what to try after it, in words.
        inspection: the states before wagers open, in which the steps are done for people who ask for it.
    """

    steps: "Mapping[str, str | GuideStep | Callable[[LiveBench], GuideStep]]"
    then: str
    inspection: Sequence[str] = ("closed",)


@dataclass(frozen=True)
class BenchGame:
    """A game at its simulated table.

    Attributes:
        presses: the states in which one press is the next correct action.
        hands: what a dealer does in all others. How a table is opened and unlocked need not be among them.
        wrong: compares a result with the simulated hardware once everything is at rest: what is wrong, as text;
            empty if it is true. Arguments: the announced result, the table, and the true dice or cards.
        scenes: rounds of the demonstration, each with its heading and what people do in it. The dealer goes on from
            there, and plays further rounds without a scene.
        keys: of the bench's page, in addition to those of the table's own controls.
    """

    presses: Mapping[str, str]
    hands: "Callable[[Dealer], Acts]"
    wrong: "Callable[[Announcement, Rig, str], str]"
    scenes: "tuple[tuple[str, Callable[[Demonstration], None]], ...]" = ()
    guide: GameGuide | None = None
    keys: "tuple[Binding, ...]" = ()

    def next_step(self, bench: "LiveBench") -> GuideStep | None:
        """What to do now; what to try, once a round has been settled; None without a guide."""
        if self.guide is None:
            return None
        if bench.table.machine.round > 1:
            return GuideStep(f"That was a round. {self.guide.then}")
        return self.step_now(bench)

    def step_now(self, bench: "LiveBench") -> GuideStep:
        """What to do in this state."""
        machine, state = bench.table.machine, str(bench.table.machine.state.value)
        step = self.guide.steps.get(state, "") if self.guide is not None else ""
        if isinstance(step, str):
            step = GuideStep(step, self.presses.get(state, ""))
        elif callable(step):
            step = step(bench)
        return step if step.words else GuideStep(str(machine.waiting_for()), step.control, step.key)


def bench_of(game: Game) -> BenchGame | None:
    """The bench part of a game, or None if it has none."""
    found = getattr(part_of(game, "bench"), "BENCH", None)
    return found if isinstance(found, BenchGame) else None


def keyed(words: str, keys: tuple[str, ...], done: int) -> GuideStep:
    """Keys that are pressed one after the other.

    Args:
        done: how many of them are.
    """
    return GuideStep(words, keys[done] if done < len(keys) else "")


def by_floor(bench: "LiveBench", words: str = "", act: str = "") -> GuideStep:
    """The floorperson turns the key, and chooses in the menu; without an act what the table waits for."""
    found = (entry.key for entry in bench.table.desk.entries if any(offer.act == act for offer in entry.offers))
    return GuideStep(words, next(found, "floor-key"))
