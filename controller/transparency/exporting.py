"""Writes a record with its checkpoints and timestamps into a folder, for an audit on another computer."""

import base64
import json
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from controller.journal.chain import Entry
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.transparency import evidence as files
from controller.transparency.leaves import origin_of
from controller.transparency.note import SignedNote, VerifierKey
from controller.transparency.store import Checkpoints


class Exported(NamedTuple):
    """How much was exported, and what is missing at the journal's end."""

    entries: int
    checkpoints: int
    problem: str


def export_evidence(
    journal: Path,
    table: str,
    checkpoints: Path,
    key: VerifierKey,
    folder: Path,
    advance: Callable[[int], None] = lambda done: None,
) -> Exported:
    """Export a record.

    Args:
        folder: it must not exist, or be empty.
        advance: is called with 1 for each entry that is written.

    Raises:
        JournalError: the journal cannot be read, or has no entry.
        CheckpointsError: the checkpoints cannot be read.
        EvidenceError: the folder cannot be written.
    """
    with (
        closing(Journal(journal, read_only=True)) as opened,
        closing(Checkpoints(checkpoints, read_only=True)) as kept,
    ):
        first = opened.entry(1)
        if first is None:
            raise JournalError(f"{journal}: the journal has no entry yet")
        origin = origin_of(table, first.hash)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise files.EvidenceError(f"{folder}: there is something in this folder already; name another")
            # The checkpoints first: what is signed while the rest is written has no entries here then.
            notes = _write(folder / files.CHECKPOINTS, (json.dumps({"note": one.note}) for one in kept.of(origin)))
            _write(folder / files.LEAVES, (leaf.hex() for leaf in kept.leaves(origin)))
            stamps = (
                {"size": one.size, "response": base64.b64encode(one.response).decode()}
                for one in kept.timestamps(origin)
            )
            _write(folder / files.TIMESTAMPS, map(json.dumps, stamps))
            lines = (entry_line(entry) for entry in opened.entries())
            entries = _write(folder / files.ENTRIES, lines, advance)
            _write(folder / files.TABLE_KEY, [str(key)])
            about = {"format": files.FORMAT, "table": table, "record": first.hash}
            _write(folder / files.ABOUT, [json.dumps(about)])
            last = kept.last(origin)
            if last is not None:
                (folder / files.HEAD).write_text(str(SignedNote.parse(last.note)), encoding="utf-8")
        except OSError as error:
            raise files.EvidenceError(f"{folder}: it cannot be written: {error.strerror}") from error
        return Exported(entries, notes, opened.missing_at_end())


def entry_line(entry: Entry) -> str:
    """An entry as a line of the evidence."""
    return json.dumps(entry._asdict(), ensure_ascii=False)


def _write(file: Path, lines: Iterable[str], advance: Callable[[int], None] = lambda done: None) -> int:
    """Write lines; returns how many."""
    count = 0
    with file.open("x", encoding="utf-8") as stream:
        for line in lines:
            stream.write(f"{line}\n")
            count += 1
            advance(1)
    return count
