"""What an entry of the journal says: an event, what was decided on it, and the state after it; to and from JSON."""

import json
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from controller.events.effect import AnyEffect
from controller.events.event import AnyEvent
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError


@dataclass(frozen=True, slots=True)
class Record:
    """An event and the decision on it."""

    event: AnyEvent
    outcome: str
    """``accepted``, ``refused``, ``noted``, or ``failed`` where the controller's own code raised."""
    state: str
    """The state after it."""
    effects: tuple[AnyEffect, ...]


_RECORD = TypeAdapter(Record)


def to_json(record: Record) -> str:
    """A record as the journal keeps it."""
    return _RECORD.serializer.to_json(record).decode()


def of_entry(entry: Entry) -> Record:
    """The record in an entry.

    Raises:
        JournalDamagedError: this software cannot read it; the message names the entry.
    """
    try:
        return _RECORD.validate_json(entry.body)
    except ValidationError as error:
        raise JournalDamagedError(f"entry {entry.seq} ({entry.kind}) cannot be read by this version") from error


def plain(record: Record) -> dict[str, object]:
    """A record as plain data for JSON lines."""
    data: dict[str, object] = json.loads(_RECORD.dump_json(record))
    return data
