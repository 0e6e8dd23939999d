"""The event by which a table ends a round that was decided by the rules of another version, or of another file."""

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from controller.events.frozen import Frozen


class OnRecord(Enum):
    """What the record of an interrupted round contains."""

    NOTHING = "nothing"
    """No open round, or its wagers were returned."""
    WAGERS = "wagers"
    """Wagers, but no result."""
    RESULT = "result"
    """A result, settled or not."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RulesChanged(Frozen):
    """Another version decided the last round's entries differently, so this one cannot continue the round.

    Or this version did, under another file of the table, whose rules are others (§ 521.8(b)).

    The decision on this event depends on nothing else.
    """

    at_ns: int
    version: str
    """The version of the present software."""
    software: str
    """Its digest, as in :class:`TableStarted`."""
    recorded_by: str
    """The version that decided, and its digest, as text; or the digest of the file, shortened."""
    entry: int
    """The first entry that this software decides differently, or cannot read."""
    detail: str
    """The difference, as text."""
    round: int
    """The last round on record."""
    on_record: OnRecord
    lit: tuple[str, ...]
    """The areas that were lit, according to the record."""
    of_file: bool = False
    """The table's file was changed, and not the software."""
    kind: Literal["rules-changed"] = "rules-changed"
