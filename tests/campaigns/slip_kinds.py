"""The slips that people make while a device is broken: the fault matrix with bad input on top.

The design. Each cell of the fault matrix (a device that breaks in a state) is played again with a slip that people
make just then, in one of three moments:

- *before*: a moment before the device breaks, the hand already on the key;
- *during*: a tenth of a second after it broke, in the middle of what they were about: no lamp, no prompt came;
- *after*: a moment after everything was repaired.

What they do wrong follows from how people behave when nothing answers. With the keys: the due key twice, and three
times; the key that is due in the next state, pressed ahead; a wrong number first; no more bets, late or again; the
floorperson's key turned, and left alone for a minute. With the power: it is switched off and on, "because it
hangs". In the world: what the ``slips.py`` of each game lists, as a wheel that is spun, a ball that is thrown, dice
that are shaken, a card that is dealt though the keypad is dead; dice and cards that lie there are keyed once the
table asks for them, also after the repair. What is due is what people press in that state when nothing is wrong.

The product of cells, slips and moments is too large (some 90,000). So a fixed rotation chooses one of each cell:
from cell to cell the next slip and the next moment. Each state sees every slip, and each game every slip in every
moment.

Beyond what the matrix demands of a cell (true results and lamps, a way back to play), :mod:`campaigns.slip_watch`
demands: a second press of a key within a second is never taken for something else, no result without a throw, toss
or deal, no round that ends without a result or a void on record, voids and alerts whose reason is true.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from config.schema import TableConfig
from controller.bench.slips import slips_of
from controller.games.casino_war.rules import RANKS
from controller.statechart.registry import find_game


class Moment(Enum):
    """When people slip."""

    BEFORE = "before"
    DURING = "during"
    AFTER = "after"


TWICE, THREE_TIMES = "the due key twice", "the due key three times"
AHEAD = "the next key ahead"
WRONG_NUMBER = "a wrong number first"
LATE_CALL = "no more bets, late or again"
LEFT_KEY = "the floorperson's key, and left"
POWER = "the power off and on"
CALL, FLOOR_KEY = "no-more-bets", "floor-key"


@dataclass(frozen=True, slots=True)
class Slip:
    """One slip.

    Attributes:
        what: one of the texts above, or an act of the game's ``slips.py``.
    """

    what: str
    moment: Moment

    def __str__(self) -> str:
        return f"{self.what}, {self.moment.value}"


def kinds(config: TableConfig) -> tuple[str, ...]:
    """Everything that people may do wrong at this table."""
    acts = slips_of(find_game(config.game)).acts
    return (TWICE, *acts, AHEAD, POWER, WRONG_NUMBER, THREE_TIMES, LATE_CALL, LEFT_KEY)


def rotation(config: TableConfig, state: int, fault: int) -> Slip:
    """The slip of one cell, by the numbers of its state and its fault."""
    names, moments = kinds(config), tuple(Moment)
    turn = (fault + state) // len(names) + fault
    return Slip(names[(fault + state) % len(names)], moments[turn % len(moments)])


def another_number(control: str, controls: Sequence[str]) -> str:
    """A number or rank that is pressed instead of this one; empty if it is neither."""
    alike = [one for one in controls if one != control and (one.isdecimal() or one in RANKS)]
    if control not in RANKS and not control.isdecimal():
        return alike[0] if alike else ""
    beside = [one for one in alike if one.isdecimal() == control.isdecimal()]
    return next((one for one in beside if one > control), beside[0] if beside else "")
