"""What decided an entry: the software and the table's file that the last start before it names."""

import json
from typing import NamedTuple

from controller.journal.chain import Entry
from controller.journal.journal import Journal
from controller.journal.text import short_digest

STARTS = ("table-started", "power-restored", "rules-changed")
"""The kinds of the events that name what runs from then on."""


class Decider(NamedTuple):
    """A version, its build, and the table's file under which it decides."""

    version: str
    software: str
    """From :func:`controller.runtime.software.digest`."""
    configuration: str
    """SHA-256 of the file."""

    def __str__(self) -> str:
        digests = {"software": self.software, "configuration": self.configuration}
        named = ", ".join(f"{name} {short_digest(digest)}" for name, digest in digests.items() if digest)
        return f"version {self.version} ({named})" if named else f"version {self.version}"

    def same_software(self, other: "Decider") -> bool:
        return (self.version, self.software) == (other.version, other.software)


def decider_of(journal: Journal, seq: int) -> Decider | None:
    """What decided an entry: what the last start names, up to the entry itself. None if that is not known.

    It scans back to that start, which may be a million entries away.
    """
    start = journal.last_of(STARTS, seq)
    return named_by(start) if start is not None else None


def named_by(start: Entry) -> Decider | None:
    """What a start names. Another version may have written the entry."""
    try:
        event = json.loads(start.body)["event"]
        found = Decider(event["version"], event["software"], event["configuration"])
    except (ValueError, KeyError, TypeError):
        return None
    return found if all(isinstance(part, str) for part in found) else None
