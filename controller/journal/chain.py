"""The hash chain: the hash of each journal entry covers the hash of the entry before."""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from types import NoneType
from typing import NamedTuple

from controller.journal.errors import JournalDamagedError

_SEPARATOR = "\x1f"
"""Between two fields, in what is hashed. It occurs in none: JSON escapes it, the others are numbers, times and
names."""
GENESIS = "0" * 64
"""The hash before the first entry."""


class Entry(NamedTuple):
    """One entry.

    Attributes:
        seq: from 1, without gaps.
        round: the round it belongs to; 0 before the first.
        at_ns: monotonic time of the event.
        utc: wall time of the entry, ISO 8601 in UTC.
        kind: the event's name.
        body: the event and the decision, JSON.
        checkpoint: the machine's state and data after the entry, JSON, where a round opens; else None.
        hash: SHA-256 over the entry before and this one, hexadecimal.
    """

    seq: int
    round: int
    at_ns: int
    utc: str
    kind: str
    body: str
    checkpoint: str | None
    hash: str

    @property
    def is_typed(self) -> bool:
        """Whether its fields are of the types that they have, which a damaged file does not ensure."""
        return (*map(type, self),) in _TYPES

    def expected_hash(self, previous: str) -> str:
        """The hash that this entry must have if the entry before has the hash ``previous``.

        Empty if a field is of a type that no entry has, for no checkpoint, an empty one and 0 would hash alike;
        and if one holds what separates them in the hash.
        """
        if not self.is_typed or self.checkpoint == "":
            return ""
        if any(_SEPARATOR in text for text in (self.utc, self.kind, self.body, self.checkpoint or "")):
            return ""  # It could move text from one field to the next, and the hash would stay.
        return chain(previous, self.seq, self.round, self.at_ns, self.utc, self.kind, self.body, self.checkpoint)


_TYPES = ((int, int, int, str, str, str, NoneType, str), (int, int, int, str, str, str, str, str))
"""Of the fields of an entry: without a checkpoint, and with one."""


class ChainVerdict(NamedTuple):
    """The result of a verification.

    Attributes:
        entries: how many entries are valid.
        head: the hash of the last valid entry; if it is also published elsewhere, it proves the journal's end.
        problem: what is wrong with the first invalid entry, or empty.
    """

    entries: int
    head: str
    problem: str = ""


def chain(
    previous: str, seq: int, round_: int, at_ns: int, utc: str, kind: str, body: str, checkpoint: str | None
) -> str:
    text = f"{previous}\x1f{seq}\x1f{round_}\x1f{at_ns}\x1f{utc}\x1f{kind}\x1f{body}\x1f{checkpoint or ''}"
    return hashlib.sha256(text.encode()).hexdigest()


def utc_text(utc_ns: int) -> str:
    """Wall time as the journal writes it: ISO 8601, UTC, to the millisecond."""
    moment = datetime.fromtimestamp(utc_ns // 1_000_000 / 1000, UTC)
    return moment.isoformat(timespec="milliseconds")[:-6] + "Z"


def verify(entries: Iterator[Entry], seq: int = 0, head: str = GENESIS) -> ChainVerdict:
    """Check a chain of entries.

    Args:
        seq: number of the trusted entry before the first; 0 to start with entry 1.
        head: hash of that entry.
    """
    try:
        for entry in entries:
            if entry.seq != seq + 1:
                return ChainVerdict(seq, head, f"entry {seq + 1} is missing: entry {entry.seq} follows entry {seq}")
            if entry.expected_hash(head) != entry.hash:
                return ChainVerdict(
                    seq, head, f"entry {entry.seq} (round {entry.round}, {entry.kind}) does not fit"
                )
            head, seq = entry.hash, entry.seq
    except JournalDamagedError as error:
        return ChainVerdict(seq, head, f"after entry {seq}: {error}")
    return ChainVerdict(seq, head)
