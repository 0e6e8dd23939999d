"""States, data and guards of a round with keyed-in dice."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated, NamedTuple, Self

from controller.events.effect import RoundOpened, Win
from controller.events.event import Event
from controller.games.shared.ageing import AgedTable, moved
from controller.games.shared.entry import DICE, DIGITS, Diced
from controller.statechart.guards import Action, Guard
from controller.statechart.machine import Step, Transition
from controller.statechart.snapshots import ADDED

CONTROLS = frozenset({"no-more-bets", "done", "clear", "enter", "no-roll", "correct", *DIGITS})
"""The keys that the dealer needs."""
INSPECTED_VALUES = 3
"""Numeric values entered at the opening inspection (§ 539.5(a)(1))."""
SHAKER_CYCLES = 3
"""Cycles of an automated shaker at the opening inspection (§ 539.5(a)(2))."""


class DiceState(Enum):
    """The states of a table with keyed-in dice."""

    CLOSED = "closed"
    MENU = "floor-menu"
    INSPECTION_KEY = "inspection-key"
    INSPECTION_ENTRY = "inspection-entry"
    INSPECTION_LIT = "inspection-lit"
    INSPECTION_LAMPS = "inspection-lamps"
    INSPECTION_SHAKER = "inspection-shaker"
    DICE_DUE = "dice-due"
    BETS_OPEN = "bets-open"
    SHAKING = "shaking"
    ENTRY = "entry"
    DOUBT = "toss-in-doubt"
    NO_ROLL = "no-roll"
    VOIDING = "voiding"
    RESULT = "result"
    CORRECTING = "correcting"
    LOSERS_COLLECTED = "losers-collected"
    WINNERS_PAID = "winners-paid"
    MALFUNCTION = "malfunction"


@dataclass(frozen=True, slots=True)
class DiceData(AgedTable, Diced):
    """The table's data and the round's."""

    number: str = ""
    """Credential number of the floorperson before whom the last inspection was passed; empty for none."""
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
    tossed: Annotated[bool, ADDED] = False
    """The automated shaker has tossed the dice of this round."""
    doubt: Annotated[str, ADDED] = ""
    """Why it is not certain which toss lies there; the floorperson decides."""
    resumed: Annotated[bool, ADDED] = False
    """The power went while the dice were shaken by hand."""
    reason: Annotated[str, ADDED] = ""
    """The key of the reason for which the round is to be void, until the floorperson's key."""
    spare_utc_ns: Annotated[int, ADDED] = 0
    """When the dice of the shaker that is set aside were put to use; 0 if not recorded."""
    failed_lamps: Annotated[tuple[str, ...], ADDED] = ()
    """The areas whose lamps have failed since an inspection was passed."""
    failed_keys: Annotated[tuple[str, ...], ADDED] = ()
    """The keys that have failed since then and were not tried."""
    trying: Annotated[str, ADDED] = ""
    """The area whose lamp the inspection lights alone; empty before and after that."""
    back: DiceState = DiceState.CLOSED
    """The state to which the floorperson's menu, a no roll or a cancelled correction returns."""

    def moved(self, by_ns: int, since_ns: int) -> Self:
        in_use = AgedTable.moved(self, by_ns, since_ns)
        return replace(in_use, spare_utc_ns=moved(self.spare_utc_ns, by_ns, since_ns))


class DiceClauses(NamedTuple):
    """The clauses of the regulation that the record cites; empty for a game that cites none."""

    no_roll: str = ""
    shaker_failed: str = ""
    shaker_removed: str = ""


def cited(text: str, clause: str) -> str:
    """A sentence with its clause, if there is one."""
    return f"{text} ({clause})" if clause else text


RollScore = Callable[[tuple[int, ...]], tuple[Win, ...]]
"""The winning areas of a roll, in the order of the layout."""


class Layout(NamedTuple):
    """The areas in the order of the layout, and which of them win on a roll."""

    areas: tuple[str, ...]
    score: RollScore


Opens = Callable[
    [DiceState, str, Action[DiceData], Guard[DiceData], str], Iterator[Transition[DiceState, DiceData]]
]
"""Makes the transitions that open a round, from source state, event, action, guard and the guard's text."""
S = DiceState


class NoRoll(NamedTuple):
    """A reason for which a round is void.

    Attributes:
        name: in the record.
        words: what happened.
        clause: the name of its clause in :class:`DiceClauses`; empty for none.
        possible: whether it can be what happened, by what the sensors saw.
        excluded: why not, if it cannot.
    """

    name: str
    words: str
    clause: str
    possible: Callable[[DiceData], bool]
    excluded: Callable[[DiceData], str]


_BY_HAND = "the table has the manual shaker"


NO_ROLLS = {
    "1": NoRoll(
        "no-roll",
        "the dice do not all lie flat",
        "no_roll",
        lambda d: d.tossed or bool(d.doubt) or not d.automated or dice_keyed(d),
        lambda d: "the shaker has not tossed them",
    ),
    "2": NoRoll(
        "shaker-failed",
        "the automated shaker failed",
        "shaker_failed",
        lambda d: d.automated,
        lambda d: _BY_HAND,
    ),
    "3": NoRoll(
        "not-tossed",
        "the dice were not tossed",
        "",
        lambda d: not d.tossed and undecided(d),
        lambda d: _decided_words(d) or "the shaker has tossed them",
    ),
    "4": NoRoll(
        "second-toss",
        "the first toss is not known",
        "",
        lambda d: d.automated and bool(d.doubt) and undecided(d),
        lambda d: _decided_words(d) or ("no second toss was seen" if d.automated else _BY_HAND),
    ),
}
"""Why a round is void, by the key that is pressed for it."""


def _decided_words(data: DiceData) -> str:
    return "" if undecided(data) else "the dice are on record"


def dice_words(dice: tuple[int, ...]) -> str:
    """Dice as keyed: ``3-4-6``."""
    return "-".join(map(str, dice))


def entry_words(entry: tuple[int, ...]) -> str:
    """An entry with its gaps: ``3-4-_``."""
    return "-".join((*map(str, entry), *"_" * (DICE - len(entry))))


def dice_keyed(data: DiceData) -> bool:
    """Dice were keyed in this round: they lie there, whether a sensor saw the toss or not."""
    return bool(data.entry or data.wins or data.corrects)


# -- guards ----------------------------------------------------------------------------------------------------


def automated(data: DiceData, event: Event) -> bool:
    return data.automated


def correcting(data: DiceData, event: Event) -> bool:
    return bool(data.corrects)


def undecided(data: DiceData, event: Event | None = None) -> bool:
    """The round has no result yet."""
    return not data.wins and not data.corrects


def lit(data: DiceData, event: Event) -> bool:
    """The areas of a result are lit."""
    return bool(data.wins)


def tossed(data: DiceData, event: Event) -> bool:
    return data.tossed


def no_dice(data: DiceData, event: Event) -> bool:
    """No die is keyed, and none was."""
    return not data.seen and undecided(data)


def first_toss(data: DiceData, event: Event) -> bool:
    """The automated shaker has not tossed the dice of this round yet."""
    return data.automated and not data.tossed and undecided(data)


def second_toss(data: DiceData, event: Event) -> bool:
    """It has, and they are not keyed."""
    return data.automated and data.tossed and undecided(data)


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
    data = replace(data, tossed=False, doubt="", resumed=False, reason="", seen=False)
    return Step(data, (RoundOpened(data.round),))
