"""Recovery: the events since the last checkpoint are decided again, without performing their effects."""

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from controller.events.event import Event, RulesChanged, TableStarted, TermsInEffect
from controller.events.record import Decision, Outcome, Record
from controller.journal.chain import Entry
from controller.journal.deciders import Decider, Interrupted, OutcomeOnRecord, decider_of
from controller.journal.differences import of_decisions
from controller.journal.errors import JournalDamagedError, JournalError, JournalOfOtherVersionError
from controller.journal.journal import Journal
from controller.journal.record import exactly, of_entry
from controller.limits.table_state import RoundProgress, TableState, restored
from controller.table.machine import TableMachine

log = logging.getLogger(__name__)

Under = Callable[[TableState], TableMachine]
"""Makes a table's machine for the odds and rules that are in effect."""
_to_json = json.JSONEncoder(separators=(",", ":"), sort_keys=True).encode


# -- checkpoints -----------------------------------------------------------------------------------------------


def checkpoint(game: str, machine: TableMachine, table_state: TableState) -> str:
    """The machine's state and data and the table's state, as an entry stores them."""
    return _to_json({"game": game, "standing": table_state.snapshot(), **machine.snapshot()})


class Checkpoint(NamedTuple):
    """What an entry stores where a round opens."""

    seq: int
    table_state: TableState
    machine: dict[str, object]

    def machine_under(self, under: Under, table_state: TableState) -> TableMachine:
        """A machine for these odds and rules, in the state of the checkpoint.

        Raises:
            JournalDamagedError: the checkpoint has no valid state; the message names the entry and the field.
        """
        machine = under(table_state)
        try:
            machine.restore(self.machine)
        except ValueError as error:
            raise _senseless(self.seq, error) from error
        return machine


def checkpoint_in(game: str, entry: Entry) -> Checkpoint:
    """The checkpoint in an entry.

    Raises:
        JournalDamagedError: it is not valid; the message names the entry and the field.
        JournalError: it belongs to another game.
    """
    try:
        kept = json.loads(entry.checkpoint or "")
        if not isinstance(kept, dict):
            raise ValueError("it is no object")
        if wrong := [f"{name}: missing" for name in ("game", "standing") if name not in kept]:
            raise ValueError("; ".join(wrong))
        named, table_state = kept.pop("game"), restored(kept.pop("standing"))
        if not isinstance(named, str):
            raise ValueError("game: of another type: it is a text")
    except ValueError as error:
        raise _senseless(entry.seq, error) from error
    if named != game:
        raise JournalError(f"the journal is of the game '{named}', not of '{game}'; name another file")
    return Checkpoint(entry.seq, table_state, kept)


def _senseless(seq: int, error: ValueError) -> JournalDamagedError:
    return JournalDamagedError(f"entry {seq}: its checkpoint makes no sense: {error}")


def _last_checkpoint(journal: Journal) -> Entry | None:
    """The last entry with a checkpoint, if the hashes match from it to the end; None for an empty journal."""
    start = journal.last_checkpoint()
    if start is None and len(journal):
        raise JournalDamagedError("the journal has entries, but none at which a round opens")
    if problem := journal.end_problem():
        raise JournalDamagedError(problem)
    return start


def table_state_of(game: str, journal: Journal) -> TableState:
    """The table's state at the end of a journal that is only shown.

    Raises:
        JournalDamagedError: an entry since the last checkpoint cannot be read, or its hash does not match.
        JournalError: it belongs to another game.
    """
    start = _last_checkpoint(journal)
    if start is None:
        return TableState()
    table_state = checkpoint_in(game, start).table_state
    for entry in journal.entries(after=start.seq):
        table_state = table_state.take(of_entry(entry).event)
    return table_state


# -- deciding again --------------------------------------------------------------------------------------------


def machine_for(machine: TableMachine, event: Event, table_state: TableState, under: Under) -> TableMachine:
    """The machine that decides on an event: another one where rules count anew.

    Args:
        table_state: before the event.
    """
    if not (isinstance(event, TermsInEffect) and event.anew):
        return machine
    other = under(table_state.take(event))
    other.table = replace(other.table, shut=machine.table.shut)
    return other


def machine_after(machine: TableMachine, before: TableState, after: TableState, under: Under) -> TableMachine:
    """The machine that goes on after an event: another one, in the same state, if odds or rules changed by it."""
    if before.house is None or after.house == before.house:
        return machine
    other = under(after)
    other.restore(machine.snapshot())
    return other


class DecidedAgain:
    """A table that takes recorded events again, from a checkpoint on: its machine, and its state.

    Args:
        start: the entry with the checkpoint; None for the journal's beginning.

    Attributes:
        kept: the last checkpoint.

    Raises:
        JournalDamagedError: the checkpoint is not valid.
        JournalError: it belongs to another game.
    """

    def __init__(self, game: str, under: Under, start: Entry | None) -> None:
        self._under = under
        self.kept = Checkpoint(0, TableState(), {}) if start is None else checkpoint_in(game, start)
        self.table_state = self.kept.table_state
        self.machine = under(self.table_state) if start is None else self.at_checkpoint()

    def at_checkpoint(self) -> TableMachine:
        """A machine as it was at the last checkpoint, for the odds and rules in effect now."""
        return self.kept.machine_under(self._under, self.table_state)

    def decide(self, record: Record) -> Decision:
        """What is decided now on the next event; an exception is that of the game's code.

        If the code failed on the event at the time, the machine does not change.
        """
        event = record.event
        self.machine = machine_for(self.machine, event, self.table_state, self._under)
        if isinstance(event, TableStarted):  # It names the odds and rules of its file.
            self.machine = self._under(self.table_state.take(event))
        elif isinstance(event, RulesChanged):  # The table went back to the last checkpoint before.
            self.machine = self.at_checkpoint()
        before = self.machine.snapshot() if record.outcome == Outcome.FAILED.value else None
        decision = self.machine.handle(event)
        if before is not None:
            self.machine.restore(before)
        return decision

    def go_on(self, event: Event) -> None:
        """The event was decided."""
        before, self.table_state = self.table_state, self.table_state.take(event)
        self.machine = machine_after(self.machine, before, self.table_state, self._under)


# -- recovery --------------------------------------------------------------------------------------------------


class Recovered(NamedTuple):
    """A table at its journal's end."""

    machine: TableMachine
    table_state: TableState = TableState()
    round_progress: RoundProgress = RoundProgress()
    replayed: int = -1
    """The number of events that the machine decided again; -1 if the journal is empty."""
    interrupted: Interrupted | None = None
    """Set if the round cannot be continued: the machine is then in the state in which the round opened."""


class Running(NamedTuple):
    """What runs now, and what it cannot play."""

    this: Decider
    unplayable: Callable[[TableState], bool] = lambda table_state: False
    """What the file changed, if the rules in effect cannot be played on its devices any more; else empty."""


def recover(game: str, under: Under, journal: Journal, now: Running) -> Recovered:
    """The table at the journal's end. It reads the journal once, from the last checkpoint on.

    An event that is decided otherwise now than on record ends that: if other software or another file decided it,
    the round is interrupted, and nothing is decided by two kinds of rules. If not, it is damage.

    Raises:
        JournalDamagedError: the hash of an entry since the checkpoint does not match, or what runs now decided it
            and cannot read it or decides otherwise; the message names the entry.
        JournalOfOtherVersionError: other software wrote the last checkpoint, and this one cannot read it.
        JournalError: the journal belongs to another game.
    """
    start = _last_checkpoint(journal)
    if start is None:
        return Recovered(under(TableState()))
    try:
        again = DecidedAgain(game, under, start)
    except JournalDamagedError as error:
        decider = decider_of(journal, start.seq)
        if decider is None or decider.same_software(now.this):
            raise
        raise JournalOfOtherVersionError(
            f"{error}; {decider} wrote it, and this is {now.this}: go on with that version, or begin a new journal"
        ) from error
    outcome, progress, replayed = OutcomeOnRecord(again.machine.lit), RoundProgress(), 0
    other: tuple[Decider, int, str] | None = None
    for entry in journal.entries(after=start.seq - 1):
        outcome.take(entry)
        try:
            record = exactly(entry)
        except JournalDamagedError as error:
            found = _by_others(journal, entry.seq, now, str(error), "entry-unreadable")
            other = other or found
            continue
        progress = progress.take(record)
        if entry.seq == start.seq:
            continue
        if other is None and record.outcome != Outcome.FAILED.value:
            difference = _difference(again, entry, record)
            other = _by_others(journal, entry.seq, now, *difference) if difference is not None else None
            replayed += difference is None
        again.go_on(record.event)
    last = len(journal)
    if now.unplayable(again.table_state) and (decider := decider_of(journal, last)) is not None:
        other = decider, last, "rules-without-devices"
    if other is None:
        return Recovered(again.machine, again.table_state, progress, replayed)
    interrupted = Interrupted(*other, outcome.found, outcome.lit)
    return Recovered(again.at_checkpoint(), again.table_state, progress, replayed, interrupted)


def _difference(again: DecidedAgain, entry: Entry, record: Record) -> tuple[str, str] | None:
    """How the entry is decided otherwise now: in words, and as a code; None if it is not."""
    try:
        decision = again.decide(record)
    except Exception as error:  # A damaged record may have values that no sensor reports.
        log.debug("the machine fails on entry %d", entry.seq, exc_info=True)
        detail = f"this software cannot process it: {type(error).__name__}: {error}"
        return f"entry {entry.seq} ({entry.kind}): {detail}", "entry-fails"
    first = next(of_decisions(entry, record, decision), None)
    return (str(first), f"other-{first.what}") if first is not None else None


def _by_others(journal: Journal, seq: int, now: Running, damage: str, what: str) -> tuple[Decider, int, str]:
    """What decided an entry that is decided otherwise now, or cannot be decided; its number, and a code.

    Args:
        damage: the difference in words, if it makes the journal a damaged one.

    Raises:
        JournalDamagedError: what runs now decided it.
    """
    decider = decider_of(journal, seq)
    if decider is None or decider == now.this:
        raise JournalDamagedError(damage)
    return decider, seq, what
