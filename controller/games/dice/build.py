"""Machine and returns of a game with three keyed-in dice, made from its wagers and its ``score``."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from config.schema import TableConfig
from controller.events.effect import Win
from controller.games.dice.round import DiceRound
from controller.games.dice.rules import CONTROLS as CONTROLS
from controller.games.dice.rules import DiceClauses, DiceData, Layout
from controller.games.shared.ageing import Ageing
from controller.games.shared.entry import DICE
from controller.odds.exact import WagerReturn, from_outcomes
from controller.odds.wagers import Payouts

SWITCHES = frozenset({"floor-key", "shaker-done", "shaker-fault"})
FACES = range(1, 7)

RollScoreByPayouts = Callable[[tuple[int, ...], Payouts], tuple[Win, ...]]
"""The winning areas of a roll, in the order of the layout, each with what it pays."""


def dice_machine(
    config: TableConfig,
    payouts: Payouts,
    score: RollScoreByPayouts,
    retired_by: str,
    cited: DiceClauses | None = None,
) -> DiceRound:
    """The machine of a table.

    Args:
        retired_by: the clause about the age of dice, for the record.
        cited: the other clauses for the record; None for a game that cites none.
    """
    dice = config.dice
    assert dice is not None
    aging: Ageing[DiceData] = Ageing("the dice", "dice", retired_by, dice.warn_ns, dice.retire_ns)
    layout = Layout(payouts.areas, lambda rolled: score(rolled, payouts))
    return DiceRound(layout, dice.shaker == "automated", aging, cited)


def dice_returns(payouts: Payouts, score: RollScoreByPayouts) -> list[WagerReturn]:
    """The exact return of every wager, over all rolls."""
    rolls = list(product(FACES, repeat=DICE))
    share = Fraction(1, len(rolls))
    outcomes = ((share, {win.area: win.odds for win in score(roll, payouts)}) for roll in rolls)
    return from_outcomes(payouts.areas, payouts.all_odds, outcomes)
