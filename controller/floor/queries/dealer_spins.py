"""Spins, speeds and directions by dealer, and what stands out of them.

Two things are looked for in each dealer's spins of each game, by exact tests:

- **always the same direction**: a dealer who throws at most nine of ten the same way (:data:`MOST_ONE_WAY`) would
  hardly come to so many;
- **too slow**: among the throws of all dealers of the game, those that made fewer revolutions than the rules ask
  for are so often this dealer's that chance would hardly share them out like that, and one and a half times as
  often (:data:`SLOWER`) as those of the others.

"Hardly" is bounded as for wheels: the level (``fairness: odds``) is divided by the number of tests, so that the
probability that anybody at all is named without cause is at most one in that many for all dealers of a period.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

from sqlalchemy import Connection, func, select

from controller.fairness.exact_tests import binomial_tail, hypergeometric_tail
from controller.floor.pages.statistics_documents import DealerFinding, DealerSpinsRow
from controller.floor.queries.period import Period
from controller.floor.queries.period_figures import MOST_NAMES, signed_periods
from controller.floor.store.schema import spin_sums

MOST_ONE_WAY = 0.9
"""The share of throws in one direction that is nothing remarkable."""
SLOWER = 1.5
"""So many times the others' share of slow throws is worth a word."""
_NUMBERS = ("spins", "short", "revolutions", "timed", "speed", "speed_squares")
_sums = spin_sums.c


@dataclass(slots=True)
class DealerSpins:
    """The spins of a dealer at a game."""

    dealer: str
    """Empty for nobody logged on."""
    game: str
    directions: dict[str, int] = field(default_factory=dict)
    spins: int = 0
    short: int = 0
    """Void ones, for they made fewer revolutions than the rules ask for."""
    revolutions: int = 0
    timed: int = 0
    speed: int = 0
    """Sum of thousandths of a revolution a second."""
    speed_squares: int = 0

    def row(self) -> DealerSpinsRow:
        """As a row of the page."""
        return {
            "dealer": self.dealer,
            "game": self.game,
            "spins": self.spins,
            "directions": dict(sorted(self.directions.items())),
            "short": self.short,
            "revolutions": round(self.revolutions / self.spins, 2),
            "speed_rpm": self._rpm(self.speed / self.timed) if self.timed else None,
            "speed_spread_rpm": self._rpm(self._spread()) if self.timed > 1 else None,
        }

    def _spread(self) -> float:
        """The standard deviation of the speeds."""
        return sqrt(max(0.0, (self.speed_squares - self.speed**2 / self.timed) / (self.timed - 1)))

    @staticmethod
    def _rpm(speed: float) -> float:
        return round(speed * 60 / 1000, 1)


def dealer_spins(connection: Connection, period: Period) -> list[DealerSpins]:
    """The spins of each dealer at each game in a period of days; the most first.

    Args:
        period: its table and wheel are of no account.
    """
    found: dict[tuple[str, str], DealerSpins] = {}
    scope, key = period.scope, (_sums.dealer, _sums.game, _sums.direction)
    named = [_sums[name] == getattr(scope, name) for name in ("dealer", "game") if getattr(scope, name)]
    columns = [func.sum(_sums[number]) for number in _NUMBERS]
    for sign, periods in signed_periods(period, years=True):
        query = select(*key, *columns).where(_sums.period.in_(periods), *named).group_by(*key)
        for dealer, game, direction, *numbers in connection.execute(query):
            spins, short, revolutions, timed, speed, speed_squares = (sign * int(number) for number in numbers)
            one = found.get((dealer, game))
            if one is None:
                one = found[dealer, game] = DealerSpins(dealer, game)
            one.spins += spins
            one.short += short
            one.revolutions += revolutions
            one.timed += timed
            one.speed += speed
            one.speed_squares += speed_squares
            one.directions[direction] = one.directions.get(direction, 0) + spins
    thrown = [one for one in found.values() if one.spins > 0]
    for one in thrown:
        one.directions = {direction: count for direction, count in one.directions.items() if count}
    return sorted(thrown, key=lambda one: (-one.spins, one.dealer, one.game))


def rows(spins: Sequence[DealerSpins]) -> list[DealerSpinsRow]:
    """The rows of the page, as many as it shows."""
    return [one.row() for one in spins[:MOST_NAMES]]


def findings(spins: Sequence[DealerSpins], odds: int) -> list[DealerFinding]:
    """What stands out, the least likely first.

    Args:
        odds: the probability that any dealer is named without cause is at most one in so many.
    """
    known = [one for one in spins if one.dealer]
    tests = 2 * len(known)
    by_game: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for one in spins:
        by_game[one.game][0] += one.spins
        by_game[one.game][1] += one.short
    found = [finding for one in known for finding in (_one_way(one), _slow(one, *by_game[one.game])) if finding]
    hardly = [finding for finding in found if finding["p"] * tests * odds <= 1]
    return sorted(hardly, key=lambda finding: (finding["p"], finding["dealer"]))


def _one_way(one: DealerSpins) -> DealerFinding | None:
    ways = {way: count for way, count in one.directions.items() if way}
    total = sum(ways.values())
    if not total:
        return None
    way, most = max(ways.items(), key=lambda item: (item[1], item[0]))
    if most <= MOST_ONE_WAY * total:
        return None
    # Twice: of the two directions the one that was thrown more often is tested.
    p = min(1.0, 2 * binomial_tail(most, total, MOST_ONE_WAY))
    words = "always" if most == total else "almost always"
    text = f"{words} the same direction: {most:,} of {total:,} throws {way}"
    return _finding(one, "direction", text, total, p)


def _slow(one: DealerSpins, spins: int, short: int) -> DealerFinding | None:
    others = spins - one.spins
    if not one.short or not others or one.short / one.spins < SLOWER * (short - one.short) / others:
        return None
    p = hypergeometric_tail(one.short, one.spins, short, spins)
    text = (
        f"too slow: {one.short:,} of {one.spins:,} throws made fewer revolutions than the rules ask for; "
        f"of other dealers' {short - one.short:,} of {others:,}"
    )
    return _finding(one, "slow", text, one.spins, p)


def _finding(one: DealerSpins, kind: str, text: str, spins: int, p: float) -> DealerFinding:
    return {"dealer": one.dealer, "game": one.game, "kind": kind, "text": text, "spins": spins, "p": p}


def spins_by_way(spins: Sequence[DealerSpins]) -> Mapping[str, Mapping[str, int]]:
    """By dealer, spins by direction: for a chart."""
    found: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    for one in spins:
        for way, count in one.directions.items():
            found[one.dealer][way] += count
    return found
