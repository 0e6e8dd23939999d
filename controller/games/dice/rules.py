"""States, data and the law of a round with three dice that the dealer keys in, and why a round is void."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from itertools import product

from controller.events.effect import RoundOpened, Win
from controller.events.event import Event
from controller.events.words import NOTHING, text
from controller.games.shared.dice_entry import DICE, Diced
from controller.machine.offers import Authority, Offer
from controller.machine.round_machine import DIGITS, Step
from controller.odds.exact import WagerReturn, from_outcomes
from controller.odds.wagers import Payouts, Score

CONTROLS = frozenset({"no-more-bets", "done", "clear", "enter", "no-roll", "correct", *DIGITS})
"""The keys that the dealer needs."""
SWITCHES = frozenset({"floor-key", "shaker-done", "shaker-fault"})
BY_HAND, IN_SHAKER = "dice", "shaker-dice"
"""The dice of the manual and of the automated shaker: each have their own age (§ 539.2(b))."""


class DiceState(Enum):
    CLOSED = "closed"
    INSPECTION_KEY = "inspection-key"
    INSPECTION_ENTRY = "inspection-entry"
    INSPECTION_LIT = "inspection-lit"
    INSPECTION_LAMPS = "inspection-lamps"
    INSPECTION_SHAKER = "inspection-shaker"
    BETS_OPEN = "bets-open"
    SHAKING = "shaking"
    ENTRY = "entry"
    DOUBT = "toss-in-doubt"
    RESULT = "result"
    LOSERS_COLLECTED = "losers-collected"
    WINNERS_PAID = "winners-paid"
    MALFUNCTION = "malfunction"


S = DiceState
SETTLING = (S.RESULT, S.LOSERS_COLLECTED, S.WINNERS_PAID)
ROLLED = (S.SHAKING, S.ENTRY, S.DOUBT, *SETTLING, S.MALFUNCTION)
"""Dice may be uncovered: wagers are settled or go back, and the table closes only then."""
RESULT_STATES = frozenset((*(state.value for state in (*SETTLING, S.MALFUNCTION)), "locked"))


@dataclass(frozen=True, slots=True)
class Inspection:
    """The progress of an inspection."""

    values: int = 0  # confirmed
    trying: str = ""  # the area whose lamp is lit alone; empty before and after that
    cycles: int = 0  # of the automated shaker, confirmed
    cycled: bool = False  # the shaker has completed a cycle that is not confirmed yet


@dataclass(frozen=True, slots=True)
class DiceData(Diced):
    """The table's data and the round's."""

    round: int = 0
    automated: bool = False  # an automated shaker is on the table
    corrects: tuple[int, ...] = ()  # the entry that is being corrected
    result: bool = False  # a result is on record
    wins: tuple[Win, ...] = ()
    settled: str = ""  # how far the result was settled: the state; empty if it only was lit
    tossed: bool = False  # the automated shaker has signalled a toss of this round
    again: bool = False  # it has signalled a second one
    doubt: str = ""  # code: why it is not certain which toss the dice show. The floorperson decides
    resumed: bool = False  # the power failed while the dice were shaken by hand: they may be uncovered
    voided: bool = False  # a person made the last round void; that can be taken back until wagers are closed
    inspection: Inspection = field(default_factory=Inspection)
    failed_lamps: tuple[str, ...] = ()  # the areas whose lamps have failed since an inspection was passed
    failed_keys: tuple[str, ...] = ()  # the keys that have failed since then and were not tried


def dice_returns(payouts: Payouts, score: Score[tuple[int, ...]]) -> list[WagerReturn]:
    """The exact return of every wager, over all rolls."""
    rolls = list(product(range(1, 7), repeat=DICE))
    return from_outcomes(payouts, ((Fraction(1, len(rolls)), score(roll, payouts)) for roll in rolls))


def dice_words(dice: tuple[int, ...]) -> str:
    """Dice as keyed, with gaps: ``3-4-_``."""
    return "-".join((*map(str, dice), *"_" * (DICE - len(dice))))


# -- rounds ------------------------------------------------------------------------------------------------------


def automated(data: DiceData, event: Event) -> bool:
    return data.automated


def undecided(data: DiceData, event: Event | None = None) -> bool:
    """The round has no result yet."""
    return not data.result and not data.corrects


def between_rounds(data: DiceData) -> DiceData:
    """What remains of a round once it is over."""
    kept = (data.failed_lamps, data.failed_keys)
    return DiceData(round=data.round, automated=data.automated, failed_lamps=kept[0], failed_keys=kept[1])


def open_round(data: DiceData, event: Event) -> Step[DiceData]:
    opened = replace(between_rounds(data), round=data.round + 1)
    return Step(opened, (RoundOpened(opened.round),))


# -- voids -------------------------------------------------------------------------------------------------------


def voids(state: DiceState, data: DiceData) -> Iterator[Offer]:
    """The reasons for which people can make the round void, each with the sensor that contradicts it (§ 539.7)."""
    alone = state in (S.SHAKING, S.ENTRY) and not (data.seen or data.doubt) and undecided(data)
    unseen = data.automated and not (data.tossed or data.seen or data.doubt)
    tossed, once = text("toss-seen"), text("no-second-toss")
    yield Offer(
        "void",
        "dice-not-flat",
        Authority.DEALER if alone else Authority.FLOORPERSON,
        control="no-roll",
        unavailable=text("no-toss-seen") if unseen else NOTHING,
    )
    if data.automated:
        yield Offer("void", "shaker-failed", unavailable=tossed if data.tossed else NOTHING)
    yield Offer("void", "not-tossed", unavailable=tossed if data.tossed else NOTHING)
    yield Offer("void", "second-toss", unavailable=once if data.automated and not data.again else NOTHING)
    yield Offer("void", "die-lost")


def void_parameters(data: DiceData) -> dict[str, str | int]:
    """What a void takes back: the dice on record, the areas that were lit, and how far they were settled."""
    dice = data.entry if data.result else data.corrects
    if not dice:
        return {}
    lit = ",".join(win.area for win in data.wins)
    return {"dice": dice_words(dice), "lit": lit, "settled": data.settled}
