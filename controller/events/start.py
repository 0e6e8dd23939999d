"""The events of a table's start: what runs, and what the table's file says."""

from dataclasses import dataclass
from typing import Literal

from controller.events.frozen import Frozen
from controller.events.limits import FileTerms


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TableStarted(Frozen):
    """The table starts for the first time on an empty journal."""

    at_ns: int
    utc_ns: int
    version: str
    configuration: str
    """SHA-256 of the configuration file, hexadecimal."""
    replaces: str = ""
    """The damaged journal that this one replaces, as text with its head's hash."""
    software: str = ""
    """Digest of the software, hexadecimal: that of the release."""
    terms: FileTerms | None = None
    """What the table's file says of limits and odds."""
    wheel: str = ""
    """Serial number of the table's wheel; empty if the file names none."""
    kind: Literal["table-started"] = "table-started"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PowerRestored(Frozen):
    """The table starts again on its journal: after a power cut, a restart or an update."""

    at_ns: int
    utc_ns: int
    version: str
    configuration: str
    software: str = ""
    terms: FileTerms | None = None
    wheel: str = ""
    pause_ns: int = 0
    """Wall time since the last entry of the record; negative if the clock was set back."""
    kind: Literal["power-restored"] = "power-restored"
