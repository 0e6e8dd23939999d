"""Machine and returns of a game on a wheel with a clapper, made from its sections and its ``score``."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from config.schema import TableConfig
from controller.games.clapper_wheel.round import WheelRound
from controller.games.clapper_wheel.rules import Scored
from controller.odds.exact import WagerReturn, from_wheel
from controller.odds.wagers import Payouts

CONTROLS = frozenset({"no-more-bets", "done", "clear", "no-spin"})
"""The buttons that the dealer needs."""
SWITCHES = frozenset({"floor-key"})

SectionScoreByPayouts = Callable[[str, int, Payouts], Scored]
"""Scores a section, given its name and the round's multiplier so far."""


def wheel_machine(
    config: TableConfig, payouts: Payouts, order: Sequence[str], score: SectionScoreByPayouts
) -> WheelRound:
    """The machine of a table with these sections, clockwise around the rim."""
    assert config.wheel is not None
    again = any(score(section, 1, payouts).multiplier is not None for section in order)
    return WheelRound(
        order,
        lambda section, multiplier: score(section, multiplier, payouts),
        config.wheel.spin_limit_ns,
        bonus=again,
        symbols=config.layout.symbols,
    )


def wheel_returns(payouts: Payouts, order: Sequence[str], score: SectionScoreByPayouts) -> list[WagerReturn]:
    """The exact return of every wager, including all sequences of further spins."""

    def wins(section: str, multiplier: int) -> Mapping[str, Fraction]:
        return {win.area: win.odds for win in score(section, multiplier, payouts).wins}

    return from_wheel(payouts.areas, payouts.all_odds, order, lambda s: score(s, 1, payouts).multiplier, wins)
