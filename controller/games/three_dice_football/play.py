"""States, data, lamps, settlement and labels of a game of Three Dice Football."""

from dataclasses import dataclass, field
from enum import Enum

from controller.events.effect import Result, Win
from controller.games.shared.dice_entry import DICE, Diced
from controller.games.three_dice_football.rules import (
    DOWNS,
    MOST_PLAYS,
    WAGERS,
    Dice,
    Drive,
    Ending,
    may_win,
    throw,
)

MOST_POSITIONS = 16
"""Wagering locations at the table (§ 577.2(a))."""
NO_ROLLS = (
    *("off-the-table", "on-another-die", "not-simultaneous", "end-not-struck", "on-the-bank", "in-the-cup"),
    *("crooked", "improper", "cocked"),
)
"""Why a throw does not count (§ 577.5(b), (c), (f), (g)), in the order of their keys from 1."""
AREAS = tuple(wager.area for wager in WAGERS)
SINGLE_PLAY = AREAS[AREAS.index("trips-td") :]
"""The wagers that every throw decides (§ 577.3(d))."""
FULL_GAME = tuple(area for area in AREAS if area not in (*SINGLE_PLAY, "touchdown", "defense", "extra-point"))
"""The full game wagers that are settled last (§ 577.6(f))."""
INDICATORS = (
    *(f"{series}-{n}" for series in ("down", "goal") for n in range(1, DOWNS + 1)),
    "extra-point-roll",
    *(f"play-{n}" for n in range(1, MOST_PLAYS + 1)),
    *(f"yard-{n}" for n in range(1, 24)),
    "end-zone",
)
"""Lamps in addition to those of the wagers (§ 577.2(b)(4) to (6))."""


class FootballState(Enum):
    CLOSED = "closed"
    OFFER = "dice-offered"
    POSITION = "position"
    BETS_OPEN = "bets-open"
    THROW = "throw"
    SETTLING = "settling"
    SETTLED = "settled"
    EXTRA_OFFER = "extra-point-offered"
    EXTRA_THROW = "extra-point-throw"


S = FootballState
RESULT_STATES = frozenset((*(state.value for state in (S.SETTLING, S.SETTLED, S.EXTRA_OFFER)), "locked"))


@dataclass(frozen=True, slots=True)
class FootballData(Diced):
    """A game's data; the dice are keyed green, green, red."""

    round: int = 0  # the number of the game
    # The position that throws, or that is offered the dice; clockwise from the stickperson's left.
    quarterback: int = 1
    position: str = ""  # the digits keyed of the position that takes the dice
    drive: Drive = field(default_factory=Drive)  # the drive before the last throw, until that throw is settled
    following: Drive | None = None  # the drive after it; None if the game has ended, or before a throw
    ending: Ending | None = None
    wins: tuple[Win, ...] = ()
    done: int = 0  # completed steps of the settlement
    touchdown: tuple[int, ...] = ()  # the dice of the touchdown, once it is known whether an extra point is thrown
    extra: bool = False  # the extra point roll is thrown
    closing: bool = False  # the table closes once the touchdown wagers are paid
    corrects: tuple[int, ...] = ()  # the dice on record that are keyed anew
    last: tuple[int, ...] = ()  # the dice of the throw before, which can be corrected until the next one is keyed
    last_drive: Drive | None = None  # the drive before that throw
    called_off: "FootballData | None" = None  # the game that the floorperson called off, until the next one begins

    @property
    def begins(self) -> bool:
        """No throw of this game has counted: full game wagers may still be placed (§ 577.3(c))."""
        return self.drive.play == 1

    @property
    def scored(self) -> bool:
        return self.ending is not None and self.ending.scored

    @property
    def decided(self) -> bool:
        """Touchdown and extra point wagers are decided."""
        return bool(self.touchdown and self.wins)

    @property
    def dice(self) -> Dice:
        green, other, red = self.entry
        return green, other, red


def lamps(data: FootballData) -> tuple[str, ...]:
    """Every lit lamp: the winning wagers, and the drive."""
    won = tuple(win.area for win in data.wins)
    drive = data.following or data.drive
    if data.following is not None or data.ending is None:
        # Down Puck, Game Length Puck and Yard Marker before a throw (§ 577.6(a), (c)).
        series = "goal" if drive.goal else "down"
        return (*won, f"{series}-{drive.down}", f"play-{drive.play}", f"yard-{drive.yards}")
    played = f"play-{data.drive.play}"
    if data.scored:
        return (*won, played, "end-zone", *(("extra-point-roll",) if data.extra else ()))
    return (*won, played, *((f"yard-{yards_at_end(data)}",) if data.ending is Ending.DOWNS else ()))


def yards_at_end(data: FootballData) -> int:
    """Where the Yard Marker is when a game ends without a score: moved by its last throw (§ 577.6(c))."""
    if data.ending is not Ending.DOWNS or len(data.entry) != DICE:
        return data.drive.yards
    return data.drive.yards - throw(data.drive, data.dice).yards


def steps_of(data: FootballData) -> tuple[str, ...]:
    """Codes of the steps of the settlement, in the order of § 577.6(d) and (f)."""
    if data.decided:
        second = "extra-point-returned" if data.closing else "extra-point"
        return ("touchdown-paid", second) if data.extra or data.closing else ("touchdown-paid",)
    if data.ending is None:
        return ("single-plays",)
    return ("defense-collected" if data.scored else "defense-paid", "single-plays", "full-game")


def settled_by(data: FootballData) -> str:
    """Code of how far the result is settled; empty if it is only lit."""
    return f"settled-{steps_of(data)[data.done - 1]}" if data.done else ""


def paid(data: FootballData) -> tuple[Win, ...]:
    """The winning wagers of the present step of the settlement; none once it is over."""
    step = next(iter(steps_of(data)[data.done :]), "")
    areas = {"single-plays": SINGLE_PLAY, "full-game": FULL_GAME}.get(step, (step.removesuffix("-paid"),))
    return tuple(win for win in data.wins if win.area in areas)


def lost_before(drive: Drive) -> tuple[str, ...]:
    """The full game wagers that cannot win any more when a game comes to this drive."""
    return tuple(area for area in FULL_GAME if area not in may_win(drive))


EXTRA_ROLL, NO_EXTRA = "extra point roll", "no extra point roll"
_ENDINGS = {
    Ending.TOUCHDOWN: "touchdown",
    Ending.TRIPS_TD: "Trips TD",
    Ending.TURNOVER: "turnover, the game is over",
    Ending.DOWNS: "out of downs, the game is over",
}


def dice_words(dice: tuple[int, ...]) -> str:
    """Dice as keyed: ``3-4 red 6``; ``_`` for each that is missing."""
    green, other, red = (*map(str, dice), *"_" * (DICE - len(dice)))
    return f"{green}-{other} red {red}"


def label_of(drive: Drive, dice: tuple[int, ...]) -> str:
    green, other, red = dice
    found = throw(drive, (green, other, red))
    what = _ENDINGS[found.ending] if found.ending else found.kind.value.replace("-", " ")
    return f"{dice_words(dice)}, {what}"


def extra_label(data: FootballData) -> str:
    """The label of the result that decides touchdown and extra point wagers."""
    return f"{dice_words(data.entry)}, {EXTRA_ROLL if data.extra else NO_EXTRA}"


def parts(result: Result) -> tuple[str, str]:
    """The dice, and the kind of the throw; none of a settlement without a throw."""
    dice, what, *_ = result.label.split(", ")
    return dice, "" if what == NO_EXTRA else what.removesuffix(" roll")


def listed(result: Result) -> str:
    """``5-2 red 3 gain``; empty for a settlement without a throw."""
    dice, what = parts(result)
    return f"{dice} {what}" if what else ""


def situation(drive: Drive) -> dict[str, str | int]:
    """Parameters of the words for a drive."""
    return {"down": drive.down, "goal": int(drive.goal), "yards": drive.yards, "play": drive.play}
