"""The head anchor: the file ``JOURNAL.head`` beside a journal names an entry that the journal must have.

A hash chain reveals every entry that was changed or removed, but not that entries are missing at its end: of a
write-ahead log with one flipped bit SQLite reads what comes before it, and reports nothing. So the number and the
hash of each entry are written to the head anchor and synced, after the entry itself is on disk and before any of
its effects is performed. A journal that ends before its head, or has another entry in its place, is damaged. A
journal that is longer than its head is not: the power was cut between the two writes. Nobody saw the effects of
that entry, so it is the only one whose loss may go unnoticed.

A slot that cannot be read counts as not written, and an anchor that is missing or of which nothing can be read is
ignored, because a journal may be copied without it (``journal verify`` reports that). Somebody who forges a journal
can forge the anchor too, unless the hash is also known elsewhere.

The file has two slots in different blocks of the disk, which are written in turns. Each has a checksum, so whatever
a power cut leaves of one write, the other slot names the entry before. A head costs one block and one flush.
"""

import os
import re
import zlib
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

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
    found = (_SLOT.match(data, at) for at in _SLOTS)
    named = (AnchoredHead(int(one[2]), one[3].decode()) for one in found if one and _checksum(one[1]) == one[4])
    return max(named, default=None)


class HeadAnchor:
    """The head anchor of a journal that is being written; both slots begin with the journal's last entry.

    Raises:
        OSError: the file cannot be created or written.
    """

    def __init__(self, journal: Path, seq: int, digest: str) -> None:
        self._file = os.open(anchor_file(journal), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            data = os.pread(self._file, 2 * _SLOTS[1], 0)
            known = head_in(data)
            first_is_newest = known is not None and head_in(data[: _SLOTS[1]]) == known
            self._slots = cycle(reversed(_SLOTS) if first_is_newest else _SLOTS)
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
        os.pwrite(self._file, _text(seq, digest), next(self._slots))
        os.fdatasync(self._file)

    def close(self) -> None:
        os.close(self._file)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _text(seq: int, digest: str) -> bytes:
    named = f"{seq:012d} {digest}".encode()
    return b"%s %s\n" % (named, _checksum(named))


def _checksum(named: bytes) -> bytes:
    return b"%08x" % zlib.crc32(named)
