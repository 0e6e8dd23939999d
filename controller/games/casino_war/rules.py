"""The rules of Casino War (58 Pa. Code ch. 651a): the ranks, who wins, what it pays, and the exact odds."""

from enum import Enum
from fractions import Fraction

from controller.odds.exact import WagerReturn
from controller.odds.wagers import Payouts, Wager

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")
"""From the lowest to the highest; suits do not count (§ 651a.6)."""
SUITS = 4
CARDS_OF_A_DECK = SUITS * len(RANKS)
MOST_POSITIONS = 7
POSITIONS = range(1, MOST_POSITIONS + 1)
"""Betting positions (§ 651a.2(a)), clockwise from the dealer's left."""
BURNED = 3
"""Cards removed before the war deal (§ 651a.9(f))."""


class HandOutcome(Enum):
    """A player's card compared with the dealer's (§ 651a.9(a), (g))."""

    WON = "won"
    LOST = "lost"
    TIED = "tied"


def compare(card: str, dealer: str) -> HandOutcome:
    mine, theirs = RANKS.index(card), RANKS.index(dealer)
    if mine == theirs:
        return HandOutcome.TIED
    return HandOutcome.WON if mine > theirs else HandOutcome.LOST


def _wager(kind: str, position: int, *odds: int) -> Wager:
    return Wager(f"{kind}-{position}", tuple(map(Fraction, odds)), "§ 651a.10", fixed=True)


WAGERS: tuple[Wager, ...] = (
    *(_wager("initial", position, 1) for position in POSITIONS),
    *(_wager("tie", position, 10) for position in POSITIONS),
    *(_wager("war", position, 2, 3) for position in POSITIONS),
)
"""Every wager of every position. The degrees of the war wager: won, and won by a tied war."""


def odds_of(kind: str, outcome: HandOutcome, payouts: Payouts) -> Fraction | None:
    """The odds to one that a wager is paid after a deal; None if it is not paid (§ 651a.9(a), (g))."""
    if kind == "tie":
        return payouts.odds("tie-1") if outcome is HandOutcome.TIED else None
    if kind == "war" and outcome is HandOutcome.TIED:
        return payouts.odds("war-1", 2)
    return payouts.odds(f"{kind}-1") if outcome is HandOutcome.WON else None


def tie_chance(decks: int) -> Fraction:
    """The chance of a tie in the original deal, from a full shoe of so many decks."""
    return Fraction(SUITS * decks - 1, CARDS_OF_A_DECK * decks - 1)


def war_tie_chance(decks: int) -> Fraction:
    """The chance of a tie in the war deal, after two cards of one rank have gone.

    Cards that nobody has seen, such as burned ones, do not change the chances.
    """
    of_rank, cards = SUITS * decks, CARDS_OF_A_DECK * decks - 2
    same = (of_rank - 2) * (of_rank - 3) + (len(RANKS) - 1) * of_rank * (of_rank - 1)
    return Fraction(same, cards * (cards - 1))


def returns(payouts: Payouts, decks: int) -> list[WagerReturn]:
    """The exact return of an initial wager by either decision, and of a tie wager, for a wager of 1.

    A player who goes to war loses the initial wager and stakes as much again (§ 651a.9(c)(2)); a player who
    surrenders loses half of it.
    """
    tie, war_tie = tie_chance(decks), war_tie_chance(decks)
    win, war_win = (1 - tie) / 2, (1 - war_tie) / 2
    initial, tied = payouts.all_odds("initial-1"), payouts.all_odds("tie-1")
    won, tied_war = payouts.all_odds("war-1")
    plain = win * (1 + initial[0])
    # The return is for a wager of 1, but a war stakes 2: the war wager's cost is subtracted.
    war = tie * (war_win * (1 + won) + war_tie * (1 + tied_war) - 1)
    areas = {kind: tuple(f"{kind}-{position}" for position in POSITIONS) for kind in ("initial", "tie")}
    winning = win + tie * (war_win + war_tie)
    return [
        WagerReturn("initial-going-to-war", winning, initial, plain + war, (), fair=(1 - war) / win - 1),
        WagerReturn(
            "initial-surrendering", win, initial, plain + tie / 2, areas["initial"], (1 - tie / 2) / win - 1
        ),
        WagerReturn("tie", tie, tied, tie * (1 + tied[0]), counted=areas["tie"]),
    ]
