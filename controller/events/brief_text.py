"""Texts of events and effects for a log that people read beside the panel."""

from controller.events.effect import Effect, Result
from controller.events.event import Event
from controller.events.text import NO_WORDS, text_of
from controller.events.words import Words

MANY = 10
"""With more winning wagers than this, only their number is given: the panel shows which they are."""


def brief_text_of(thing: Event | Effect, words: Words = NO_WORDS) -> str:
    """As :func:`controller.events.text.text_of`, but short for a result with many winning wagers."""
    if isinstance(thing, Result) and len(thing.wins) > MANY:
        return f"RESULT {thing.label}: {len(thing.wins)} wagers win"
    return text_of(thing, words)
