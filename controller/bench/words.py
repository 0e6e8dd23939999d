"""What happened at the table, in the words of people: for the bench's log and the demonstration."""

from dataclasses import dataclass
from enum import Enum
from functools import singledispatch

from controller.effects import (
    Alert,
    Bonus,
    Light,
    Note,
    Refused,
    Result,
    RoundOpened,
    Void,
    WagersReturned,
    Win,
)
from controller.facts import PowerRestored, ShakerCycled, ShakerFailed, TableStarted, WheelRested, WheelThrown
from controller.table import Happening

NS_PER_S = 1_000_000_000


class Tone(Enum):
    """How much a line wants to be seen."""

    PLAIN = "plain"
    PEOPLE = "people"
    """What people did, as against what the table said."""
    RESULT = "result"
    VOID = "void"
    ALARM = "alarm"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of words."""

    text: str
    tone: Tone = Tone.PLAIN


def describe(happening: Happening) -> list[str]:
    """A happening in words, the fact first; empty if it is of no interest to people."""
    return [line.text for line in lines(happening)]


def lines(happening: Happening) -> list[Line]:
    """The same, with the tone of each line."""
    record = happening.record
    said = (words_of(thing) for thing in (record.fact, *record.effects))
    return [line for line in said if line is not None]


def minutes(duration_ns: int) -> str:
    """A time as ``m:ss``, cut to the whole second."""
    minute, second = divmod(max(0, duration_ns) // NS_PER_S, 60)
    return f"{minute}:{second:02}"


def revolutions(counts: int, counts_per_turn: int) -> str:
    """Revolutions to two decimals, cut rather than rounded: one count less than three is not 3.00."""
    whole, hundredths = divmod(counts * 100 // counts_per_turn, 100)
    return f"{whole}.{hundredths:02}"


def wins_words(wins: tuple[Win, ...]) -> str:
    """Winning areas with what they pay."""
    return ", ".join(f"{win.area} pays {win.pays}" for win in wins) or "no area wins"


# -- a function for each kind of fact and effect ----------------------------------------------------------------


@singledispatch
def words_of(thing: object) -> Line | None:
    """The words for a fact or an effect; None for those that say nothing to people."""
    return None


@words_of.register
def _started(fact: TableStarted) -> Line:
    return Line("the table starts on an empty journal")


@words_of.register
def _restored(fact: PowerRestored) -> Line:
    return Line("power restored: the table goes on where its journal ends", Tone.VOID)


@words_of.register
def _thrown(fact: WheelThrown) -> Line:
    return Line(f"the wheel turns {fact.direction.value}")


@words_of.register
def _rested(fact: WheelRested) -> Line | None:
    if not fact.travel_counts:
        return None
    turned = revolutions(fact.travel_counts, fact.counts_per_turn)
    return Line(f"at rest after {turned} revolutions")


@words_of.register
def _cycled(fact: ShakerCycled) -> Line:
    return Line("the automated shaker has tossed the dice")


@words_of.register
def _shaker_failed(fact: ShakerFailed) -> Line:
    return Line("the automated shaker reports a failure", Tone.ALARM)


@words_of.register
def _light(effect: Light) -> Line | None:
    return Line(f"lit: {', '.join(effect.areas)}") if effect.areas else None


@words_of.register
def _result(effect: Result) -> Line:
    return Line(f"RESULT {effect.label}: {wins_words(effect.wins)}", Tone.RESULT)


@words_of.register
def _bonus(effect: Bonus) -> Line:
    return Line(f"BONUS {effect.label}: the next result pays {effect.multiplier} times", Tone.RESULT)


@words_of.register
def _void(effect: Void) -> Line:
    detail = f": {effect.detail}" if effect.detail else ""
    return Line(f"VOID {plain(effect.reason)}{detail}", Tone.VOID)


@words_of.register
def _returned(effect: WagersReturned) -> Line:
    return Line(f"all wagers go back to the players: {plain(effect.reason)}", Tone.VOID)


@words_of.register
def _opened(effect: RoundOpened) -> Line:
    return Line(f"round {effect.number} opens")


@words_of.register
def _note(effect: Note) -> Line:
    return Line(effect.text)


@words_of.register
def _alert(effect: Alert) -> Line:
    remedy = f" ({effect.remedy})" if effect.remedy else ""
    return Line(f"ALERT {effect.text}{remedy}", Tone.ALARM)


@words_of.register
def _refused(effect: Refused) -> Line:
    return Line(f"REFUSED {effect.control}; the table waits: {effect.waiting_for}", Tone.ALARM)


def plain(name: str) -> str:
    """A name of the record as words: ``no-more-bets`` as ``no more bets``."""
    return name.replace("-", " ")
