"""The exact returns of Roulette's wagers (§ 617a.4)."""

from fractions import Fraction

from controller.games.roulette.layout import WHEEL_ORDER, WheelType, playable, winning
from controller.odds.exact import WagerReturn, from_outcomes
from controller.odds.wagers import Payouts


def five_adjacent_return(wheel: WheelType, payouts: Payouts) -> WagerReturn:
    """The return of a Five Adjacent Number Wager, which is five straight wagers (§ 617a.3(e)(1)(iii)).

    Of five equal parts one wins and four lose. Parts with different odds count with their mean.
    """
    pockets = [pocket for pocket in WHEEL_ORDER[wheel] if playable(wheel, pocket)]
    odds = [payouts.odds(f"straight-{pocket}") for pocket in pockets]
    chance, paid = Fraction(5, len(pockets)), Fraction(sum(odds), len(odds))
    pays = tuple(sorted({(one - 4) / 5 for one in odds}))
    return WagerReturn("five-adjacent", chance, pays, chance * (1 + paid) / 5, counted=())


def returns(wheel: WheelType, payouts: Payouts) -> list[WagerReturn]:
    """The exact return of every wager. The chance of a pocket that is no spin is shared by the others."""
    pockets = [pocket for pocket in WHEEL_ORDER[wheel] if playable(wheel, pocket)]
    share = Fraction(1, len(pockets))
    outcomes = ((share, {win.area: win.odds for win in winning(wheel, pocket, payouts)}) for pocket in pockets)
    return from_outcomes(payouts.areas, payouts.all_odds, outcomes)
