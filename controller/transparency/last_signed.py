"""What was signed last of each record, in a small text file beside the checkpoints.

The table reads it at its start, and ``journal verify``: neither needs cryptography, a lock, nor to open the
signer's database. A line is the size, the hash of the last entry, and the origin.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from controller.journal.chain import Entry
from controller.journal.durable import write_durably
from controller.transparency.leaves import key_name, origin_of

_LINE = re.compile(r"(\d{1,18}) ([0-9a-f]{64}) (\S{1,300})")
_MOST_BYTES = 1 << 20


class LastSigned(NamedTuple):
    """The last entry of a record that was signed.

    Attributes:
        size: its number.
        hash: its hash, hexadecimal.
    """

    origin: str
    size: int
    hash: str


class _Journal(Protocol):
    """A journal, as far as it is compared."""

    def __len__(self) -> int: ...

    def entry(self, seq: int) -> Entry | None: ...


def last_signed_file(checkpoints: Path) -> Path:
    """The path of the file, from that of the checkpoints."""
    return Path(f"{checkpoints}.last")


def read_last_signed(file: Path) -> list[LastSigned]:
    """What the file says; a line that cannot be read is left out, and a file that is not there says nothing."""
    try:
        with file.open("rb") as stream:
            text = stream.read(_MOST_BYTES).decode(errors="replace")
    except OSError:
        return []
    found = (_LINE.fullmatch(line) for line in text.splitlines())
    return [LastSigned(one[3], int(one[1]), one[2]) for one in found if one is not None]


def keep_last_signed(file: Path, signed: Iterable[LastSigned]) -> None:
    """Write the file anew. Durable on return.

    Raises:
        OSError: the disk cannot be written.
    """
    write_durably(file, "".join(f"{one.size} {one.hash} {one.origin}\n" for one in signed))


def tables_of(signed: Iterable[LastSigned]) -> list[str]:
    """The tables whose records were signed."""
    names = (one.origin.removeprefix(key_name("")).partition("/")[0] for one in signed)
    return list(dict.fromkeys(names))


def contradiction(journal: _Journal, table: str, signed: Sequence[LastSigned], replaces: str) -> str:
    """How a journal contradicts what was signed of its table, in words; empty if it does not.

    One entry is compared: the hash of each covers all before.

    Args:
        replaces: what the journal says that it replaces, in its first entry or in what it will write there.
    """
    of_table = [one for one in signed if one.origin.startswith(f"{key_name(table)}/")]
    if not of_table:
        return ""
    first = journal.entry(1)
    own = origin_of(table, first.hash) if first is not None else ""
    last = next((one for one in of_table if one.origin == own), None)
    if last is None:
        if replaces:
            return ""
        known = of_table[-1]
        what = "is empty" if first is None else "is another record"
        known_as = f"a record of this table was signed up to entry {known.size} ({known.hash[:12]}…)"
        return f"{known_as}, and this journal {what} and does not say what it replaces: it was deleted or swapped"
    if len(journal) < last.size:
        return f"entries {len(journal) + 1} to {last.size} are missing; they were signed: it was cut or rolled back"
    entry = journal.entry(last.size)
    if entry is None or entry.hash != last.hash:
        return f"entry {last.size} is not the one that was signed ({last.hash[:12]}…): the record was rewritten"
    return ""
