"""The event by which a table ends a round that another version decided by other rules."""

from dataclasses import dataclass
from enum import Enum
from typing import Literal


class OnRecord(Enum):
    """What an interrupted round had come to, by its record."""

    NOTHING = "nothing"
    """No round was open, or its wagers had gone back to the players."""
    WAGERS = "wagers"
    """Wagers lay, and no result stood."""
    RESULT = "result"
    """A result stood, settled or not."""


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """Another version decided the last round's entries, and this one decides otherwise: it cannot go on with them.

    What this software decides on it depends on nothing but this event.
    """

    at_ns: int
    version: str
    """Of the software that goes on."""
    software: str
    """Its digest, as a start names it."""
    recorded_by: str
    """The version that decided, and its digest, in words."""
    entry: int
    """The first entry that this software decides otherwise, or cannot read."""
    detail: str
    """How, in words."""
    round: int
    """The last round on record."""
    on_record: OnRecord
    lit: tuple[str, ...]
    """The areas that were lit, by the record."""
    kind: Literal["rules-changed"] = "rules-changed"
