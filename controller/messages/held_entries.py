"""The entries of the round in progress, until they are published: in the round's message, or in parts before it."""

import json

from controller.journal.chain import GENESIS, Entry
from controller.messages.closed_round import Whose
from controller.messages.models import RecordedEntry, RoundPart

MOST_BYTES = 96 * 1024
"""Of the entries in one message: as many bytes again are left for what the round's message says besides."""
_OVERHEAD = 250
"""Bytes of an entry in a message, beyond its texts."""


class HeldEntries:
    """Entries that follow one another.

    Args:
        opening: the entry before the first; None at the record's beginning.
    """

    def __init__(self, whose: Whose, opening: Entry | None) -> None:
        self._whose = whose
        self._previous = opening.hash if opening is not None else GENESIS
        self._entries: list[Entry] = []
        self._bytes = 0
        self._too_long = False
        """An entry alone is too long for any message: the floor cannot have this round's entries."""

    def add(self, entry: Entry) -> RoundPart | None:
        """Hold a further entry; returns those before it if the next message could not hold all."""
        size = len(json.dumps(entry.body)) + len(json.dumps(entry.checkpoint)) + _OVERHEAD
        self._too_long |= size > MOST_BYTES
        full = self._bytes + size > MOST_BYTES
        part = self.part() if full else None
        self._bytes = size if full else self._bytes + size
        self._entries.append(entry)
        return part

    def part(self) -> RoundPart | None:
        """All that is held, which is let go; None for nothing."""
        entries, self._entries = self._entries, []
        if self._too_long or not entries:
            return None
        last, previous = entries[-1], self._previous
        self._previous = last.hash
        return RoundPart(
            table=self._whose.table,
            record=self._whose.record,
            first=entries[0].seq,
            previous=previous,
            seq=last.seq,
            hash=last.hash,
            entries=[RecordedEntry(**entry._asdict()) for entry in entries],
        )

    def rest(self) -> list[RecordedEntry] | None:
        """What is held; None if the floor cannot have all of the round's entries."""
        return None if self._too_long else [RecordedEntry(**entry._asdict()) for entry in self._entries]
