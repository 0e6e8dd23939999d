"""Checks a round's message against itself and against the stored rounds: pure functions on hash chains."""

from typing import NamedTuple

from controller.journal.chain import GENESIS, chain
from controller.messages.models import AlertMessage, RecordedEntry, RoundClosed, RoundPart

_SEPARATOR = "\x1f"


class ChainStretch(NamedTuple):
    """The part of a record that a round's message covers, by sequence number and hash.

    Attributes:
        first: the first entry.
        previous: the hash of the entry before it.
        seq: the last entry.
        hash: its hash.
    """

    first: int
    previous: str
    seq: int
    hash: str

    @classmethod
    def of(cls, message: RoundClosed) -> "ChainStretch":
        return cls(message.first, message.previous, message.seq, message.hash)


def own_contradiction(message: RoundClosed) -> str:
    """How a round's message contradicts itself, as text; empty if it is consistent."""
    if message.seq < message.first:
        return f"it ends at entry {message.seq}, before its first, {message.first}"
    if (message.first == 1) != (message.previous == GENESIS):
        return "only the first entry of a record follows the hash of zeros"
    if message.seq == 1 and message.hash != message.record:
        return "the record's first entry has another hash than the one that names the record"
    wrong = _wrong_opening(message)
    if not wrong and message.entries is not None:
        wrong = _wrong_rest(message, message.entries) if in_parts(message) else _wrong_entries(message)
    return wrong or next(filter(None, (_wrong_alert(message, alert) for alert in message.alerts)), "")


def in_parts(message: RoundClosed) -> bool:
    """Whether the first of a round's entries came in messages before."""
    return bool(message.entries) and message.entries is not None and message.entries[0].seq > message.first


def part_contradiction(part: RoundPart) -> str:
    """How a part of a round contradicts itself, as text; empty if it is consistent."""
    if part.seq < part.first:
        return f"it ends at entry {part.seq}, before its first, {part.first}"
    if (part.first == 1) != (part.previous == GENESIS):
        return "only the first entry of a record follows the hash of zeros"
    return _wrong_entries(part)


def follows(head: str, entry: RecordedEntry) -> bool:
    """Whether an entry follows the one with the hash ``head``."""
    return _expected(head, entry) == entry.hash


def _wrong_opening(message: RoundClosed) -> str:
    """What is wrong with the entry that opened the round; empty if it is correct, or not there."""
    opening, before = message.opening, message.before
    if opening is None and before is None:
        return ""
    if opening is None or before is None or opening.seq != message.first - 1:
        return f"entry {message.first - 1}, which opened the round, is another one or not whole"
    if (opening.seq == 1) != (before == GENESIS) or opening.hash != message.previous:
        return f"entry {opening.seq}, which opened the round, is another than the one that it follows"
    return "" if follows(before, opening) else f"entry {opening.seq} does not hash to what it says"


def _wrong_rest(message: RoundClosed, entries: list[RecordedEntry]) -> str:
    """Recompute the hashes of the entries after the last part. The first one follows what is in that part."""
    head = ""
    for seq, entry in enumerate(entries, entries[0].seq):
        if entry.seq != seq:
            return f"entry {entry.seq} is in the place of entry {seq}"
        if head and not follows(head, entry):
            return f"entry {seq} does not hash to what it says"
        head = entry.hash
    if entries[-1].seq != message.seq or head != message.hash:
        return f"entry {message.seq} has another hash than the message says"
    return ""


def _wrong_entries(message: RoundClosed | RoundPart) -> str:
    """Recompute the hash of every entry, from ``previous`` to ``hash``."""
    entries = message.entries or []
    if len(entries) != message.seq - message.first + 1:
        return f"it has {len(entries)} entries for {message.first} to {message.seq}"
    head = message.previous
    for seq, entry in enumerate(entries, message.first):
        if entry.seq != seq:
            return f"entry {entry.seq} is in the place of entry {seq}"
        if _expected(head, entry) != entry.hash:
            return f"entry {seq} does not hash to what it says"
        head = entry.hash
    if head != message.hash:
        return f"entry {message.seq} has another hash than the message says"
    if message.first == 1 and entries[0].hash != message.record:
        return "the record's first entry has another hash than the one that names the record"
    return ""


def _expected(head: str, entry: RecordedEntry) -> str:
    """The hash that an entry must have after one with the hash ``head``; empty if no hash is valid."""
    if entry.checkpoint == "":
        return ""  # It would hash like none.
    if any(_SEPARATOR in text for text in (entry.utc, entry.kind, entry.body, entry.checkpoint or "")):
        return ""  # The separator inside a field could move text from one hashed field to the next.
    return chain(head, entry.seq, entry.round, entry.at_ns, entry.utc, entry.kind, entry.body, entry.checkpoint)


def _wrong_alert(message: RoundClosed, alert: AlertMessage) -> str:
    """What is wrong with the position that an alert in a round's message gives; empty if it is correct."""
    if alert.record != message.record or not message.first <= alert.seq <= message.seq:
        return f"its alert of entry {alert.seq} is of another part of the record"
    whole = message.entries is not None and not in_parts(message)
    if whole and message.entries is not None and message.entries[alert.seq - message.first].hash != alert.hash:
        return f"its alert of entry {alert.seq} gives another hash for it"
    return ""


def contradiction(new: ChainStretch, before: ChainStretch | None, after: ChainStretch | None) -> str:
    """How a new stretch contradicts the stored ones of its record, as text; empty if it does not.

    Args:
        before: the stored stretch that ends just before the new one begins, if there is one.
        after: the first stored stretch that ends at the new one's first entry or later.
    """
    if after is not None and after.first <= new.seq:
        if after.seq == new.seq and after.hash != new.hash:
            return f"entry {new.seq} was {_short(after.hash)}, and is said to be {_short(new.hash)}"
        return f"it covers entries {new.first} to {new.seq}; entries {after.first} to {after.seq} are here already"
    if before is not None and before.hash != new.previous:
        return f"entry {before.seq} was {_short(before.hash)}, and is said to be {_short(new.previous)}"
    if after is not None and after.first == new.seq + 1 and after.previous != new.hash:
        return f"entry {new.seq} is said to be {_short(new.hash)}; the next round follows {_short(after.previous)}"
    return ""


def _short(digest: str) -> str:
    return f"{digest[:12]}…"
