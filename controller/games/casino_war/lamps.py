"""Lamps of a table of Casino War: the outcome of each wager, by its position."""

from collections.abc import Iterator

from controller.games.casino_war.play import WarData, direct
from controller.games.casino_war.rules import HandOutcome

_LAMPS = {
    "initial": (HandOutcome.WON, HandOutcome.LOST, HandOutcome.TIED),
    "tie": (HandOutcome.WON, HandOutcome.LOST),
    "war": (HandOutcome.WON, HandOutcome.LOST, HandOutcome.TIED),
}


def panel(positions: int) -> tuple[str, ...]:
    """Every lamp of so many positions: ``initial-3-won``."""
    return tuple(
        f"{kind}-{seat}-{outcome.value}"
        for kind, outcomes in _LAMPS.items()
        for seat in range(1, positions + 1)
        for outcome in outcomes
    )


def lamps(data: WarData) -> tuple[str, ...]:
    """Every lit lamp: the outcome of each wager."""
    return tuple(_war_lamps(data) if data.war_outcomes else _deal_lamps(data))


def _deal_lamps(data: WarData) -> Iterator[str]:
    for seat, outcome in data.outcomes.items():
        # 0.1.0 lit half a wager as lost; its rounds are lit to their end as they began.
        lost = seat in data.surrendered and not direct(data)
        yield f"initial-{seat}-{HandOutcome.LOST.value if lost else outcome.value}"
        yield _tie_lamp(seat, outcome)


def _war_lamps(data: WarData) -> Iterator[str]:
    for seat, outcome in data.war_outcomes.items():
        yield f"war-{seat}-{outcome.value}"
        yield _tie_lamp(seat, outcome)


def _tie_lamp(seat: int, outcome: HandOutcome) -> str:
    return f"tie-{seat}-{'won' if outcome is HandOutcome.TIED else 'lost'}"
