"""Recovery is replay: the events since the last round opened run through the same machine, its effects muted."""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from controller.events.effect import Light
from controller.events.event import IdentityRefused
from controller.journal.agreement import disagreement
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError, JournalError, JournalOfOtherVersionError
from controller.journal.interrupted import Interrupted, standing
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.journal.versions import THIS, Software, decided_by
from controller.limits.round_progress import RoundProgress
from controller.limits.table_state import TableState, restored
from controller.statechart.any_machine import AnyMachine

log = logging.getLogger(__name__)

_LOOK_BACK = 300
NO_TABLE_STATE = TableState()
"""Of a table that has nothing on record yet."""
_OF_TABLE = ("game", "standing")
"""What a checkpoint keeps beside the machine's snapshot."""
_to_json = json.JSONEncoder(separators=(",", ":"), sort_keys=True).encode


def checkpoint(game: str, machine: AnyMachine, table_state: TableState = NO_TABLE_STATE) -> str:
    """The machine's state and data, and how the table stands, as an entry keeps them."""
    return _to_json({"game": game, "standing": table_state.snapshot(), **machine.snapshot()})


@dataclass(frozen=True, slots=True)
class Recovery:
    """What came of a recovery."""

    replayed: int
    """How many events; -1 if the journal is empty."""
    interrupted: Interrupted | None = None
    """The round cannot be gone on with: the machine stands where it opened."""


def recover(game: str, machine: AnyMachine, journal: Journal, software: Software = THIS) -> Recovery:
    """Bring a new machine to where the journal ends.

    The cost is that of one round, however long the journal is.

    Args:
        software: what this is. Where another one decided otherwise, the round is interrupted.

    Raises:
        JournalDamagedError: an entry since then does not fit the one before, or this software decided it, and
            cannot read it now or comes to another state than it says; the message names the entry.
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
    replayed = 0
    for entry in journal.entries(after=start.seq):
        differs = _replay(machine, entry)
        if isinstance(differs, _Differs):
            # Who decided is asked only now: the last start may be a million entries away.
            decider = decided_by(journal, entry.seq)
            if decider.differs(software):
                restore(game, machine, journal, start, software)
                on_record, lit = standing(journal.entries(after=start.seq - 1), machine.lit)
                return Recovery(
                    replayed, Interrupted(decider, entry.seq, differs.detail.lstrip(": "), on_record, lit)
                )
            if differs.damage:
                raise JournalDamagedError(f"entry {entry.seq} ({entry.kind}){differs.detail}")
        replayed += differs is _SAME
    return Recovery(replayed)


def restore(
    game: str, machine: AnyMachine, journal: Journal, start: Entry, software: Software = THIS
) -> dict[str, object]:
    """Bring a machine to where the checkpoint of an entry was taken.

    Returns:
        what the entry keeps.

    Raises:
        JournalDamagedError: it makes no sense to this software; the message names the entry and the field.
        JournalOfOtherVersionError: the same, and another version wrote it.
        JournalError: it belongs to another game.
    """
    try:
        return _restored(game, machine, start)
    except JournalDamagedError as error:
        decider = decided_by(journal, start.seq)
        if not decider.differs(software):
            raise
        raise JournalOfOtherVersionError(
            f"{error}; version {decider} wrote it, and this is {software}: go on with version {decider.version}, "
            "or begin a new journal"
        ) from error


def _restored(game: str, machine: AnyMachine, start: Entry) -> dict[str, object]:
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


def recover_table_state(journal: Journal, software: Software = THIS) -> tuple[TableState, RoundProgress]:
    """How the table stood where the journal ends, and whether a round is underway.

    The cost is that of one round. Call it after :func:`recover`, or on a journal that is only shown.

    Raises:
        JournalDamagedError: an entry since the last checkpoint cannot be read. One of another version is passed
            over: neither limits nor dealers are told by what this version does not know.
    """
    table_state, round_progress = NO_TABLE_STATE, RoundProgress()
    start = journal.last_checkpoint()
    if start is None or start.checkpoint is None:
        return table_state, round_progress
    table_state = table_state_at(start.seq, _checkpoint(start.seq, start.checkpoint))
    for entry in journal.entries(after=start.seq - 1):
        try:
            record = of_entry(entry)
        except JournalDamagedError:
            if not decided_by(journal, entry.seq).differs(software):
                raise
            continue
        round_progress = round_progress.take(record)
        if entry.seq > start.seq:
            table_state = table_state.take(record.event)
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


@dataclass(frozen=True, slots=True)
class _Differs:
    """An entry that does not say what this software decides."""

    detail: str
    damage: bool = True
    """It is damage if this software decided it."""


class _Agrees(Enum):
    SAME = True
    FAILED = False
    """The machine failed on it then, and so changed nothing."""


_SAME = _Agrees.SAME


def _replay(machine: AnyMachine, entry: Entry) -> _Differs | _Agrees:
    """Hand an entry's event to the machine again, unless the machine failed on it then."""
    try:
        record = of_entry(entry)
    except JournalDamagedError:
        return _Differs(" cannot be read by this version")
    if record.outcome == "failed":
        return _Agrees.FAILED
    try:
        decision = machine.handle(record.event)
    except Exception as error:  # A damaged record may hold what no sensor ever said.
        log.debug("the machine fails on entry %d", entry.seq, exc_info=True)
        return _Differs(f": this software fails on it: {type(error).__name__}: {error}")
    for effect in record.effects:
        if isinstance(effect, Light):
            machine.lit = effect.areas  # What burned is what the record says.
    if decision.state != record.state:
        return _Differs(f": the record says '{record.state}', this software comes to '{decision.state}'")
    detail = disagreement(entry, record, decision)
    return _Differs(detail, damage=False) if detail else _SAME


def _checkpoint(seq: int, text: str) -> dict[str, object]:
    """What an entry keeps of the machine."""
    try:
        kept = json.loads(text)
    except ValueError as error:
        raise JournalDamagedError(f"entry {seq}: its checkpoint cannot be read: {error}") from error
    if not isinstance(kept, dict):
        raise JournalDamagedError(f"entry {seq}: its checkpoint is none")
    return kept


def wrong_pins(journal: Journal, software: Software = THIS) -> int:
    """How many wrong PINs were the last that was keyed, looking back over some hundred entries.

    Raises:
        JournalDamagedError: an entry that tells of one cannot be read, and is not of another version.
    """
    count = 0
    for entry in journal.entries(after=max(0, len(journal) - _LOOK_BACK)):
        if entry.kind == "identified":
            count = 0
        elif entry.kind == "identity-refused":
            try:
                event = of_entry(entry).event
            except JournalDamagedError:
                if not decided_by(journal, entry.seq).differs(software):
                    raise
                continue
            assert isinstance(event, IdentityRefused)
            count = event.failures
    return count
