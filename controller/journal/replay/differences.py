"""Differences between a record and its replay, by entry."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from enum import Enum

from controller.events.effect import Effect
from controller.events.event import Event
from controller.events.text import plain
from controller.journal.text import quoted


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference.

    Attributes:
        seq: the entry; for an event that is missing in the record, the entry that it would follow.
        kind: of the event.
        what: ``outcome``, ``state``, ``effects``, a field of the event or of the checkpoint, ``fact`` if the event
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
        return (
            f"entry {self.seq} ({self.kind}): {plain(self.what)}: "
            f"the record says {self.recorded}, this software comes to {self.replayed}"
        )


def of_events(seq: int, recorded: Event, replayed: Event) -> Iterator[Difference]:
    """The fields in which two events of one kind differ."""
    for field in fields(recorded):
        old, new = getattr(recorded, field.name), getattr(replayed, field.name)
        if old != new:
            yield Difference(seq, recorded.kind, field.name.replace("_", "-"), _value(old), _value(new))


def of_effects(seq: int, kind: str, recorded: Sequence[Effect], replayed: Sequence[Effect]) -> Difference:
    """The difference between two lists of effects."""
    old, new = quoted(recorded), quoted(replayed)
    if old == new:  # They differ in a field that the text leaves out, such as a timer's delay.
        old, new = str(tuple(recorded)), str(tuple(replayed))
    return Difference(seq, kind, "effects", old, new)


def _value(value: object) -> str:
    return "nothing" if value is None else str(value.value if isinstance(value, Enum) else value)
