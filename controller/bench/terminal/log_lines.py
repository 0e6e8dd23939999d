"""Recorded decisions as lines of text with a tone: for the bench's log and the demonstration."""

from dataclasses import dataclass
from enum import Enum

from controller.events.brief_text import brief_text_of
from controller.events.effect import Alert, Bonus, Refused, Result, Void, WagersReturned
from controller.events.event import PowerRestored, RulesChanged, ShakerFailed
from controller.events.text import text_of
from controller.journal.record import RecordedDecision

NS_PER_S = 1_000_000_000


class LineTone(Enum):
    """How a line is highlighted."""

    PLAIN = "plain"
    PEOPLE = "people"
    """An action of people, not a decision of the table."""
    RESULT = "result"
    VOID = "void"
    ALARM = "alarm"


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
    """A line of text."""

    text: str
    tone: LineTone = LineTone.PLAIN


def describe(recorded: RecordedDecision, without: tuple[type, ...] = ()) -> list[str]:
    """A recorded decision as text, the event first; empty if people do not need it.

    Args:
        without: types of events and effects to leave out.
    """
    return [line.text for line in lines(recorded, without)]


def lines(recorded: RecordedDecision, without: tuple[type, ...] = (), brief: bool = False) -> list[EventLine]:
    """The same, with the tone of each line.

    Args:
        brief: a result with many winning wagers gives only their number, as the panel shows which they are.
    """
    record = recorded.record
    things = (thing for thing in (record.event, *record.effects) if not isinstance(thing, without))
    described = ((thing, brief_text_of(thing) if brief else text_of(thing)) for thing in things)
    return [EventLine(words, _TONES.get(type(thing), LineTone.PLAIN)) for thing, words in described if words]


def minutes(duration_ns: int) -> str:
    """A time as ``m:ss``, cut to the whole second."""
    minute, second = divmod(max(0, duration_ns) // NS_PER_S, 60)
    return f"{minute}:{second:02}"
