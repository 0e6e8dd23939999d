"""Exact returns of wagers, as fractions, from a game's own scoring."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple


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


def from_outcomes(
    areas: Sequence[str],
    pays: Callable[[str], tuple[Fraction, ...]],
    outcomes: Iterable[tuple[Fraction, Mapping[str, Fraction]]],
) -> list[WagerReturn]:
    """Returns from a finite list of outcomes.

    Args:
        pays: the stated odds of an area.
        outcomes: each outcome's probability, and the odds that each winning area is paid.
    """
    probability = dict.fromkeys(areas, Fraction(0))
    returned = dict.fromkeys(areas, Fraction(0))
    for chance, wins in outcomes:
        for area, odds in wins.items():
            probability[area] += chance
            returned[area] += chance * (1 + odds)
    return [WagerReturn(area, probability[area], pays(area), returned[area]) for area in areas]


def from_wheel(
    areas: Sequence[str],
    pays: Callable[[str], tuple[Fraction, ...]],
    sections: Sequence[str],
    multiplier: Callable[[str], int | None],
    wins: Callable[[str, int], Mapping[str, Fraction]],
) -> list[WagerReturn]:
    """Returns of a wheel on which some sections multiply and call for another spin, without limit.

    Args:
        multiplier: what a section multiplies by, or None if it ends the round.
        wins: the winning areas of a section and their odds, under a multiplier. Odds must grow in proportion to
            the multiplier, for then a geometric series sums all chains of bonus spins exactly.
    """
    share = Fraction(1, len(sections))
    factors = [factor for factor in map(multiplier, sections) if factor is not None]
    spin_again = len(factors) * share
    growth = sum(factors) * share
    probability = dict.fromkeys(areas, Fraction(0))
    won = dict.fromkeys(areas, Fraction(0))
    for section in sections:
        if multiplier(section) is None:
            for area, odds in wins(section, 1).items():
                if wins(section, 3)[area] != 3 * odds:
                    raise ValueError(f"the odds of {area} do not grow with the multiplier")
                probability[area] += share / (1 - spin_again)
                won[area] += share * odds / (1 - growth)
    return [
        WagerReturn(
            area,
            probability[area],
            pays(area),
            probability[area] + won[area],
            # What is won grows with the odds, and with a mean multiplier: fair odds win what losing wagers lose.
            fair=pays(area)[0] * (1 - probability[area]) / won[area] if won[area] else None,
        )
        for area in areas
    ]
