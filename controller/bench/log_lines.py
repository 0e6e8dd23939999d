"""Recorded decisions as lines of text with a tone: for the bench's log and the demonstration."""

from collections import deque
from dataclasses import dataclass, replace
from enum import Enum

from controller.events.effect import Alert, Bonus, Light, Refused, Result, Void, WagersReturned
from controller.events.event import PowerRestored, RulesChanged, ShakerFailed, WheelThrown
from controller.events.text import text_of
from controller.events.words import NO_WORDS, Words
from controller.journal.record import RecordedDecision

NS_PER_S = 1_000_000_000
LOG = 200
"""The most lines that a log keeps."""


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
_UNSAID = frozenset(
    "press pin-prompt floor-key-turned identified identity-refused revolution-completed "
    "ball-revolution sensor-health key-stuck panel-fault timer-elapsed machine-failed cabinet-health "
    "clock-checked".split()
)
"""Kinds that only the journal shows: the bench has another sign of them, or the decision says enough."""
MANY = 10
"""With more winning wagers than this, a brief text has only their number: the panel shows which they are."""


@dataclass(frozen=True, slots=True)
class EventLine:
    """A line of text."""

    text: str
    tone: LineTone = LineTone.PLAIN


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log with its time."""

    at_ns: int
    """Since the start of the log."""
    text: str
    tone: LineTone


def describe(recorded: RecordedDecision, without: tuple[type, ...] = (), words: Words = NO_WORDS) -> list[str]:
    """A recorded decision as text, the event first; empty if people do not need it.

    Args:
        words: sentences for the codes of the game.
        without: types of events and effects to leave out.
    """
    return [line.text for line in lines(recorded, without, words=words)]


def lines(
    recorded: RecordedDecision, without: tuple[type, ...] = (), brief: bool = False, words: Words = NO_WORDS
) -> list[EventLine]:
    """The same, with the tone of each line.

    Args:
        brief: a result with many winning wagers gives only their number, as the panel shows which they are.
    """
    record = recorded.record
    found: list[EventLine] = []
    for thing in (record.event, *record.effects):
        if thing.kind in _UNSAID or isinstance(thing, without):
            continue
        text = text_of(thing, words)
        if brief and isinstance(thing, Result) and len(thing.wins) > MANY:
            text = f"RESULT {thing.label}: {len(thing.wins)} wagers win"
        if text:
            found.append(EventLine(text, _TONES.get(type(thing), LineTone.PLAIN)))
    return found


def minutes(duration_ns: int) -> str:
    """A time as ``m:ss``, cut to the whole second."""
    minute, second = divmod(max(0, duration_ns) // NS_PER_S, 60)
    return f"{minute}:{second:02}"


class BenchLog:
    """The newest lines of one table's log, also across restarts. A listener of the table.

    Args:
        words: sentences for the codes of its game.
        start_ns: the monotonic time that the log calls 0:00.
    """

    def __init__(self, start_ns: int = 0, words: Words = NO_WORDS) -> None:
        self.start_ns = start_ns
        self._words = words
        self.log: deque[LogLine] = deque(maxlen=LOG)

    def __call__(self, recorded: RecordedDecision) -> None:
        """Take a recorded decision; the table calls this."""
        # The page itself shows the lamps and the movement of the wheel.
        for line in lines(recorded, (Light, WheelThrown), True, self._words):
            self.say(recorded.record.event.at_ns, line)

    def say(self, at_ns: int, line: EventLine) -> None:
        """Write a line."""
        self.log.append(LogLine(at_ns - self.start_ns, line.text, line.tone))

    def say_key(self, at_ns: int, words: str) -> None:
        """Write a key press; consecutive digits share a line."""
        before = self.log[-1] if self.log else None
        if before is not None and before.tone is LineTone.PEOPLE and words.isdigit() and before.text[-1].isdigit():
            self.log[-1] = replace(before, text=f"{before.text} {words}")
        else:
            self.say(at_ns, EventLine(f"> {words}", LineTone.PEOPLE))
