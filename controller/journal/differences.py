"""Differences between a record and what the present software decides, by entry."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum

from controller.events.event import Event
from controller.events.record import Decision, Record
from controller.events.words import plain
from controller.journal.chain import Entry
from controller.journal.record import quoted


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference.

    Attributes:
        seq: the entry; for an event that is missing in the record, the entry that it would follow.
        kind: of the event.
        what: ``outcome``, ``state``, ``effects``, a field of the event or of the checkpoint, ``event`` if the event
            is missing on one side, ``hash`` if the hash does not match.
        recorded: the value in the record.
        replayed: the value in the replay.
    """

    seq: int
    kind: str
    what: str
    recorded: str
    replayed: str

    def __str__(self) -> str:
        differs = f"the record says {self.recorded}, this software comes to {self.replayed}"
        return f"entry {self.seq} ({self.kind}): {plain(self.what)}: {differs}"


def of_decisions(entry: Entry, record: Record, decision: Decision) -> Iterator[Difference]:
    """What was decided on an event, and what is decided now."""
    if record.outcome != decision.outcome.value:
        yield Difference(entry.seq, entry.kind, "outcome", record.outcome, decision.outcome.value)
    if record.state != decision.state:
        yield Difference(entry.seq, entry.kind, "state", record.state, decision.state)
    if record.effects != decision.effects:
        old, new = quoted(record.effects), quoted(decision.effects)
        if old == new:  # They differ in a field that the text leaves out, such as a timer's delay.
            old, new = str(record.effects), str(decision.effects)
        yield Difference(entry.seq, entry.kind, "effects", old, new)


def of_events(seq: int, recorded: Event, replayed: Event) -> Iterator[Difference]:
    """The fields in which two events of one kind differ."""
    for field in fields(recorded):
        old, new = getattr(recorded, field.name), getattr(replayed, field.name)
        if old != new:
            yield Difference(seq, recorded.kind, field.name.replace("_", "-"), _value(old), _value(new))


def of_checkpoints(entry: Entry, new: str) -> Iterator[Difference]:
    """The fields in which an entry's checkpoint differs from that of the replay."""
    recorded, replayed = json.loads(entry.checkpoint or "{}"), json.loads(new)
    for name in sorted(recorded.keys() | replayed.keys()):
        if recorded.get(name) != replayed.get(name):
            values = (json.dumps(some.get(name), ensure_ascii=False) for some in (recorded, replayed))
            yield Difference(entry.seq, entry.kind, f"checkpoint {name}", *values)


def _value(value: object) -> str:
    return "nothing" if value is None else str(value.value if isinstance(value, Enum) else value)
