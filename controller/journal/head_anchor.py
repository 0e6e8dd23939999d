"""The head anchor: the file ``JOURNAL.head`` beside a journal names an entry that the journal must have.

A hash chain reveals every entry that was changed or removed, but not that entries are missing at its end. The head
anchor is written each time a round opens, after the entry itself; a journal that ends before that entry was
truncated. Somebody who forges a journal can forge the anchor too, unless the hash is also known elsewhere
(``journal verify`` prints it). An anchor that cannot be read is ignored.
"""

import os
import re
from pathlib import Path
from typing import NamedTuple, Protocol

from controller.journal.chain import Entry
from controller.journal.durable import write_durably

_FORM = re.compile(rb"(\d{12}) ([0-9a-f]{64})\n")


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
        found = _FORM.fullmatch(anchor_file(journal).read_bytes())
    except OSError:
        return None
    return AnchoredHead(int(found[1]), found[2].decode()) if found is not None else None


class _Entries(Protocol):
    """A journal, as far as its end is concerned."""

    def __len__(self) -> int: ...

    def entry(self, seq: int) -> Entry | None: ...


def missing_at_end(journal: _Entries, file: Path) -> str:
    """Whether a journal still has the entry that its head anchor names, in words; empty if it has.

    Args:
        file: the journal's path, beside which the anchor lies.
    """
    known = anchored_head(file)
    if known is None:
        return ""
    if known.seq > len(journal):
        return f"the entries {len(journal) + 1} to {known.seq} are missing at its end"
    entry = journal.entry(known.seq)
    if entry is not None and entry.hash == known.hash:
        return ""
    return f"entry {known.seq} is another than it once was"


def keep_head(journal: Path, seq: int, digest: str) -> None:
    """Write an anchor anew, durably, whatever lies at its path.

    Raises:
        OSError: the disk cannot be written.
    """
    write_durably(anchor_file(journal), _text(seq, digest))


class HeadAnchor:
    """The head anchor of a journal that is being written.

    Raises:
        OSError: the file cannot be created.
    """

    def __init__(self, journal: Path) -> None:
        self._file = os.open(anchor_file(journal), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)

    def note(self, seq: int, digest: str) -> None:
        """Name an entry that is durable. The text lies in one sector, so it is written completely or not at all.

        Raises:
            OSError: the disk cannot be written.
        """
        os.pwrite(self._file, _text(seq, digest).encode(), 0)

    def close(self) -> None:
        os.close(self._file)


def _text(seq: int, digest: str) -> str:
    return f"{seq:012d} {digest}\n"
