"""Entries of the journal as text, a line each."""

from collections.abc import Iterable

from controller.events.effect import Effect
from controller.events.event import Event, PowerRestored, TableStarted
from controller.events.record import Record
from controller.events.table_words import text_of
from controller.events.words import NO_WORDS, Words, plain
from controller.journal.chain import Entry


def entry_line(entry: Entry, record: Record, words: Words = NO_WORDS) -> str:
    """An entry: its number, its wall time, and its record.

    Args:
        words: sentences for its codes.
    """
    return f"{entry.seq:>7}  {entry.utc}  {record_line(record, words)}"


def record_line(record: Record, words: Words = NO_WORDS) -> str:
    """A record: what happened, what was decided, and the state after it.

    Args:
        words: sentences for its codes.
    """
    decided = "; ".join(filter(None, (text_of(effect, words) for effect in record.effects)))
    arrow = f" → {decided}" if decided else ""
    return f"{event_words(record.event, words)}{arrow}  [{record.state}]"


def event_words(event: Event, words: Words = NO_WORDS) -> str:
    """What happened; never empty. With what only readers of the journal need: versions."""
    said = text_of(event, words) or plain(event.kind)
    if isinstance(event, TableStarted | PowerRestored):
        software = f", software {short_digest(event.software)}" if event.software else ""
        said += f" (version {event.version}, configuration {short_digest(event.configuration)}{software})"
    return said


def quoted(effects: Iterable[Effect]) -> str:
    """Effects in quotation marks, for a comparison; ``nothing`` if there are none."""
    words = "; ".join(text_of(effect) or plain(effect.kind) for effect in effects)
    return f"'{words}'" if words else "nothing"


def short_digest(digest: str) -> str:
    """A digest cut to twelve hexadecimal characters."""
    return digest[:12]
