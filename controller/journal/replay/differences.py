"""Where a record and what this software makes of it differ, told by entry."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from enum import Enum

from controller.events.effect import Effect
from controller.events.event import Event
from controller.events.text import plain, text_of


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference.

    Attributes:
        seq: the entry; where something should stand on record and does not, the entry that it would follow.
        kind: of the event.
        what: differs: ``outcome``, ``state``, ``effects``, a field of the event or of the checkpoint, ``event`` if
            it is missing on one side, ``hash`` if the entry does not fit the one before.
        recorded: what the record says.
        replayed: what this software comes to.
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


def of_events(seq: int, recorded: Event, found: Event) -> Iterator[Difference]:
    """The fields in which two events of one kind differ."""
    for field in fields(recorded):
        said, is_now = getattr(recorded, field.name), getattr(found, field.name)
        if said != is_now:
            yield Difference(seq, recorded.kind, field.name.replace("_", "-"), _value(said), _value(is_now))


def of_effects(seq: int, kind: str, recorded: Sequence[Effect], replayed: Sequence[Effect]) -> Difference:
    """Two lists of effects that are not the same."""
    said, is_now = _told(recorded), _told(replayed)
    if said == is_now:  # They differ in what is of no interest to people, as how long a timer runs.
        said, is_now = str(tuple(recorded)), str(tuple(replayed))
    return Difference(seq, kind, "effects", said, is_now)


def _told(effects: Sequence[Effect]) -> str:
    words = "; ".join(text_of(effect) or plain(effect.kind) for effect in effects)
    return f"'{words}'" if words else "nothing"


def _value(value: object) -> str:
    return "nothing" if value is None else str(value.value if isinstance(value, Enum) else value)
