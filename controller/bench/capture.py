"""Plays what a logic analyser recorded at a table: ``bench GAME --capture FILE.vcd``, on virtual time."""

from pathlib import Path
from typing import TextIO

from config.schema import TableConfig
from controller import errors as exits
from controller.bench.log_lines import write_json
from controller.bench.simulated_table import SimulatedTable, on_simulated_hardware
from controller.journal.record import RecordedDecision, exported
from hal.capture import recording
from hal.mock.clock import VirtualClock

_RECORDED = ("head", "rotor", "buttons", "keypad", "keyboard", "switches")
"""The devices that a recording replaces; lamps, buzzer and wheel reader are simulated."""
_AFTER_NS = 15_000_000_000
"""The time after the end of the recording, for a moving wheel or ball to come to rest."""


def play_capture(
    file: Path, config: TableConfig, out: TextIO, journal: Path | None = None, digest: str = "0" * 64
) -> int:
    """Play a recording at a table, and print the table's decisions.

    Args:
        out: takes the entries of the journal, as it exports them.
        journal: the journal's file, or None to keep it in memory.

    Raises:
        HalError: the file cannot be read, or lacks a line of the table.
        JournalError: the journal cannot be used.
    """
    recorded = recording(str(file))
    clock = VirtualClock()

    def write(recorded: RecordedDecision) -> None:
        write_json(out, exported(recorded.entry))

    played = SimulatedTable(_played(config, file), clock, journal, (write,), digest=digest)
    try:
        clock.advance_to(recorded.end_ns + _AFTER_NS)
    finally:
        played.close()
    return exits.OK if not played.table.halted else exits.FAILED


def _played(config: TableConfig, file: Path) -> TableConfig:
    """The same table with its lines played from the file."""
    simulated = on_simulated_hardware(config)
    options = {"backend": "capture", "options": {"file": str(file)}}
    sections = {name: getattr(simulated.devices, name) for name in _RECORDED}
    update = {name: section.model_copy(update=options) for name, section in sections.items() if section is not None}
    # The recorded wheel is the one that was calibrated.
    devices = simulated.devices.model_copy(update=update)
    return simulated.model_copy(update={"devices": devices, "wheel": config.wheel})
