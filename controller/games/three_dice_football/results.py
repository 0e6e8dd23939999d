"""The throws of Three Dice Football as lists of results show them."""

from controller.events.effect import Result
from controller.games.three_dice_football.play import FootballState as S

RESULT_STATES = frozenset(state.value for state in (S.SETTLING, S.SETTLED, S.EXTRA_OFFER, S.CORRECTING))
NO_EXTRA = "no extra point roll"
"""The record's label for the settlement of touchdown wagers without an extra point roll."""
_COUNTED = {
    "turnover, the game is over": "turnover",
    "out of downs, the game is over": "out of downs",
    "extra point roll": "extra point",
}
"""Shorter names for statistics, by the record's text."""


def parts(result: Result) -> tuple[str, str]:
    """The dice, and the kind of the throw."""
    dice, _, what = result.label.partition(", ")
    return dice, _COUNTED.get(what, what)


def listed(result: Result) -> str:
    """``5-2-3 gain``; empty for a settlement without a throw."""
    dice, what = parts(result)
    return "" if what == NO_EXTRA else f"{dice} {what}"
