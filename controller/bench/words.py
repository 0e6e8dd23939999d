"""What happened at the table, line by line with its tone: for the bench's log and the demonstration."""

from dataclasses import dataclass
from enum import Enum

from controller.effects import Alert, Bonus, Effect, Refused, Result, Void, WagersReturned
from controller.facts import Fact, PowerRestored, ShakerFailed
from controller.table import Happening
from controller.words import words_of

NS_PER_S = 1_000_000_000


class Tone(Enum):
    """How much a line wants to be seen."""

    PLAIN = "plain"
    PEOPLE = "people"
    """What people did, as against what the table said."""
    RESULT = "result"
    VOID = "void"
    ALARM = "alarm"


MANY = 10
"""More winning wagers than this fill a log."""
_TONES: dict[type, Tone] = {
    PowerRestored: Tone.VOID,
    ShakerFailed: Tone.ALARM,
    Result: Tone.RESULT,
    Bonus: Tone.RESULT,
    Void: Tone.VOID,
    WagersReturned: Tone.VOID,
    Alert: Tone.ALARM,
    Refused: Tone.ALARM,
}
"""All others are plain."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of words."""

    text: str
    tone: Tone = Tone.PLAIN


def describe(happening: Happening, without: tuple[type, ...] = ()) -> list[str]:
    """A happening in words, the fact first; empty if it is of no interest to people.

    Args:
        without: types of facts and effects that are seen elsewhere.
    """
    return [line.text for line in lines(happening, without)]


def lines(happening: Happening, without: tuple[type, ...] = (), brief: bool = False) -> list[Line]:
    """The same, with the tone of each line.

    Args:
        brief: a result with many winning wagers only tells how many, for where the panel shows which.
    """
    record = happening.record
    things = (thing for thing in (record.fact, *record.effects) if not isinstance(thing, without))
    told = ((thing, _brief_words(thing) if brief else words_of(thing)) for thing in things)
    return [Line(words, _TONES.get(type(thing), Tone.PLAIN)) for thing, words in told if words]


def _brief_words(thing: Fact | Effect) -> str:
    if isinstance(thing, Result) and len(thing.wins) > MANY:
        return f"RESULT {thing.label}: {len(thing.wins)} wagers win"
    return words_of(thing)


def minutes(duration_ns: int) -> str:
    """A time as ``m:ss``, cut to the whole second."""
    minute, second = divmod(max(0, duration_ns) // NS_PER_S, 60)
    return f"{minute}:{second:02}"
