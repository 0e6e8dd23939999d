"""Big Six Wheel (58 Pa. Code ch. 619a): a wheel of 54 sections, seven of them kinds of symbol."""

from fractions import Fraction

from controller.events.effect import Win
from controller.games.clapper_wheel.round import WheelRound
from controller.games.clapper_wheel.rules import CONTROLS, RESULT_STATES
from controller.games.clapper_wheel.words import WORDS
from controller.machine.game import Game
from controller.odds.exact import from_wheel
from controller.odds.wagers import Payouts, Wager

ORDER = tuple(
    "joker 1 2 1 5 2 1 10 1 5 1 2 1 20 1 2 1 5 2 1 10 1 2 5 1 2 1 "
    "logo 2 5 2 1 2 1 10 1 5 1 2 1 20 1 2 1 5 2 1 10 1 2 5 1 2 1".split()
)
"""The sections clockwise around the rim (§ 619a.1(b)); ``logo`` is the flag, name, logo or other symbol."""
WAGERS = (
    *(Wager(area, (Fraction(int(area)),), "§ 619a.3") for area in ("1", "2", "5", "10", "20")),
    *(Wager(area, (Fraction(45),), "§ 619a.3") for area in ("joker", "logo")),
)


def score(section: str, payouts: Payouts) -> tuple[Win, ...]:
    """Every section is that of a wager; none multiplies."""
    return payouts.wins({section: 1})


GAME: Game = Game(
    name="big-six",
    title="Big Six Wheel",
    chapter="619a",
    wagers=WAGERS,
    controls=CONTROLS,
    machine=lambda config: WheelRound(config, GAME.payouts(config), ORDER, score),
    returns=lambda payouts, rules: from_wheel(payouts, ORDER, score, {}),
    wheel=ORDER,
    words=WORDS,
    result_states=RESULT_STATES,
    wheel_clause="§ 619a.1(b)",
    guide=(
        "Place wagers on one or more of the symbols of the layout before the dealer calls no more bets.",
        "The dealer spins the wheel by hand, either way. It must turn around three times in full, or it is "
        "spun again.",
        "The symbol at the clapper wins once the wheel stands. Between two sections the wheel is spun again.",
        "Losing wagers are collected before winning wagers are paid.",
    ),
    symbols=True,
)
