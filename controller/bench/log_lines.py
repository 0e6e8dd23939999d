"""Recorded decisions as lines of text for the bench's page and the demonstration, and of JSON."""

import json
from collections.abc import Iterator
from typing import NamedTuple, TextIO

from controller.events.effect import Alert, Bonus, Light, Refused, Result, Void, WagersReturned
from controller.events.event import PowerRestored, RulesChanged, ShakerFailed
from controller.events.table_words import text_of
from controller.events.words import Words
from controller.journal.record import RecordedDecision

_TONES: dict[type, str] = {
    **dict.fromkeys((Result, Bonus), "result"),
    **dict.fromkeys((PowerRestored, RulesChanged, Void, WagersReturned), "void"),
    **dict.fromkeys((ShakerFailed, Alert, Refused), "alarm"),
}
"""How a line is highlighted; all others are plain."""
_UNSAID = frozenset(
    "press pin-prompt floor-key-turned identified identity-refused revolution-completed "
    "ball-revolution sensor-health key-stuck panel-fault timer-elapsed machine-failed cabinet-health "
    "clock-checked".split()
)
"""Kinds that only the journal shows: the bench has another sign of them, or the decision says enough."""


class LogLine(NamedTuple):
    at_ns: int
    text: str
    tone: str = "plain"


def lines(recorded: RecordedDecision, words: Words) -> Iterator[LogLine]:
    """A recorded decision as text, the event first; nothing if people do not need it. Lamps are seen.

    Args:
        words: sentences for the codes of the game.
    """
    record = recorded.record
    for thing in (record.event, *record.effects):
        said = thing.kind not in _UNSAID and not isinstance(thing, Light)
        if said and (text := text_of(thing, words)):
            yield LogLine(record.event.at_ns, text, _TONES.get(type(thing), "plain"))


def write_json(out: TextIO, data: dict[str, object]) -> None:
    """Write a line of JSON."""
    out.write(json.dumps(data, ensure_ascii=False) + "\n")
