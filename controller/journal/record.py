"""Converts records to the JSON of journal entries and back, and to lines of text."""

import json
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from pydantic import TypeAdapter
from pydantic_core import from_json
from pydantic_core import to_json as json_of

from controller.events.effect import Effect
from controller.events.event import Event, PowerRestored, TableStarted
from controller.events.record import Record
from controller.events.table_words import text_of
from controller.events.words import NO_WORDS, Words
from controller.events.words import plain as plain_words
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError


class RecordedDecision(NamedTuple):
    """An event that was decided and recorded; listeners receive it."""

    entry: Entry
    record: Record


DecisionListener = Callable[[RecordedDecision], None]


_EVENTS = {one.kind: one for one in Event.__subclasses__()}
_EFFECTS = {one.kind: one for one in Effect.__subclasses__()}

_adapters: dict[type[Event | Effect], TypeAdapter[Any]] = {}


def _adapter(one: type[Event | Effect]) -> TypeAdapter[Any]:
    """Reads and writes one kind. Made for those that occur: all of them take a twentieth of a table's start."""
    found = _adapters.get(one)
    if found is None:
        found = _adapters[one] = TypeAdapter(one)
    return found


def _json(part: Event | Effect) -> bytes:
    return _adapter(type(part)).serializer.to_json(part)


def to_json(record: Record) -> str:
    """The JSON of a record, for an entry."""
    effects = b",".join(map(_json, record.effects))
    fields = (_json(record.event), json_of(record.outcome), json_of(record.state), effects)
    return (b'{"event":%b,"outcome":%b,"state":%b,"effects":[%b]}' % fields).decode()


def of_entry(entry: Entry) -> Record:
    """The record in an entry.

    Raises:
        JournalDamagedError: this software cannot read it; the message names the entry.
    """
    try:
        return _record(from_json(entry.body))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise JournalDamagedError(f"entry {entry.seq} ({entry.kind}) cannot be read by this version") from error


def exactly(entry: Entry) -> Record:
    """The record in an entry that this software would write the same: nothing of it is left out.

    Raises:
        JournalDamagedError: it cannot be read so; the message names the entry.
    """
    record = of_entry(entry)
    if to_json(record) != entry.body:
        raise JournalDamagedError(f"entry {entry.seq} ({entry.kind}) has what this version does not read")
    return record


def _record(data: dict[str, Any]) -> Record:
    """Raises KeyError, TypeError or ValueError, of which pydantic's is one, for what is no record."""
    event, outcome, state, effects = data["event"], data["outcome"], data["state"], data["effects"]
    if not (isinstance(outcome, str) and isinstance(state, str) and isinstance(effects, list)):
        raise TypeError
    read = tuple([_adapter(_EFFECTS[one["kind"]]).validate_python(one) for one in effects])
    return Record(_adapter(_EVENTS[event["kind"]]).validate_python(event), outcome, state, read)


def plain(record: Record) -> dict[str, object]:
    """A record as plain data for JSON lines."""
    data: dict[str, object] = json.loads(to_json(record))
    return data


def exported(entry: Entry) -> dict[str, object]:
    """An entry as data for JSON, also one of another version.

    Raises:
        JournalDamagedError: it is no entry of any version.
    """
    head = {"seq": entry.seq, "round": entry.round, "utc": entry.utc, "at_ns": entry.at_ns, "kind": entry.kind}
    try:
        return {**head, **json.loads(entry.body), "hash": entry.hash}
    except (TypeError, ValueError, RecursionError) as error:
        raise JournalDamagedError(f"entry {entry.seq} ({entry.kind}) is damaged: its body is no JSON") from error


# -- as text -----------------------------------------------------------------------------------------------------


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
    said = text_of(event, words) or plain_words(event.kind)
    if isinstance(event, TableStarted | PowerRestored):
        software = f", software {short_digest(event.software)}" if event.software else ""
        said += f" (version {event.version}, configuration {short_digest(event.configuration)}{software})"
    return said


def quoted(effects: Iterable[Effect]) -> str:
    """Effects in quotation marks, for a comparison; ``nothing`` if there are none."""
    words = "; ".join(text_of(effect) or plain_words(effect.kind) for effect in effects)
    return f"'{words}'" if words else "nothing"


def short_digest(digest: str) -> str:
    """A digest cut to twelve hexadecimal characters."""
    return digest[:12]
