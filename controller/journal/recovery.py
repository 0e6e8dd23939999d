"""Recovery: the events since the last checkpoint are replayed through the machine, without performing effects."""

import json
import logging
from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from controller.events.effect import Light
from controller.events.event import IdentityRefused
from controller.events.record import Record
from controller.journal.agreement import disagreement
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError, JournalError, JournalOfOtherVersionError
from controller.journal.interrupted import Interrupted, outcome_on_record
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.journal.versions import THIS, Software, decided_by, file_of, other_decider, other_file
from controller.limits.round_progress import RoundProgress
from controller.limits.table_state import TableState, restored
from controller.statechart.any_machine import AnyMachine

log = logging.getLogger(__name__)

_OF_IDENTITY = ("identified", "identity-refused")
NO_TABLE_STATE = TableState()
"""The state of a table without a record."""
_OF_TABLE = ("game", "standing")
"""The keys of a checkpoint that are not part of the machine's snapshot."""
_to_json = json.JSONEncoder(separators=(",", ":"), sort_keys=True).encode


def checkpoint(game: str, machine: AnyMachine, table_state: TableState = NO_TABLE_STATE) -> str:
    """The machine's state and data and the table's state, as an entry stores them."""
    return _to_json({"game": game, "standing": table_state.snapshot(), **machine.snapshot()})


class Recovery(NamedTuple):
    """The result of a recovery."""

    replayed: int
    """The number of events; -1 if the journal is empty."""
    interrupted: Interrupted | None = None
    """Set if the round cannot be continued: the machine is then in the state in which the round opened."""


def recover(
    game: str,
    machine: AnyMachine,
    journal: Journal,
    software: Software = THIS,
    configuration: str = "",
    unplayable: str = "",
) -> Recovery:
    """Bring a new machine to the state at the journal's end.

    It reads one round, however long the journal is.

    Args:
        software: that runs now. If another one decided an entry differently, the round is interrupted.
        configuration: digest of the table's file, likewise: its rules may have changed; empty if not known.
        unplayable: what the file changed, if the rules on record cannot be played any more: the round is
            interrupted, whatever it decides; else empty.

    Raises:
        JournalDamagedError: the hash of an entry since the checkpoint does not match, or this software decided it
            and now cannot read it or comes to another state; the message names the entry.
        JournalOfOtherVersionError: another version wrote the last checkpoint, and this one cannot read it.
        JournalError: the journal belongs to another game.
    """
    start = journal.last_checkpoint()
    if start is None or start.checkpoint is None:
        if len(journal):
            raise JournalDamagedError("the journal has entries, but none at which a round opens")
        return Recovery(-1)
    if problem := journal.verify(start.seq - 1).problem:
        raise JournalDamagedError(problem)
    restore(game, machine, journal, start, software)
    if unplayable:
        return Recovery(0, _of_other_equipment(journal, start, machine, unplayable))
    replayed = 0
    for entry in journal.entries(after=start.seq):
        differs = _replay(machine, entry)
        if isinstance(differs, _Differs):
            if other := _decided_by_other(journal, entry, software, configuration):
                restore(game, machine, journal, start, software)
                on_record, lit = outcome_on_record(journal.entries(after=start.seq - 1), machine.lit)
                detail = differs.detail.lstrip(": ")
                return Recovery(replayed, Interrupted(other.decider, entry.seq, detail, on_record, lit, other.file))
            if differs.damage:
                raise JournalDamagedError(f"entry {entry.seq} ({entry.kind}){differs.detail}")
        replayed += differs is _SAME
    return Recovery(replayed)


def _of_other_equipment(journal: Journal, start: Entry, machine: AnyMachine, detail: str) -> Interrupted:
    """The round at the journal's end, which cannot be played under the rules of the table's file."""
    last = len(journal)
    on_record, lit = outcome_on_record(journal.entries(after=start.seq - 1), machine.lit)
    return Interrupted(decided_by(journal, last), last, detail, on_record, lit, file_of(journal, last) or "unknown")


def restore(
    game: str, machine: AnyMachine, journal: Journal, start: Entry, software: Software = THIS
) -> dict[str, object]:
    """Bring a machine to the state in an entry's checkpoint.

    Returns:
        the checkpoint's values.

    Raises:
        JournalDamagedError: the checkpoint is not valid; the message names the entry and the field.
        JournalOfOtherVersionError: the same, and another version wrote it.
        JournalError: it belongs to another game.
    """
    try:
        return _restored(game, machine, start)
    except JournalDamagedError as error:
        decider = other_decider(journal, start.seq, software)
        if decider is None:
            raise
        raise JournalOfOtherVersionError(
            f"{error}; version {decider} wrote it, and this is {software}: go on with version {decider.version}, "
            "or begin a new journal"
        ) from error


def _restored(game: str, machine: AnyMachine, start: Entry) -> dict[str, object]:
    kept = kept_of(game, start)
    table_state_at(start.seq, kept)  # Raises before the machine is changed.
    of_machine = {name: value for name, value in kept.items() if name not in _OF_TABLE}
    try:
        machine.restore(of_machine)
    except ValueError as error:
        raise JournalDamagedError(f"entry {start.seq}: its checkpoint makes no sense: {error}") from error
    return kept


def kept_of(game: str, start: Entry) -> dict[str, object]:
    """The values in an entry's checkpoint.

    Raises:
        JournalDamagedError: it cannot be read, or does not name its game.
        JournalError: it belongs to another game.
    """
    kept = _checkpoint(start.seq, start.checkpoint or "")
    named = kept.get("game")
    if not isinstance(named, str):
        wrong = "game: of another type: it is a text" if "game" in kept else "game: missing"
        raise JournalDamagedError(f"entry {start.seq}: its checkpoint makes no sense: {wrong}")
    if named != game:
        raise JournalError(f"the journal is of the game '{named}', not of '{game}'; name another file")
    return kept


def recover_table_state(journal: Journal, software: Software = THIS) -> tuple[TableState, RoundProgress]:
    """The table's state at the journal's end, and the progress of its round.

    It reads one round. Call it after :func:`recover`, or for a journal that is only shown.

    Raises:
        JournalDamagedError: an entry since the last checkpoint cannot be read. An unreadable entry of another
            version is skipped: it concerns neither limits nor the dealer.
    """
    table_state, round_progress = NO_TABLE_STATE, RoundProgress()
    start = journal.last_checkpoint()
    if start is None or start.checkpoint is None:
        return table_state, round_progress
    table_state = table_state_in(start)
    for entry in journal.entries(after=start.seq - 1):
        record = _record_unless_of_other_version(journal, entry, software)
        if record is None:
            continue
        round_progress = round_progress.take(record)
        if entry.seq > start.seq:
            table_state = table_state.take(record.event)
    return table_state, round_progress


def table_state_in(start: Entry) -> TableState:
    """The table's state in an entry's checkpoint.

    Raises:
        JournalDamagedError: the checkpoint cannot be read.
    """
    return table_state_at(start.seq, _checkpoint(start.seq, start.checkpoint or ""))


def table_state_at(seq: int, kept: Mapping[str, object]) -> TableState:
    """The table's state in a checkpoint; a checkpoint of an older version has none.

    Raises:
        JournalDamagedError: the state is not valid.
    """
    try:
        return restored(kept["standing"]) if "standing" in kept else NO_TABLE_STATE
    except ValueError as error:
        raise JournalDamagedError(f"entry {seq}: its checkpoint's standing makes no sense: {error}") from error


class _Differs(NamedTuple):
    """An entry that this software decides differently."""

    detail: str
    damage: bool = True
    """The journal is damaged if this software decided the entry."""


class _Agrees(Enum):
    SAME = True
    FAILED = False
    """The machine failed on the event at the time, so it changed nothing."""


_SAME = _Agrees.SAME


class _OtherDecider(NamedTuple):
    """Who decided an entry, if not this software under this file of the table."""

    decider: Software
    file: str = ""
    """The digest of the other file, if the software is the same."""


def _decided_by_other(
    journal: Journal, entry: Entry, software: Software, configuration: str
) -> _OtherDecider | None:
    """Another version or file of the table that decided an entry; None if it was this one.

    It is only looked up for an entry that differs: the last start may be a million entries away.
    """
    decider = decided_by(journal, entry.seq)
    if decider.differs(software):
        return _OtherDecider(decider)
    file = other_file(journal, entry.seq, configuration)
    return _OtherDecider(decider, file) if file else None


def _replay(machine: AnyMachine, entry: Entry) -> _Differs | _Agrees:
    """Let the machine decide an entry's event again, unless it failed on the event at the time."""
    try:
        record = of_entry(entry)
    except JournalDamagedError:
        return _Differs(" cannot be read by this version")
    if record.outcome == "failed":
        return _Agrees.FAILED
    try:
        decision = machine.handle(record.event)
    except Exception as error:  # A damaged record may have values that no sensor reports.
        log.debug("the machine fails on entry %d", entry.seq, exc_info=True)
        return _Differs(f": this software fails on it: {type(error).__name__}: {error}")
    for effect in record.effects:
        if isinstance(effect, Light):
            machine.lit = effect.areas  # The record says which lamps were lit.
    if decision.state != record.state:
        return _Differs(f": the record says '{record.state}', this software comes to '{decision.state}'")
    detail = disagreement(entry, record, decision)
    return _Differs(detail, damage=False) if detail else _SAME


def _checkpoint(seq: int, text: str) -> dict[str, object]:
    """The values in the text of a checkpoint."""
    try:
        kept = json.loads(text)
    except ValueError as error:
        raise JournalDamagedError(f"entry {seq}: its checkpoint cannot be read: {error}") from error
    if not isinstance(kept, dict):
        raise JournalDamagedError(f"entry {seq}: its checkpoint is none")
    return kept


def wrong_pins(journal: Journal, software: Software = THIS) -> int:
    """The number of consecutive wrong PINs at the journal's end, however long ago the last one was.

    Raises:
        JournalDamagedError: the entry of a wrong PIN cannot be read, and is not of another version.
    """
    entry = journal.last_of(_OF_IDENTITY, len(journal))
    while entry is not None and entry.kind == "identity-refused":
        record = _record_unless_of_other_version(journal, entry, software)
        if record is not None:
            assert isinstance(record.event, IdentityRefused)
            return record.event.failures
        entry = journal.last_of(_OF_IDENTITY, entry.seq - 1)
    return 0


def _record_unless_of_other_version(journal: Journal, entry: Entry, software: Software) -> Record | None:
    """The record in an entry; None if it cannot be read because another version wrote it."""
    try:
        return of_entry(entry)
    except JournalDamagedError:
        if other_decider(journal, entry.seq, software) is None:
            raise
        return None
