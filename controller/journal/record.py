"""Records as the journal keeps them: to JSON and back."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from controller.events.record import Record
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """An event that was decided and recorded: what screens and scenarios are told."""

    entry: Entry
    record: Record


Listener = Callable[[RecordedDecision], None]

_RECORD = TypeAdapter(Record)


def to_json(record: Record) -> str:
    """A record as the journal keeps it."""
    return _RECORD.serializer.to_json(record, by_alias=True).decode()


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
    data: dict[str, object] = json.loads(_RECORD.dump_json(record, by_alias=True))
    return data
