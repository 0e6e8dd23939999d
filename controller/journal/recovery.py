"""Recovery is replay: the events since the last round opened run through the same machine, its effects muted."""

import json
from collections.abc import Mapping

from controller.events.event import IdentityRefused
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError, JournalError
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.limits.round_progress import RoundProgress
from controller.limits.table_state import TableState, restored
from controller.statechart.any_machine import AnyMachine

_LOOK_BACK = 300
NO_TABLE_STATE = TableState()
"""Of a table that has nothing on record yet."""
_OF_TABLE = ("game", "standing")
"""What a checkpoint keeps beside the machine's snapshot."""
_to_json = json.JSONEncoder(separators=(",", ":"), sort_keys=True).encode


def checkpoint(game: str, machine: AnyMachine, table_state: TableState = NO_TABLE_STATE) -> str:
    """The machine's state and data, and how the table stands, as an entry keeps them."""
    return _to_json({"game": game, "standing": table_state.snapshot(), **machine.snapshot()})


def recover(game: str, machine: AnyMachine, journal: Journal) -> int:
    """Bring a new machine to where the journal ends.

    The cost is that of one round, however long the journal is.

    Returns:
        how many events were replayed; -1 if the journal is empty.

    Raises:
        JournalDamagedError: an entry since then does not fit the one before, cannot be read, or this software
            comes to another state than it says; the message names the entry.
        JournalError: the journal belongs to another game.
    """
    start = journal.last_checkpoint()
    if start is None or start.checkpoint is None:
        if len(journal):
            raise JournalDamagedError("the journal has entries, but none at which a round opens")
        return -1
    if problem := journal.verify(start.seq - 1).problem:
        raise JournalDamagedError(problem)
    restore(game, machine, start)
    replayed = 0
    for entry in journal.entries(after=start.seq):
        replayed += _replay(machine, entry)
    return replayed


def restore(game: str, machine: AnyMachine, start: Entry) -> dict[str, object]:
    """Bring a machine to where the checkpoint of an entry was taken.

    Returns:
        what the entry keeps.

    Raises:
        JournalDamagedError: it makes no sense to this software; the message names the entry and the field.
        JournalError: it belongs to another game.
    """
    kept = kept_of(game, start)
    table_state_at(start.seq, kept)  # Nothing is taken from a checkpoint of which a part makes no sense.
    of_machine = {name: value for name, value in kept.items() if name not in _OF_TABLE}
    try:
        machine.restore(of_machine)
    except ValueError as error:
        raise JournalDamagedError(f"entry {start.seq}: its checkpoint makes no sense: {error}") from error
    return kept


def kept_of(game: str, start: Entry) -> dict[str, object]:
    """What the checkpoint of an entry keeps.

    Raises:
        JournalDamagedError: it cannot be read, or does not say of which game it is.
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


def recover_table_state(journal: Journal) -> tuple[TableState, RoundProgress]:
    """How the table stood where the journal ends, and whether a round is underway.

    The cost is that of one round. Call it after :func:`recover`, or on a journal that is only shown.

    Raises:
        JournalDamagedError: an entry since the last checkpoint cannot be read.
    """
    table_state, round_progress = NO_TABLE_STATE, RoundProgress()
    start = journal.last_checkpoint()
    if start is None or start.checkpoint is None:
        return table_state, round_progress
    table_state = table_state_at(start.seq, _checkpoint(start.seq, start.checkpoint))
    round_progress = round_progress.take(of_entry(start))
    for entry in journal.entries(after=start.seq):
        record = of_entry(entry)
        table_state, round_progress = table_state.take(record.event), round_progress.take(record)
    return table_state, round_progress


def table_state_at(seq: int, kept: Mapping[str, object]) -> TableState:
    """How the table stood at a checkpoint; one of an older version says nothing of it.

    Raises:
        JournalDamagedError: what it says makes no sense.
    """
    try:
        return restored(kept["standing"]) if "standing" in kept else NO_TABLE_STATE
    except ValueError as error:
        raise JournalDamagedError(f"entry {seq}: its checkpoint's standing makes no sense: {error}") from error


def _replay(machine: AnyMachine, entry: Entry) -> bool:
    """Hand an entry's event to the machine again; False if the machine failed on it, and so changed nothing."""
    record = of_entry(entry)
    if record.outcome == "failed":
        return False
    try:
        decision = machine.handle(record.event)
    except Exception as error:  # A damaged record may hold what no sensor ever said.
        said = f"entry {entry.seq} ({entry.kind}): this software fails on it: {type(error).__name__}: {error}"
        raise JournalDamagedError(said) from error
    if decision.state != record.state:
        raise JournalDamagedError(
            f"entry {entry.seq} ({entry.kind}): the record says '{record.state}', "
            f"this software comes to '{decision.state}'"
        )
    return True


def _checkpoint(seq: int, text: str) -> dict[str, object]:
    """What an entry keeps of the machine."""
    try:
        kept = json.loads(text)
    except ValueError as error:
        raise JournalDamagedError(f"entry {seq}: its checkpoint cannot be read: {error}") from error
    if not isinstance(kept, dict):
        raise JournalDamagedError(f"entry {seq}: its checkpoint is none")
    return kept


def wrong_pins(journal: Journal) -> int:
    """How many wrong PINs were the last that was keyed, looking back over some hundred entries."""
    count = 0
    for entry in journal.entries(after=max(0, len(journal) - _LOOK_BACK)):
        if entry.kind == "identified":
            count = 0
        elif entry.kind == "identity-refused":
            event = of_entry(entry).event
            assert isinstance(event, IdentityRefused)
            count = event.failures
    return count
