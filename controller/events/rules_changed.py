"""The event by which a table ends a round that other software, or another file, decided by other rules."""

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
    """The last round cannot be continued: its entries are decided otherwise now (§ 521.8(b)).

    The decision on this event depends on nothing else.
    """

    at_ns: int
    version: str
    """The version of the present software."""
    software: str
    """Its digest, as in :class:`TableStarted`."""
    configuration: str
    """That of the table's file."""
    recorded_by: str
    """What decided the entry: the version, and the digests of software and file, shortened."""
    entry: int
    """The first entry that is decided otherwise, or cannot be read."""
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
