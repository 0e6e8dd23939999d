"""Plays what a logic analyser recorded at a table: ``bench GAME --capture FILE.vcd``, on virtual time."""

from pathlib import Path
from typing import TextIO

from config.schema import TableConfig
from controller.bench.log_lines import write_json
from controller.bench.rig import NS_PER_S, Rig
from controller.journal.record import RecordedDecision, exported
from hal.capture import recording

_AFTER_NS = 15 * NS_PER_S
"""The time after the end of the recording, for a moving wheel or ball to come to rest."""


def play_capture(
    file: Path, config: TableConfig, out: TextIO, journal: Path | None = None, digest: str = "0" * 64
) -> None:
    """Play a recording at a table, and print the table's decisions.

    Args:
        out: takes the entries of the journal, as it exports them.
        journal: the journal's file, or None to keep it in memory.
        digest: SHA-256 of the table's file, for the record.

    Raises:
        HaltedTableError: the table halted.
        HalError: the file cannot be read, or lacks a line of the table.
        JournalError: the journal cannot be used.
    """
    ends_ns = recording(str(file)).end_ns

    def write(recorded: RecordedDecision) -> None:
        write_json(out, exported(recorded.entry))

    played = Rig(config, journal, listeners=(write,), recording=file, digest=digest)
    try:
        played.until(ends_ns + _AFTER_NS)
    finally:
        played.close()
