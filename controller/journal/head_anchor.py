"""The head anchor: the file ``JOURNAL.head`` beside a journal names an entry that the journal must have.

A hash chain reveals every entry that was changed or removed, but not that entries are missing at its end: of a
write-ahead log with one flipped bit SQLite reads what comes before it, and reports nothing. So the number and the
hash of each entry are written to the head anchor and synced, after the entry itself is on disk and before any of
its effects is performed. A journal that ends before its head, or has another entry in its place, is damaged. A
journal that is longer than its head is not: the power was cut between the two writes.

Only one loss goes unnoticed: that of the last entry, if the power was cut between the two writes. Nobody saw its
effects. Two damages at once may go unnoticed as well. A slot that cannot be read counts as not written, and an
anchor that is missing or of which nothing can be read is ignored, because a journal may be copied without it
(``journal verify`` reports that). Somebody who forges a journal can forge the anchor too, unless the hash is also
known elsewhere (``journal verify`` prints it).

The file has two slots in different blocks of the disk, which are written in turns. Each has a checksum, so whatever
a power cut leaves of one write, the other slot names the entry before. Nothing is added to the file and nothing is
renamed, so a head costs one block and one flush of the disk.
"""

import os
import re
import zlib
from pathlib import Path
from typing import NamedTuple, Protocol

from controller.journal.chain import Entry
from controller.journal.durable import sync_folder, write_durably

_SLOTS = (0, 4096)
"""Where they begin, in bytes."""
_SLOT = re.compile(rb"((\d{12}) ([0-9a-f]{64})) ([0-9a-f]{8})\n")


class AnchoredHead(NamedTuple):
    """An entry that the journal must have."""

    seq: int
    hash: str


def anchor_file(journal: Path) -> Path:
    """The path of a journal's head anchor."""
    return Path(f"{journal}.head")


def anchored_head(journal: Path) -> AnchoredHead | None:
    """The entry that the anchor names; None if there is no anchor, or it cannot be read."""
    try:
        return head_in(anchor_file(journal).read_bytes())
    except OSError:
        return None


def head_in(data: bytes) -> AnchoredHead | None:
    """The last entry that the bytes of a head anchor name; None if they name none."""
    return max((head for head in _slots(data) if head is not None), default=None)


def _slots(data: bytes) -> list[AnchoredHead | None]:
    """What each slot names; None for one whose checksum does not fit."""
    found = (_SLOT.match(data, at) for at in _SLOTS)
    return [
        AnchoredHead(int(slot[2]), slot[3].decode()) if slot is not None and _checksum(slot[1]) == slot[4] else None
        for slot in found
    ]


class _Entries(Protocol):
    """A journal, as far as its end is concerned."""

    def __len__(self) -> int: ...

    def entry(self, seq: int) -> Entry | None: ...


def missing_at_end(journal: _Entries, known: AnchoredHead | None) -> str:
    """Whether a journal still has the entry that its head anchor names, in words; empty if it has.

    Args:
        known: from the anchor, which was read before the journal, for a table may write both meanwhile.
    """
    if known is None or known.seq == 0:
        return ""
    entry, first = journal.entry(known.seq), len(journal) + 1
    if entry is not None and entry.hash == known.hash:
        return ""
    if known.seq < first:
        problem = f"entry {known.seq} is not the one that was saved"
    elif known.seq == first:
        problem = f"entry {first} is missing at its end"
    else:
        problem = f"entries {first} to {known.seq} are missing at its end"
    return f"{problem}; its outcome may already have been shown, so settle the round by hand"


def keep_head(journal: Path, seq: int, digest: str) -> None:
    """Write an anchor anew, durably, whatever lies at its path.

    Raises:
        OSError: the disk cannot be written.
    """
    write_durably(anchor_file(journal), _text(seq, digest).decode())


class HeadAnchor:
    """The head anchor of a journal that is being written.

    Args:
        seq: the journal's last entry, for an anchor that does not have both slots yet.
        digest: its hash.

    Raises:
        OSError: the file cannot be created or written.
    """

    def __init__(self, journal: Path, seq: int, digest: str) -> None:
        self._file = os.open(anchor_file(journal), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            data = os.pread(self._file, _SLOTS[-1] + len(_text(seq, digest)), 0)
            known = head_in(data)
            self._next = 1 if known is not None and known != _slots(data)[1] else 0
            if len(data) <= _SLOTS[-1]:
                for _ in _SLOTS:
                    self.note(seq, digest)
                sync_folder(journal.parent)
        except BaseException:
            os.close(self._file)
            raise

    def note(self, seq: int, digest: str) -> None:
        """Name an entry that is durable. On return this is durable, too.

        Raises:
            OSError: the disk cannot be written.
        """
        os.pwrite(self._file, _text(seq, digest), _SLOTS[self._next])
        os.fdatasync(self._file)
        self._next = 1 - self._next

    def close(self) -> None:
        os.close(self._file)


def _text(seq: int, digest: str) -> bytes:
    named = f"{seq:012d} {digest}".encode()
    return b"%s %s\n" % (named, _checksum(named))


def _checksum(named: bytes) -> bytes:
    return b"%08x" % zlib.crc32(named)
