"""The numbers of roulette as lists of results show them, and the names of its areas."""

from controller.events.effect import Result
from controller.events.text import spoken
from controller.games.roulette.play import RouletteState as S

_STATES = (S.RESULT, S.LOSERS_COLLECTED, S.WINNERS_PAID, S.CORRECTING, S.NO_SPIN, S.LOCKED)
RESULT_STATES = frozenset(state.value for state in _STATES)
_DOZENS = {f"dozen-{n}": f"{nth} 12" for n, nth in enumerate(("1st", "2nd", "3rd"), 1)}


def listed(result: Result) -> str:
    """The number, without its colour."""
    return result.label.partition(",")[0]


def area_name(area: str) -> str:
    """The displayed name of an area."""
    return _DOZENS.get(area) or spoken(area.removeprefix("straight-"))
