"""The deals of Casino War as lists of results show them."""

from controller.events.effect import Result
from controller.games.casino_war.play import WarState as S

RESULT_STATES = frozenset(s.value for s in (S.DECISION, S.SETTLING, S.SETTLED, S.CORRECTING))
_SHORT = {"jack": "J", "queen": "Q", "king": "K", "ace": "A"}


def short(card: str) -> str:
    """A rank as lists show it."""
    return _SHORT.get(card, card)


def dealt(result: Result) -> list[str]:
    """The cards of a deal, the dealer's last."""
    return [short(card) for card in result.label.partition(",")[0].split("-")]


def of_war(result: Result) -> bool:
    """Whether it is the deal after a tie."""
    return result.label.endswith("war deal")


def listed(result: Result) -> str:
    """``K 4 against 7``."""
    *cards, dealer = dealt(result)
    label = f"{' '.join(cards)} against {dealer}"
    return f"war: {label}" if of_war(result) else label
