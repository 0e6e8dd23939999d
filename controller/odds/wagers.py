"""Wagers and their payout odds, as exact fractions to one."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeVar

from controller.events.effect import Win

R = TypeVar("R")


class Wager(NamedTuple):
    """A wager that a layout offers, on the area of the same name.

    Attributes:
        minimum: the lowest odds to one that the regulation allows; several if the wager pays by degree.
        clause: the clause of the regulation.
        fixed: the regulation allows no other odds, as with every wager that pays by degree.
    """

    area: str
    minimum: tuple[Fraction, ...]
    clause: str
    fixed: bool = False


def to_one(odds: Fraction) -> str:
    """Odds as text: ``10 to 1``."""
    return f"{odds.numerator} to {odds.denominator}"


class Payouts:
    """What each wager of a layout pays: the regulation's minimum, or more where it is configured.

    Args:
        wagers: every wager of the layout, in its order.
        configured: odds to one that replace the minimum, by area; ignored for a fixed wager.

    """

    def __init__(self, wagers: tuple[Wager, ...], configured: Mapping[str, Fraction]) -> None:
        self.wagers = wagers
        self._places = {wager.area: place for place, wager in enumerate(wagers)}
        self._odds = {wager.area: self._of(wager, configured.get(wager.area)) for wager in wagers}

    @staticmethod
    def _of(wager: Wager, odds: Fraction | None) -> tuple[Fraction, ...]:
        return wager.minimum if odds is None or wager.fixed else (odds,)

    @property
    def areas(self) -> tuple[str, ...]:
        return tuple(wager.area for wager in self.wagers)

    def odds(self, area: str, degree: int = 1) -> Fraction:
        """The odds to one that an area pays."""
        return self._odds[area][degree - 1]

    def wins(self, degrees: Mapping[str, int]) -> tuple[Win, ...]:
        """The winning areas in the order of the layout, each with what its degree pays.

        Raises:
            KeyError: the layout has no such area.
        """
        won = sorted(degrees, key=self._places.__getitem__)
        return tuple(Win(area, to_one(self.odds(area, degrees[area]))) for area in won)

    def all_odds(self, area: str) -> tuple[Fraction, ...]:
        """The odds of an area for every degree."""
        return self._odds[area]


Score = Callable[[R, Payouts], tuple[Win, ...]]
"""From a result, such as a section or three dice, to the areas that win, in the order of the layout."""
