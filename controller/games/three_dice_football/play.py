"""States, data, lamps and texts of a game of Three Dice Football."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated

from controller.events.effect import Win
from controller.events.text import spoken
from controller.games.shared.ageing import AgedTable
from controller.games.shared.closing import cause_words, closed_words
from controller.games.shared.entry import DICE, Diced
from controller.games.shared.floor import CORRECTION_WORDS, MENU_PROMPT
from controller.games.shared.settlement import Stepwise, step_words
from controller.games.three_dice_football.rules import DOWNS, MOST_PLAYS, Drive, Ending, throw
from controller.statechart.snapshots import ADDED

MOST_POSITIONS = 16
"""Wagering locations at the table (§ 577.2(a))."""
NO_ROLLS = {
    "1": ("off-the-table", "a die went off the table (§ 577.5(b))"),
    "2": ("on-another-die", "a die came to rest on another (§ 577.5(b))"),
    "3": ("not-simultaneous", "the dice did not leave the hand simultaneously (§ 577.5(c)(1))"),
    "4": ("end-not-struck", "a die did not strike the far end of the table (§ 577.5(c)(2))"),
    "5": ("on-the-bank", "a die came to rest on the bank of chips (§ 577.5(c)(3))"),
    "6": ("in-the-cup", "a die came to rest in the dice cup or on a rail (§ 577.5(c)(4))"),
    "7": ("crooked", "a crooked device or technique was used (§ 577.5(c)(5))"),
    "8": ("improper", "the stickperson considers the throw improper (§ 577.5(c)(6))"),
    "9": ("cocked", "a die rests on more than one side, or its face is disputed (§ 577.5(f), (g))"),
}
"""Why a throw does not count: the key of each reason, its name and its text."""
FIELD = (*(f"yard-{n}" for n in range(1, 24)), "end-zone")
"""Lamps of the yard marker (§ 577.2(b)(4))."""
INDICATORS = (
    *(f"down-{n}" for n in range(1, DOWNS + 1)),
    *(f"goal-{n}" for n in range(1, DOWNS + 1)),
    "extra-point-roll",
    *(f"play-{n}" for n in range(1, MOST_PLAYS + 1)),
    *FIELD,
)
"""Lamps in addition to those of the wagers (§ 577.2(b)(4) to (6))."""


class FootballState(Enum):
    """The states of a table of Three Dice Football."""

    CLOSED = "closed"
    MENU = "floor-menu"
    OFFER = "dice-offered"
    POSITION = "position"
    BETS_OPEN = "bets-open"
    THROW = "throw"
    NO_ROLL = "no-roll"
    SETTLING = "settling"
    SETTLED = "settled"
    EXTRA_OFFER = "extra-point-offered"
    EXTRA_THROW = "extra-point-throw"
    CORRECTING = "correcting"


S = FootballState


@dataclass(frozen=True, slots=True)
class FootballData(AgedTable, Diced, Stepwise):
    """The table's data and the game's; the dice are keyed green, green, red."""

    round: int = 0
    """The number of the game."""
    quarterback: int = 1
    """The position that throws, or that is offered the dice; clockwise from the stickperson's left."""
    drive: Drive = field(default_factory=Drive)
    """The drive before the last throw, until that throw is settled."""
    following: Drive | None = None
    """The drive after it; None if the game has ended, or before a throw."""
    ending: Ending | None = None
    extra: bool = False
    """The extra point roll is thrown."""
    decided: bool = False
    """Touchdown and extra point wagers are decided."""
    corrects: tuple[int, ...] = ()
    """The entry that is being corrected."""
    wins: tuple[Win, ...] = ()
    scored_with: Annotated[tuple[int, ...], ADDED] = ()
    """The dice of the touchdown, while the extra point roll is thrown."""
    last: Annotated[tuple[int, ...], ADDED] = ()
    """The dice of the throw before, which can be corrected until the next one is keyed."""
    last_drive: Annotated[Drive | None, ADDED] = None
    """The drive before that throw."""
    position: Annotated[str, ADDED] = ""
    """The digits keyed of the position that takes the dice."""
    back: FootballState = FootballState.CLOSED
    """The state to which the menu, a no roll or a cancelled correction returns."""

    @property
    def begins(self) -> bool:
        """No throw of this game has counted: full game wagers may still be placed (§ 577.3(c))."""
        return self.drive.play == 1


def drive_lamps(drive: Drive) -> tuple[str, ...]:
    """Down Puck, Game Length Puck and Yard Marker before a throw (§ 577.6(a), (c))."""
    series = "goal" if drive.goal else "down"
    return (f"{series}-{drive.down}", f"play-{drive.play}", f"yard-{drive.yards}")


def lamps(data: FootballData) -> tuple[str, ...]:
    """Every lit lamp: the winning wagers, and the drive."""
    won = tuple(win.area for win in data.wins)
    if data.following is not None:
        return (*won, *drive_lamps(data.following))
    if data.ending is None:
        return (*won, *drive_lamps(data.drive))
    played = f"play-{data.drive.play}"
    if data.ending.scored:
        return (*won, played, "end-zone", *(("extra-point-roll",) if data.extra else ()))
    return (*won, played, *((f"yard-{yards_at_end(data)}",) if data.ending is Ending.DOWNS else ()))


def yards_at_end(data: FootballData) -> int:
    """Where the Yard Marker stands when a game ends without a score: moved by its last throw (§ 577.6(c))."""
    if data.ending is not Ending.DOWNS or len(data.entry) != DICE:
        return data.drive.yards
    green, other, red = data.entry
    return data.drive.yards - throw(data.drive, (green, other, red)).yards


def dice_words(dice: tuple[int, ...]) -> str:
    """Dice as keyed: ``3-4 red 6``; ``_`` for each that is missing."""
    green, other, red = (*map(str, dice), *"_" * (DICE - len(dice)))
    return f"{green}-{other} red {red}"


def drive_words(drive: Drive) -> str:
    """The downs and the distance, as the dealer announces them (§ 577.6(d))."""
    number = ("1st", "2nd", "3rd")[drive.down - 1]
    what = f"{number} & goal" if drive.goal else f"{number} down"
    return f"{what}, {drive.yards} yard{'s' if drive.yards != 1 else ''} to the end zone, play {drive.play}"


def waiting_for(state: FootballState, data: FootballData) -> str:
    """What the table waits for, as text for the dealer."""
    return _WORDS[state](data)


def _offer(data: FootballData) -> str:
    if data.retired:
        return "the dice must be changed: the floorperson's key opens the menu"
    if data.position:
        return f"position {data.position} takes the dice: press enter, or clear to key it again"
    return (
        f"offer the dice to position {data.quarterback}: enter if it takes them, clear if it does not; or key the "
        "position that takes them, then enter"
    )


def _position(data: FootballData) -> str:
    return (
        f"the quarterback is at position {data.quarterback}; key the position that has the dice, then enter: "
        f"{data.position or '_'}; clear leaves"
    )


def _open(data: FootballData) -> str:
    if data.begins and data.retired:  # They were retired in a throw that was taken back.
        return "the dice must be changed: the floorperson's key opens the menu"
    wagers = "place full game and single play wagers" if data.begins else "single play wagers may be placed"
    return f"{drive_words(data.drive)}; {wagers}; then no more bets{_BACK[data.begins]}"


def _entry(data: FootballData) -> str:
    again = f" (correction of {dice_words(data.corrects)})" if data.corrects else ""
    keyed = dice_words(data.entry)
    if len(data.entry) == DICE:
        return f"{keyed}{again}: press enter, or clear to key it again"
    return f"position {data.quarterback} throws; key green, green, red: {keyed}{again}"


_BACK = {True: "; correct names another quarterback", False: ""}
"""What else is possible while wagers are open, by whether no throw of the game has counted."""


_OF_THE_LAW = {"trips-td": "Trips TD", "quick-strike-td": "Quick Strike TD"}
"""Wagers whose names § 577.3 writes with capitals in a sentence, too."""


def area_name(area: str) -> str:
    """The displayed name of an area: ``trips-td`` as ``Trips TD``."""
    return _OF_THE_LAW.get(area) or spoken(area)


def area_words(area: str) -> str:
    """A wager in a settlement's sentence: ``game-length-2`` as ``game length 2 wagers``."""
    words = area_name(area)
    return f"{words} wagers" if words[-1].isdigit() else words


def _settling(data: FootballData) -> str:
    words = step_words(data, area_words)
    return f"{words}; once wagers are placed, no more bets will do" if data.following is not None else words


def _settled(data: FootballData) -> str:
    if data.following is not None:
        return (
            f"pass the dice back to position {data.quarterback}; press clear for the next throw; once wagers are "
            "placed, no more bets will do"
        )
    if data.ending is not None and data.ending.scored:
        return f"the game is over: press clear for the next one; enter if position {data.quarterback} leaves"
    return "the game is over: press clear for the next one"


_TAKES_BACK = "; correct if no extra point wager stands"
_WORDS: dict[FootballState, Callable[[FootballData], str]] = {
    S.CLOSED: lambda data: closed_words(data, name=area_name),
    S.MENU: lambda data: (
        MENU_PROMPT + (f" (closed: {cause_words(data, area_name)})" if data.cause and data.back is S.CLOSED else "")
    ),
    S.OFFER: _offer,
    S.POSITION: _position,
    S.BETS_OPEN: _open,
    S.THROW: _entry,
    S.NO_ROLL: lambda data: "why no roll? Choose, or clear to leave",
    S.SETTLING: _settling,
    S.SETTLED: _settled,
    S.EXTRA_OFFER: lambda data: "does an extra point wager stand? Choose",
    S.EXTRA_THROW: lambda data: (
        f"extra point roll: {_entry(data)}{_TAKES_BACK if not (data.corrects or data.seen) else ''}"
    ),
    S.CORRECTING: lambda data: CORRECTION_WORDS,
}
