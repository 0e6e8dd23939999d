"""States, data, texts and guards of a round with keyed-in dice."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum

from controller.events.effect import RoundOpened, Win
from controller.events.event import Event
from controller.games.shared.ageing import AgedTable
from controller.games.shared.closing import closed_words
from controller.games.shared.entry import DICE, Diced, Numbered
from controller.games.shared.floor import CORRECTION_WORDS
from controller.statechart.machine import Step

INSPECTED_VALUES = 3
"""Numeric values entered at the opening inspection (§ 539.5(a)(1))."""
SHAKER_CYCLES = 3
"""Cycles of an automated shaker at the opening inspection (§ 539.5(a)(2))."""


class DiceState(Enum):
    """The states of a table with keyed-in dice."""

    CLOSED = "closed"
    MENU = "floor-menu"
    INSPECTOR = "inspector"
    INSPECTION_ENTRY = "inspection-entry"
    INSPECTION_LIT = "inspection-lit"
    INSPECTION_SHAKER = "inspection-shaker"
    DICE_DUE = "dice-due"
    BETS_OPEN = "bets-open"
    SHAKING = "shaking"
    ENTRY = "entry"
    RESULT = "result"
    CORRECTING = "correcting"
    LOSERS_COLLECTED = "losers-collected"
    WINNERS_PAID = "winners-paid"
    MALFUNCTION = "malfunction"


@dataclass(frozen=True, slots=True)
class DiceData(AgedTable, Diced, Numbered):
    """The table's data and the round's."""

    round: int = 0
    automated: bool = False
    """An automated shaker is on the table."""
    corrects: tuple[int, ...] = ()
    """The entry that is being corrected."""
    wins: tuple[Win, ...] = ()
    inspected: int = 0
    """Values confirmed at this inspection."""
    cycles: int = 0
    """Shaker cycles confirmed at this inspection."""
    cycled: bool = False
    """The shaker has run a cycle that is not confirmed yet."""
    back: DiceState = DiceState.CLOSED
    """The state to which the floorperson's menu, or a cancelled correction, returns."""


@dataclass(frozen=True, slots=True)
class DiceClauses:
    """The clauses of the regulation that the record cites; empty for a game that cites none."""

    no_roll: str = ""
    shaker_failed: str = ""
    shaker_removed: str = ""


def cited(text: str, clause: str) -> str:
    """A sentence with its clause, if there is one."""
    return f"{text} ({clause})" if clause else text


RollScore = Callable[[tuple[int, ...]], tuple[Win, ...]]
"""The winning areas of a roll, in the order of the layout."""
S = DiceState

MENU_WORDS = (
    "1 open the table: inspection, 2 new dice in the shaker, 3 automated shaker removed, "
    "4 automated shaker installed, 5 close the table, clear leaves"
)


def dice_words(dice: tuple[int, ...]) -> str:
    """Dice as keyed: ``3-4-6``."""
    return "-".join(map(str, dice))


def entry_words(entry: tuple[int, ...]) -> str:
    """An entry with its gaps: ``3-4-_``."""
    return "-".join((*map(str, entry), *"_" * (DICE - len(entry))))


def waiting_for(state: DiceState, data: DiceData) -> str:
    """What the table waits for, in words for the dealer."""
    words = _KEYED.get(state)
    if words is not None:
        return words(data)
    return _FIXED[state]


def _entry(data: DiceData) -> str:
    again = f" (correction of {dice_words(data.corrects)})" if data.corrects else ""
    if len(data.entry) == DICE:
        return f"{entry_words(data.entry)}{again}: press enter, or clear to key it again"
    return f"key the three dice, 1 to 6 each: {entry_words(data.entry)}{again}"


def _shaking(data: DiceData) -> str:
    if data.automated:
        return "start the shaker and wait until it has tossed the dice"
    return "cover, shake at least three times, uncover; key the three dice, 1 to 6 each, then enter"


def _inspection_entry(data: DiceData) -> str:
    which = f"inspection, value {data.inspected + 1} of {INSPECTED_VALUES}"
    return f"{which}: key three dice, 1 to 6 each, then enter: {entry_words(data.entry)}"


def _inspection_shaker(data: DiceData) -> str:
    which = f"inspection, cycle {data.cycles + 1} of {SHAKER_CYCLES}"
    if data.cycled:
        return f"{which}: were the dice properly tossed? The floorperson's key confirms, clear refuses"
    return f"{which}: start the shaker"


def _malfunction(data: DiceData) -> str:
    if data.wins:
        won = ", ".join(f"{win.area} ({win.pays})" for win in data.wins)
        what = f"collect the losing wagers and pay {won}"
    else:
        what = "settle all wagers by the dice"
    words = f"malfunction ({data.cause}): {what} before a floorperson, who then turns the key"
    if undecided(data):
        words += "; if the dice were not tossed or do not all lie flat, return the wagers and press no roll"
    return words


_KEYED: dict[DiceState, Callable[[DiceData], str]] = {
    S.CLOSED: lambda data: f"{closed_words(data)} for the inspection",
    S.ENTRY: _entry,
    S.SHAKING: _shaking,
    S.INSPECTION_ENTRY: _inspection_entry,
    S.INSPECTION_SHAKER: _inspection_shaker,
    S.MALFUNCTION: _malfunction,
    S.INSPECTOR: lambda data: f"the floorperson's number, then enter: {data.number or '_'}",
    S.INSPECTION_LIT: lambda data: (
        f"inspection: does every area that wins on {dice_words(data.entry)} burn, and no other? "
        "The floorperson's key confirms, clear refuses"
    ),
}
_FIXED = {
    S.MENU: MENU_WORDS,
    S.DICE_DUE: "the dice must be changed: the floorperson's key opens the menu",
    S.BETS_OPEN: "place wagers; call no more bets and press it",
    S.RESULT: "collect all losing wagers, then press done",
    S.CORRECTING: CORRECTION_WORDS,
    S.LOSERS_COLLECTED: "pay all winning wagers, then press done",
    S.WINNERS_PAID: "press clear for the next round",
}


# -- guards ----------------------------------------------------------------------------------------------------


def automated(data: DiceData, event: Event) -> bool:
    return data.automated


def correcting(data: DiceData, event: Event) -> bool:
    return bool(data.corrects)


def undecided(data: DiceData, event: Event | None = None) -> bool:
    """The round has no result yet."""
    return not data.wins and not data.corrects


def last_value(data: DiceData, event: Event) -> bool:
    return data.inspected + 1 >= INSPECTED_VALUES


def last_cycle(data: DiceData, event: Event) -> bool:
    return data.cycled and data.cycles + 1 >= SHAKER_CYCLES


def cycled(data: DiceData, event: Event) -> bool:
    return data.cycled


# -- actions ---------------------------------------------------------------------------------------------------


def open_round(data: DiceData, event: Event) -> Step[DiceData]:
    """The next round opens."""
    data = replace(data, round=data.round + 1, entry=(), corrects=(), wins=(), cause="", back=S.CLOSED)
    return Step(data, (RoundOpened(data.round),))
