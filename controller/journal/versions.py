"""Which software decided an entry, and under which file: those that the last start before it names."""

import json
from typing import NamedTuple

from controller import __version__
from controller.journal.chain import Entry
from controller.journal.journal import Journal
from controller.journal.text import short_digest

STARTS = ("table-started", "power-restored", "rules-changed")
"""The kinds of the events that name the software that runs from then on."""
_NAMING_FILES = STARTS[:2]
"""Those that name the table's file, too."""


class Software(NamedTuple):
    """A version and its build."""

    version: str
    digest: str = ""
    """From :func:`controller.runtime.software.digest`; empty if not known: only the version counts."""

    def __str__(self) -> str:
        return f"{self.version} (software {short_digest(self.digest)})" if self.digest else self.version

    def differs(self, other: "Software") -> bool:
        """Whether they are known to be different, and so may decide differently."""
        if UNKNOWN in (self, other):
            return False
        return self.version != other.version or bool(self.digest and other.digest and self.digest != other.digest)


THIS = Software(__version__)
"""This version, of any build."""
UNKNOWN = Software("")
"""There is no start before an entry, or it cannot be read."""


def decided_by(journal: Journal, seq: int) -> Software:
    """The software that decided an entry: that of the last start, up to the entry itself."""
    start = journal.last_of(STARTS, seq)
    return named_by(start) if start is not None else UNKNOWN


def other_file(journal: Journal, seq: int, configuration: str) -> str:
    """The digest of the file under which an entry was decided, if it is known to be another; else empty."""
    found = file_of(journal, seq)
    return found if configuration and found != configuration else ""


def file_of(journal: Journal, seq: int) -> str:
    """The digest of the file under which an entry was decided; empty if it is not known."""
    start = journal.last_of(_NAMING_FILES, seq)
    try:
        found = json.loads(start.body)["fact"]["configuration"] if start is not None else ""
    except (ValueError, KeyError, TypeError):
        return ""
    return found if isinstance(found, str) else ""


def other_decider(journal: Journal, seq: int, software: Software) -> Software | None:
    """The software that decided an entry, if it is known to differ from this one; else None."""
    decider = decided_by(journal, seq)
    return decider if decider.differs(software) else None


def named_by(start: Entry) -> Software:
    """The software that a start names. Another version may have written the entry."""
    try:
        fact = json.loads(start.body)["fact"]
        version, digest = fact["version"], fact.get("software", "")
    except (ValueError, KeyError, TypeError, AttributeError):
        return UNKNOWN
    known = isinstance(version, str) and isinstance(digest, str)
    return Software(version, digest) if known else UNKNOWN
