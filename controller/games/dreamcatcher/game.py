"""Dreamcatcher (58 Pa. Code ch. 689a): a wheel of 54 sections, two of which multiply and call for a bonus spin."""

from fractions import Fraction

from controller.events.effect import Win
from controller.games.clapper_wheel.round import WheelRound
from controller.games.clapper_wheel.rules import CONTROLS, RESULT_STATES
from controller.games.clapper_wheel.words import WORDS
from controller.machine.game import Game
from controller.odds.exact import from_wheel
from controller.odds.wagers import Payouts, Wager

ORDER = tuple(
    "7x 2 1 5 1 2 5 1 2 10 1 2 1 20 1 2 1 2 1 5 1 2 10 1 5 1 2 "
    "2x 1 5 1 40 2 1 2 1 10 2 1 5 1 2 1 5 2 1 20 1 2 1 10 1 2 1".split()
)
"""The sections clockwise around the rim (§ 689a.1(b))."""
MULTIPLIERS = {"2x": 2, "7x": 7}
"""Sections that multiply and call for a bonus spin (§ 689a.1(d))."""
WAGERS = tuple(Wager(area, (Fraction(int(area)),), "§ 689a.3(a)") for area in ("1", "2", "5", "10", "20", "40"))


def score(section: str, payouts: Payouts) -> tuple[Win, ...]:
    """A number pays its odds, times all multipliers of the round, without limit (§ 689a.3(b), (c))."""
    return payouts.wins({section: 1})


GAME: Game = Game(
    name="dreamcatcher",
    title="Dreamcatcher",
    chapter="689a",
    wagers=WAGERS,
    controls=CONTROLS,
    machine=lambda config: WheelRound(config, GAME.payouts(config), ORDER, score, MULTIPLIERS),
    returns=lambda payouts, rules: from_wheel(payouts, ORDER, score, MULTIPLIERS),
    wheel=ORDER,
    words=WORDS,
    result_states=RESULT_STATES,
    wheel_clause="§ 689a.1(b)",
    guide=(
        "Place wagers on one or more of the numbers 1, 2, 5, 10, 20 and 40 before the dealer calls no more bets.",
        "The dealer spins the wheel by hand, either way. It must turn around three times in full, or it is "
        "spun again.",
        "The number at the clapper wins once the wheel stands. Between two sections the wheel is spun again.",
        "On 2x or 7x the wagers stay, nothing is added, and the wheel is spun again: the number that comes "
        "then pays 2 or 7 times its odds. Multipliers multiply one another, for as long as they come.",
        "Losing wagers are collected before winning wagers are paid.",
    ),
)
