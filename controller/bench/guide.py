"""The first round at a game's simulated table, step by step, for the bench's page.

A game's guide is in its ``bench.py``. Without one the page shows only the table's own instruction.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from controller.bench.live import LiveBench


@dataclass(frozen=True, slots=True)
class GuideStep:
    """What to do next, and why.

    Attributes:
        words: one to three sentences.
        control: the control of the table that is pressed; empty for none.
        key: the bench's key that is pressed, as for a throw; empty for none. Without either one waits.
    """

    words: str
    control: str = ""
    key: str = ""


GuideSteps = Mapping[str, Union[GuideStep, "Callable[[LiveBench], GuideStep]"]]
"""By state; a state in which there are several things to do looks at the table."""


@dataclass(frozen=True, slots=True)
class GameGuide:
    """A game's guide.

    Attributes:
        steps: of the first round.
        then: what to try after it, in words.
    """

    steps: GuideSteps
    then: str


def next_step(guide: GameGuide, bench: "LiveBench") -> GuideStep | None:
    """What to do now; what to try, once a round has been settled; None where the guide has nothing to say."""
    machine = bench.table.machine
    if machine.round > 1:
        return GuideStep(f"That was a round. {guide.then}")
    found = guide.steps.get(str(machine.state.value))
    return found(bench) if callable(found) else found


def keyed(words: str, keys: tuple[str, ...], done: int) -> GuideStep:
    """Keys that are pressed one after the other.

    Args:
        done: how many of them are.
    """
    return GuideStep(words, keys[done] if done < len(keys) else "")


def by_floor(bench: "LiveBench", words: str, act: str = "") -> GuideStep:
    """The floorperson turns the key, and chooses in the menu; without an act what the table waits for."""
    found = (entry.key for entry in bench.table.desk.entries if any(offer.act == act for offer in entry.offers))
    return GuideStep(words, next(found, "floor-key"))
