"""The rules of Three Dice Football (58 Pa. Code ch. 577): throws, winning wagers and their odds.

All functions are pure: the game's machine holds the drive.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from itertools import product

from controller.events.effect import Win
from controller.odds.exact import WagerReturn, from_outcomes
from controller.odds.wagers import Payouts, Wager, to_one

FACES = range(1, 7)
START_YARDS = 20
GOAL_YARDS = 10
"""Reaching this line in the first series earns a 1st & goal (§ 577.6(e))."""
DOWNS = 3
"""Throws in a series (§ 577.6(e))."""
MOST_PLAYS = 2 * DOWNS
PENALTY_YARDS = 1
QUICK_STRIKE_PLAYS = 4
"""A touchdown within this many plays wins the quick strike wager (§ 577.3(b)(4))."""
BIG_PLAY_YARDS = 7
EVEN_YARDS = 4
"""More wins over four yards, fewer win under four yards, exactly this number wins neither (§ 577.3(d)(7), (8))."""

Dice = tuple[int, int, int]
"""Two green dice, then the red one."""
ROLLS: tuple[Dice, ...] = tuple(product(FACES, FACES, FACES))
SHARE = Fraction(1, len(ROLLS))
"""The chance of each roll."""


def _game(area: str, *odds: str) -> Wager:
    return Wager(area, tuple(map(Fraction, odds)), "§ 577.8(a)", fixed=True)


def _single(area: str, *odds: str) -> Wager:
    return Wager(area, tuple(map(Fraction, odds)), "§ 577.8(b)", fixed=True)


WAGERS: tuple[Wager, ...] = (
    _game("touchdown", "1"),
    _game("defense", "4/5"),
    _game("extra-point", "1", "10", "50", "10"),
    _game("quick-strike-td", "8", "5", "3", "1"),
    _game("game-changer", "5"),
    _game("game-length-1", "22"),
    _game("game-length-2", "22"),
    _game("game-length-3", "6/5"),
    _game("game-length-4", "5"),
    _game("game-length-5", "3"),
    _game("game-length-6", "6"),
    _single("trips-td", "30"),
    _single("penalty", "9"),
    _single("turnover", "60"),
    _single("cover-three", "7"),
    _single("no-gain", "5"),
    _single("big-play", "4"),
    _single("over-four-yards", "1", "7"),
    _single("under-four-yards", "1"),
)
"""Every wager in the order of the layout, with its minimum odds.

By degree: ``extra-point`` with a 1 on one die, on two dice, a triple of 1s, any other triple; ``quick-strike-td``
by play; ``over-four-yards`` without and with a Trips TD.
"""
OTHER_TRIPLE = 4
"""The degree of ``extra-point`` for a triple of another number than 1; with 1s, the degree is their count."""


class Kind(Enum):
    """The kind of a throw (§§ 577.1, 577.6(c))."""

    GAIN = "gain"
    NO_GAIN = "no-gain"
    PENALTY = "penalty"
    TURNOVER = "turnover"
    TRIPS_TD = "trips-td"


class Ending(Enum):
    """How a game ends."""

    TOUCHDOWN = "touchdown"
    TRIPS_TD = "trips-td"
    TURNOVER = "turnover"
    DOWNS = "downs"
    """Three downs without success (§ 577.6(e)); not a turnover."""

    @property
    def scored(self) -> bool:
        """A touchdown or a Trips TD."""
        return self in (Ending.TOUCHDOWN, Ending.TRIPS_TD)


@dataclass(frozen=True, slots=True)
class Drive:
    """The situation before a throw (§ 577.6(a), (e)).

    Attributes:
        yards: to the end zone. Penalties push the marker behind the 20: to 22 before a throw, to 23 at the end of
            a game of three penalties.
        down: of the series, 1 to 3.
        goal: the goal series, which begins with the 1st & goal; else the first series.
        play: the number of this throw, 1 to 6.
    """

    yards: int = START_YARDS
    down: int = 1
    goal: bool = False
    play: int = 1


@dataclass(frozen=True, slots=True)
class PlayResult:
    """The result of a throw.

    Attributes:
        yards: of the marker: a gain as thrown, even if fewer were left; -1 for a penalty; else 0.
        drive: the drive before the next throw; None if the game has ended.
        ending: how it ended; None if it goes on.
    """

    kind: Kind
    yards: int
    drive: Drive | None
    ending: Ending | None


def _checked(dice: Dice) -> Dice:
    green, other, red = dice
    if any(die not in FACES for die in dice):
        raise ValueError(f"dice show 1 to 6, not {green}-{other}-{red}")
    return dice


def _difference(dice: Dice) -> int:
    """The yards that the dice show (§ 577.6(c)(1))."""
    green, other, red = dice
    return green + other - red


def kind_of(dice: Dice) -> Kind:
    """The kind of a throw. A triple is a Trips TD regardless of its yards.

    Raises:
        ValueError: a die does not show 1 to 6.
    """
    green, other, red = _checked(dice)
    if green == other == red:
        return Kind.TRIPS_TD
    yards = _difference(dice)
    if yards > 0:
        return Kind.GAIN
    if yards == 0:
        return Kind.NO_GAIN
    return Kind.TURNOVER if red == 6 and green + other in (2, 3) else Kind.PENALTY


def throw(drive: Drive, dice: Dice) -> PlayResult:
    """The result of a valid throw (§ 577.6(c), (e)).

    Raises:
        ValueError: a die does not show 1 to 6.
    """
    kind = kind_of(dice)
    if kind is Kind.TRIPS_TD:
        return PlayResult(kind, 0, None, Ending.TRIPS_TD)
    if kind is Kind.TURNOVER:
        return PlayResult(kind, 0, None, Ending.TURNOVER)
    yards = -PENALTY_YARDS if kind is Kind.PENALTY else _difference(dice)
    left = drive.yards - yards
    if left <= 0:
        return PlayResult(kind, yards, None, Ending.TOUCHDOWN)
    following = _following(drive, left)
    return PlayResult(kind, yards, following, None if following else Ending.DOWNS)


def _following(drive: Drive, left: int) -> Drive | None:
    """The drive before the next throw with some yards left; None if the downs are used up (§ 577.6(e))."""
    if not drive.goal and left <= GOAL_YARDS:
        return Drive(left, 1, True, drive.play + 1)
    if drive.down == DOWNS:
        return None
    return Drive(left, drive.down + 1, drive.goal, drive.play + 1)


def single_play_wins(dice: Dice, payouts: Payouts) -> tuple[Win, ...]:
    """The single play wagers that win (§ 577.3(d)), by the dice and not by the yards moved (§ 577.6(d)).

    Turnovers count as penalties here; triples never win no gain or under four yards, even with so few yards.

    Raises:
        ValueError: a die does not show 1 to 6.
    """
    kind, yards = kind_of(dice), _difference(dice)
    if kind is Kind.TRIPS_TD:
        return payouts.wins({"trips-td": 1, "cover-three": 1, "big-play": 1, "over-four-yards": 2})
    back = kind in (Kind.PENALTY, Kind.TURNOVER)
    won = {
        "penalty": back,
        "turnover": kind is Kind.TURNOVER,
        "cover-three": back,
        "no-gain": back or kind is Kind.NO_GAIN,
        "big-play": yards >= BIG_PLAY_YARDS,
        "over-four-yards": yards > EVEN_YARDS,
        "under-four-yards": yards < EVEN_YARDS,
    }
    return payouts.wins({area: 1 for area, wins in won.items() if wins})


def game_wins(ending: Ending, plays: int, payouts: Payouts) -> tuple[Win, ...]:
    """The full game wagers that win when a game ends after some plays (§ 577.3(b)).

    Without touchdown and extra point, which are settled after the extra point roll (§ 577.6(f)(1)).
    """
    return payouts.wins(_game_degrees(ending, plays))


def _game_degrees(ending: Ending, plays: int) -> dict[str, int]:
    degrees = {f"game-length-{plays}": 1}
    if not ending.scored:
        degrees["defense"] = 1
    elif plays <= QUICK_STRIKE_PLAYS:
        degrees["quick-strike-td"] = plays
    if ending in (Ending.TRIPS_TD, Ending.TURNOVER):
        degrees["game-changer"] = 1
    return degrees


@cache
def may_win(drive: Drive) -> frozenset[str]:
    """The full game wagers that some sequence of throws from this drive still wins."""
    areas: set[str] = set()
    for result in {throw(drive, dice) for dice in ROLLS}:
        if result.ending is not None:
            areas.update(_game_degrees(result.ending, drive.play))
        if result.drive is not None:
            areas |= may_win(result.drive)
    return frozenset(areas)


def touchdown_win(payouts: Payouts) -> Win:
    """The touchdown wager's win, after a touchdown or a Trips TD (§ 577.3(b)(1))."""
    return Win("touchdown", to_one(payouts.odds("touchdown")))


def extra_point_wins(dice: Dice, payouts: Payouts) -> tuple[Win, ...]:
    """The extra point wager's win on the extra point roll (§ 577.3(b)(3)); empty if it loses.

    Raises:
        ValueError: a die does not show 1 to 6.
    """
    degree = _checked(dice).count(1)
    if degree == 0 and len(set(dice)) == 1:
        degree = OTHER_TRIPLE
    return payouts.wins({"extra-point": degree} if degree else {})


def _endings() -> dict[tuple[Ending, int], Fraction]:
    """The chance of each ending after each number of plays, over all games."""
    ends: defaultdict[tuple[Ending, int], Fraction] = defaultdict(Fraction)
    drives = {Drive(): Fraction(1)}
    for number in range(1, MOST_PLAYS + 1):
        following: defaultdict[Drive, Fraction] = defaultdict(Fraction)
        for drive, chance in drives.items():
            for play, rolls in Counter(throw(drive, dice) for dice in ROLLS).items():
                if play.drive is not None:
                    following[play.drive] += chance * rolls * SHARE
                if play.ending is not None:
                    ends[play.ending, number] += chance * rolls * SHARE
        drives = following
    return ends


def returns(payouts: Payouts) -> list[WagerReturn]:
    """The exact return of every wager: single play wagers over a throw, full game wagers over all games."""
    ends = _endings()
    scored = sum((chance for (ending, _), chance in ends.items() if ending.scored), Fraction(0))
    touchdown = touchdown_win(payouts)
    settled = [
        *((SHARE, single_play_wins(dice, payouts)) for dice in ROLLS),
        *((chance, game_wins(ending, plays, payouts)) for (ending, plays), chance in ends.items()),
        *((scored * SHARE, (touchdown, *extra_point_wins(dice, payouts))) for dice in ROLLS),
    ]
    return from_outcomes(payouts, settled)
