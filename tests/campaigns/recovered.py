"""A table that is started on what an interruption left behind, compared with what was acknowledged."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from campaigns.uninterrupted import Uninterrupted

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.journal.chain import Entry
from controller.journal.errors import JournalError
from controller.journal.journal import Journal


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found.

    Attributes:
        entries: those that the interruption left.
        missing: entries that were acknowledged and are not there, or others.
        wrong: how the table's state differs from that of an uninterrupted one; empty if it does not.
        broken: why it does not start, or what is wrong with its journal; empty for nothing.
    """

    entries: list[Entry] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)
    wrong: str = ""
    broken: str = ""


def examine(
    config: TableConfig,
    file: Path,
    machine: Uninterrupted,
    acknowledged: Mapping[int, str],
    mirror: Path | None = None,
) -> Examined:
    """Start a table, which writes to its journal, and compare.

    Args:
        file: the journal, or where it would be.
        machine: has applied no more than was acknowledged; it is not changed.
        acknowledged: hashes of the entries that were acknowledged, by sequence number.
        mirror: the second journal; None for none.
    """
    try:
        return _examine(config, file, machine, acknowledged, mirror)
    except (JournalError, sqlite3.Error) as error:
        missing = _missing(acknowledged, _readable(file))
        return Examined(missing=missing, broken=f"the table does not start: {error}")


def _examine(
    config: TableConfig,
    file: Path,
    machine: Uninterrupted,
    acknowledged: Mapping[int, str],
    mirror: Path | None,
) -> Examined:
    starts: list[int] = []
    rig = Rig(config, file, listeners=(lambda recorded: starts.append(recorded.entry.seq),), mirror=mirror)
    try:
        entries, before = list(rig.journal.entries()), starts[0] - 1
        missing = _missing(acknowledged, entries[:before])
        wrong = "" if missing else _difference(rig, entries, before, machine)
        return Examined(entries[:before], missing, wrong, rig.journal.verify().problem)
    finally:
        rig.table.stop()
        rig.journal.close()


def _missing(acknowledged: Mapping[int, str], entries: list[Entry]) -> list[int]:
    kept = {entry.seq: entry.hash for entry in entries}
    return [seq for seq, digest in acknowledged.items() if kept.get(seq) != digest]


def _readable(file: Path) -> list[Entry]:
    """What can be read of a journal on which no table starts."""
    found: list[Entry] = []
    with suppress(JournalError, sqlite3.Error), closing(Journal(file, read_only=True)) as journal:
        found.extend(journal.entries())
    return found


def _difference(rig: Rig, entries: list[Entry], before: int, machine: Uninterrupted) -> str:
    """The first difference between the table and the machine after these entries; the last ones are the table's."""
    state_after = machine.state_after(entries[machine.applied :])
    if state_after.difference:
        return state_after.difference
    for what, found, should in (
        ("is in", rig.machine.snapshot(), state_after.snapshot),
        ("waits for", rig.waiting_for, state_after.waiting_for),
        ("lights", tuple(sorted(rig.lit())), state_after.lit),
    ):
        if found != should:
            return f"after entry {before} the table {what} {found}, without an interruption {should}"
    return ""
