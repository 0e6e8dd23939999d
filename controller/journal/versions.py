"""Which software decided what is on record: the entries after a start are those of the version that started."""

import json
from dataclasses import dataclass

from controller import __version__
from controller.journal.chain import Entry
from controller.journal.journal import Journal
from controller.journal.text import short_digest

STARTS = ("table-started", "power-restored", "rules-changed")
"""Kinds of the events that say which software runs from then on."""


@dataclass(frozen=True, slots=True)
class Software:
    """A version, and the build of it."""

    version: str
    digest: str = ""
    """As of :func:`controller.runtime.manifest.digest`; empty if it is not known: then the version alone tells."""

    def __str__(self) -> str:
        return f"{self.version} (software {short_digest(self.digest)})" if self.digest else self.version

    def differs(self, other: "Software") -> bool:
        """Whether they are known to be two, which may decide otherwise."""
        if UNKNOWN in (self, other):
            return False
        return self.version != other.version or bool(self.digest and other.digest and self.digest != other.digest)


THIS = Software(__version__)
"""This version, whatever its build."""
UNKNOWN = Software("")
"""No start is on record before an entry, or it cannot be read."""


def decided_by(journal: Journal, seq: int) -> Software:
    """The software that decided an entry: that of the last start, up to the entry itself."""
    start = journal.last_of(STARTS, seq)
    return named_by(start) if start is not None else UNKNOWN


def named_by(start: Entry) -> Software:
    """The software that a start names. The entry may be of a version that this one cannot read."""
    try:
        fact = json.loads(start.body)["fact"]
        version, digest = fact["version"], fact.get("software", "")
    except (ValueError, KeyError, TypeError, AttributeError):
        return UNKNOWN
    known = isinstance(version, str) and isinstance(digest, str)
    return Software(version, digest) if known else UNKNOWN
