"""Converts records to the JSON of journal entries and back."""

import json
from collections.abc import Callable

from pydantic import TypeAdapter, ValidationError

from controller.events.record import Record
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError
from hal.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """An event that was decided and recorded; listeners receive it."""

    entry: Entry
    record: Record


DecisionListener = Callable[[RecordedDecision], None]

_RECORD = TypeAdapter(Record)


def to_json(record: Record) -> str:
    """The JSON of a record, for an entry."""
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
