"""Exact returns of wagers, as fractions, from a game's own scoring."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from controller.events.effect import Win
from controller.odds.wagers import Payouts, Score


class WagerReturn(NamedTuple):
    """What a wager is worth.

    Attributes:
        probability: of winning.
        pays: odds to one, by degree, as the layout states them.
        return_to_player: the mean that comes back for a wager of 1, the wager itself included.
        counted: the areas on which this wager is won; None for the area of its name alone.
        fair: the odds to one at which the wager would be fair, where they do not follow from the probability alone:
            because something multiplies what a win pays, or because a wager may also come back in part.
    """

    wager: str
    probability: Fraction
    pays: tuple[Fraction, ...]
    return_to_player: Fraction
    counted: tuple[str, ...] | None = None
    fair: Fraction | None = None

    @property
    def house_advantage(self) -> Fraction:
        return 1 - self.return_to_player

    @property
    def true_odds(self) -> Fraction:
        """The odds to one at which neither side would gain under the game's own rules (§ 521.4(1)(ii))."""
        return self.fair if self.fair is not None else (1 - self.probability) / self.probability


def from_outcomes(payouts: Payouts, outcomes: Iterable[tuple[Fraction, Iterable[Win]]]) -> list[WagerReturn]:
    """Returns from a finite list of outcomes, each with its probability and the areas that win."""
    probability = dict.fromkeys(payouts.areas, Fraction(0))
    returned = dict.fromkeys(payouts.areas, Fraction(0))
    for chance, wins in outcomes:
        for win in wins:
            probability[win.area] += chance
            returned[win.area] += chance * (1 + win.odds)
    return [WagerReturn(area, probability[area], payouts.all_odds(area), returned[area]) for area in payouts.areas]


def from_wheel(
    payouts: Payouts, order: Sequence[str], score: Score[str], again: Mapping[str, int]
) -> list[WagerReturn]:
    """Returns of a wheel on which some sections call for another spin, without limit.

    A geometric series sums all chains of such spins exactly, as the odds grow in proportion to the multiplier.

    Args:
        again: the sections that call for another spin, and what each multiplies by.
    """
    share = Fraction(1, len(order))
    spin_again = sum(section in again for section in order) * share
    growth = sum(again.get(section, 0) for section in order) * share
    probability = dict.fromkeys(payouts.areas, Fraction(0))
    won = dict.fromkeys(payouts.areas, Fraction(0))
    for section in order:
        for win in () if section in again else score(section, payouts):
            probability[win.area] += share / (1 - spin_again)
            won[win.area] += share * win.odds / (1 - growth)
    return [
        WagerReturn(
            area,
            probability[area],
            payouts.all_odds(area),
            probability[area] + won[area],
            # What is won grows with the odds, and with a mean multiplier: fair odds win what losing wagers lose.
            fair=payouts.odds(area) * (1 - probability[area]) / won[area] if won[area] else None,
        )
        for area in payouts.areas
    ]
