"""Lines of a bench: recorded decisions as text for the page and the demonstration, and JSON."""

import json
from collections import deque
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple, TextIO

from controller.events.effect import Alert, Bonus, Light, Refused, Result, Void, WagersReturned
from controller.events.event import PowerRestored, RulesChanged, ShakerFailed, WheelThrown
from controller.events.table_words import text_of
from controller.events.words import Words
from controller.journal.record import RecordedDecision

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


class LogLine(NamedTuple):
    """A line of the log."""

    at_ns: int
    text: str
    tone: LineTone = LineTone.PLAIN


def lines(
    recorded: RecordedDecision, words: Words, without: tuple[type, ...] = (), brief: bool = False
) -> Iterator[LogLine]:
    """A recorded decision as text, the event first; nothing if people do not need it.

    Args:
        words: sentences for the codes of the game.
        without: types of events and effects to leave out.
        brief: a result with many winning wagers gives only their number, as the panel shows which they are.
    """
    record = recorded.record
    for thing in (record.event, *record.effects):
        if thing.kind in _UNSAID or isinstance(thing, without):
            continue
        text = text_of(thing, words)
        if brief and isinstance(thing, Result) and len(thing.wins) > MANY:
            text = f"RESULT {thing.label}: {len(thing.wins)} wagers win"
        if text:
            yield LogLine(record.event.at_ns, text, _TONES.get(type(thing), LineTone.PLAIN))


class BenchLog:
    """The newest lines of one table's log, also across restarts. A listener of the table.

    Args:
        start_ns: the monotonic time that the log calls 0:00.
        words: sentences for the codes of its game.
    """

    def __init__(self, start_ns: int, words: Words) -> None:
        self.start_ns = start_ns
        self._words = words
        self.log: deque[LogLine] = deque(maxlen=LOG)
        """With times since the start of the log."""

    def __call__(self, recorded: RecordedDecision) -> None:
        """Take a recorded decision; the table calls this."""
        # The page itself shows the lamps and the movement of the wheel.
        for line in lines(recorded, self._words, (Light, WheelThrown), brief=True):
            self.say(*line)

    def say(self, at_ns: int, text: str, tone: LineTone = LineTone.PLAIN) -> None:
        """Write a line."""
        self.log.append(LogLine(at_ns - self.start_ns, text, tone))

    def say_key(self, at_ns: int, words: str) -> None:
        """Write what people do; consecutive digits share a line."""
        last = self.log[-1] if self.log else None
        if last is not None and last.tone is LineTone.PEOPLE and words.isdigit() and last.text[-1].isdigit():
            self.log[-1] = last._replace(text=f"{last.text} {words}")
        else:
            self.say(at_ns, f"> {words}", LineTone.PEOPLE)


def write_json(out: TextIO, data: dict[str, object]) -> None:
    """Write a line of JSON."""
    out.write(json.dumps(data, ensure_ascii=False) + "\n")
