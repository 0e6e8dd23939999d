"""What happened at the table, line by line with its tone: for the bench's log and the demonstration."""

from dataclasses import dataclass
from enum import Enum

from controller.events.effect import Alert, Bonus, Effect, Refused, Result, Void, WagersReturned
from controller.events.event import Event, PowerRestored, RulesChanged, ShakerFailed
from controller.events.text import text_of
from controller.journal.record import RecordedDecision

NS_PER_S = 1_000_000_000


class LineTone(Enum):
    """How much a line wants to be seen."""

    PLAIN = "plain"
    PEOPLE = "people"
    """What people did, as against what the table said."""
    RESULT = "result"
    VOID = "void"
    ALARM = "alarm"


MANY = 10
"""More winning wagers than this fill a log."""
_TONES: dict[type, LineTone] = {
    PowerRestored: LineTone.VOID,
    RulesChanged: LineTone.VOID,
    ShakerFailed: LineTone.ALARM,
    Result: LineTone.RESULT,
    Bonus: LineTone.RESULT,
    Void: LineTone.VOID,
    WagersReturned: LineTone.VOID,
    Alert: LineTone.ALARM,
    Refused: LineTone.ALARM,
}
"""All others are plain."""


@dataclass(frozen=True, slots=True)
class EventLine:
    """A line of words."""

    text: str
    tone: LineTone = LineTone.PLAIN


def describe(recorded: RecordedDecision, without: tuple[type, ...] = ()) -> list[str]:
    """A happening in words, the event first; empty if it is of no interest to people.

    Args:
        without: types of events and effects that are seen elsewhere.
    """
    return [line.text for line in lines(recorded, without)]


def lines(recorded: RecordedDecision, without: tuple[type, ...] = (), brief: bool = False) -> list[EventLine]:
    """The same, with the tone of each line.

    Args:
        brief: a result with many winning wagers only tells how many, for where the panel shows which.
    """
    record = recorded.record
    things = (thing for thing in (record.event, *record.effects) if not isinstance(thing, without))
    told = ((thing, _brief_words(thing) if brief else text_of(thing)) for thing in things)
    return [EventLine(words, _TONES.get(type(thing), LineTone.PLAIN)) for thing, words in told if words]


def _brief_words(thing: Event | Effect) -> str:
    if isinstance(thing, Result) and len(thing.wins) > MANY:
        return f"RESULT {thing.label}: {len(thing.wins)} wagers win"
    return text_of(thing)


def minutes(duration_ns: int) -> str:
    """A time as ``m:ss``, cut to the whole second."""
    minute, second = divmod(max(0, duration_ns) // NS_PER_S, 60)
    return f"{minute}:{second:02}"
