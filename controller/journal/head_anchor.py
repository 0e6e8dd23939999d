"""A witness of where a journal ended: a small file beside it, ``JOURNAL.head``, with the last opened round's entry.

A chain of hashes shows every entry that was changed or taken out, but not that its last entries are missing. The
witness is written each time a round opens, after the entry itself; so a journal that ends before it was cut short.
It is no secret: whoever forges a journal can forge it too, unless the hash is also known elsewhere
(``journal verify`` prints it). A witness that cannot be read says nothing.
"""

import os
import re
from pathlib import Path
from typing import NamedTuple

_FORM = re.compile(rb"(\d{12}) ([0-9a-f]{64})\n")


class AnchoredHead(NamedTuple):
    """An entry that was in the journal once."""

    seq: int
    hash: str


def anchor_file(journal: Path) -> Path:
    """Where the witness of a journal is kept."""
    return Path(f"{journal}.head")


def anchored_head(journal: Path) -> AnchoredHead | None:
    """What the witness says; None if there is none, or none that can be read."""
    try:
        found = _FORM.fullmatch(anchor_file(journal).read_bytes())
    except OSError:
        return None
    return AnchoredHead(int(found[1]), found[2].decode()) if found is not None else None


class HeadAnchor:
    """The witness of a journal that is written.

    Raises:
        OSError: the file cannot be made.
    """

    def __init__(self, journal: Path) -> None:
        self._file = os.open(anchor_file(journal), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)

    def note(self, seq: int, digest: str) -> None:
        """Note an entry that is durable. All of it lies in one sector: it is there wholly or not at all.

        Raises:
            OSError: the disk does not take it.
        """
        os.pwrite(self._file, f"{seq:012d} {digest}\n".encode(), 0)

    def close(self) -> None:
        os.close(self._file)
