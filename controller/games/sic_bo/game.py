"""Sic Bo (58 Pa. Code ch. 539): three dice, keyed in by the dealer, and a panel of 50 areas."""

from fractions import Fraction
from itertools import combinations

from controller.events.effect import Win
from controller.games.dice.round import DiceRound
from controller.games.dice.rules import CONTROLS, RESULT_STATES, SWITCHES, dice_returns
from controller.games.dice.words import WORDS, void
from controller.machine.game import Game
from controller.odds.wagers import Payouts, Wager

FACES = range(1, 7)
TOTALS = {4: 50, 5: 18, 6: 14, 7: 12, 8: 8, 9: 6, 10: 6, 11: 6, 12: 6, 13: 8, 14: 12, 15: 14, 16: 18, 17: 50}
"""Minimum odds to one of each total (§ 539.6(b)); 3 and 18 are not wagers."""
CITED = {
    "dice-not-flat": void("the dice are not flat (§ 539.7(a))"),
    "shaker-failed": void("the automated shaker failed (§ 539.7(c))"),
}
SMALL, BIG = range(4, 11), range(11, 18)


def _wager(area: str, odds: int) -> Wager:
    return Wager(area, (Fraction(odds),), "§ 539.6(b)")


WAGERS = (
    *(_wager(f"three-of-a-kind-{n}", 150) for n in FACES),
    *(_wager(f"two-of-a-kind-{n}", 8) for n in FACES),
    _wager("any-three-of-a-kind", 24),
    *(_wager(f"total-{total}", odds) for total, odds in TOTALS.items()),
    *(_wager(f"two-dice-{a}-{b}", 5) for a, b in combinations(FACES, 2)),
    _wager("small", 1),
    _wager("big", 1),
    *(Wager(f"one-of-a-kind-{n}", tuple(map(Fraction, (1, 2, 3))), "§ 539.6(c)", fixed=True) for n in FACES),
)


def score(dice: tuple[int, ...], payouts: Payouts) -> tuple[Win, ...]:
    """The winning areas of a roll (§ 539.3), in the order of the layout, each with what it pays.

    Two of a kind wins on a triple too, and so does a total; small and big lose on a triple. One of a kind pays by
    how many dice show the number.
    """
    total = sum(dice)
    shown = {n: dice.count(n) for n in FACES}
    triple = max(shown.values()) == len(dice)
    degrees: dict[str, int] = {f"one-of-a-kind-{n}": count for n, count in shown.items() if count}
    degrees |= {f"two-of-a-kind-{n}": 1 for n, count in shown.items() if count >= 2}
    degrees |= {f"two-dice-{a}-{b}": 1 for a, b in combinations(FACES, 2) if shown[a] and shown[b]}
    if total in TOTALS:
        degrees[f"total-{total}"] = 1
    if triple:
        degrees |= {f"three-of-a-kind-{dice[0]}": 1, "any-three-of-a-kind": 1}
    elif total in SMALL:
        degrees["small"] = 1
    elif total in BIG:
        degrees["big"] = 1
    return payouts.wins(degrees)


GAME: Game = Game(
    name="sic-bo",
    title="Sic Bo",
    chapter="539",
    wagers=WAGERS,
    controls=CONTROLS,
    switches=SWITCHES,
    machine=lambda config: DiceRound(config, GAME.payouts(config), score, "§ 539.2(b)"),
    returns=lambda payouts, rules: dice_returns(payouts, score),
    dice=True,
    words={**WORDS, **CITED},
    result_states=RESULT_STATES,
    guide=(
        "Place wagers on what three dice will show before the dealer calls no more bets.",
        "The dice are tossed in a closed shaker. If they do not all lie flat it is no roll, and all wagers "
        "go back.",
        "The dealer keys the dice in, and every area that wins lights up.",
        "Small is a total of 4 to 10, big one of 11 to 17; both lose if all three dice show the same number.",
        "One of a kind pays by how many dice show the number: 1, 2 or 3 to 1.",
        "Losing wagers are collected before winning wagers are paid.",
    ),
)
