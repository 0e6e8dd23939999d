"""Replay of a round: its recorded events are decided again, and the decisions are compared with the record.

The events go through a new machine, from the last checkpoint before the round. For a table with a sensor
head, the stored edges go through a new tracker (see :mod:`controller.journal.replay.edge_replay`).
"""

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.events.event import Event, PowerRestored, RulesInEffect, TableStarted
from controller.events.record import Record
from controller.journal.chain import GENESIS, Entry
from controller.journal.errors import JournalDamagedError, JournalError, JournalOfOtherVersionError
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.journal.recovery import NO_TABLE_STATE, checkpoint, kept_of, restore, table_state_at
from controller.journal.replay.decoding import Sensors
from controller.journal.replay.differences import Difference, of_effects
from controller.journal.replay.edge_replay import EdgeReplay, replay_edges
from controller.journal.replay.sessions import is_start, sessions
from controller.journal.replay.trace import Traces
from controller.journal.versions import STARTS, THIS, UNKNOWN, Software, decided_by, named_by, other_decider
from controller.limits.table_state import TableState
from controller.statechart.any_machine import AnyMachine
from controller.statechart.machine import Decision, Outcome

log = logging.getLogger(__name__)

Under = Callable[[TableState], AnyMachine]
"""Makes the machine for payout odds and rules."""

_PARTS = ("data", "standing")
_OF_DATA, _OF_TABLE_STATE = "checkpoint data ", "checkpoint standing "
_OF_TABLE = ("table-started", "power-restored")


@dataclass(frozen=True, slots=True)
class ReplayedEntry:
    """An entry of the round, and how this software decides it differently."""

    entry: Entry
    record: Record
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class ReplayedRound:
    """A replayed round.

    Attributes:
        number: of the round.
        entries: of the round.
        before: differences in entries between the last checkpoint and the round's first entry.
        starts: name the software and configuration with which the round was played.
        edge_replay: the sensors' events; None for a table without a sensor head, or if no edges are stored.
        kept: the rounds with stored edges.
        software: that replays.
        deciders: the software that decided the entries, each from an entry on.
    """

    number: int
    entries: tuple[ReplayedEntry, ...]
    before: tuple[Difference, ...]
    starts: tuple[TableStarted | PowerRestored, ...]
    edge_replay: EdgeReplay | None
    kept: tuple[int, ...] = ()
    software: Software = THIS
    deciders: tuple[tuple[int, Software], ...] = ()

    def decided_by(self, seq: int) -> Software:
        """The software that decided an entry."""
        return next((decider for since, decider in reversed(self.deciders) if since <= seq), UNKNOWN)

    def of_other_version(self, difference: Difference) -> bool:
        """Whether a change of version explains a difference. It never explains a wrong hash."""
        return difference.what != "hash" and self.decided_by(difference.seq).differs(self.software)

    def other_files(self, configuration: str) -> list[str]:
        """The digests of table's files other than this one with which the round was played."""
        return sorted({start.configuration for start in self.starts} - {configuration})

    @property
    def failed(self) -> list[Difference]:
        """The differences that no change of version explains."""
        return [difference for difference in self.differences if not self.of_other_version(difference)]

    @property
    def differences(self) -> list[Difference]:
        """All differences."""
        decided = [difference for replayed in self.entries for difference in replayed.differences]
        return [*self.before, *decided, *(self.edge_replay.differences if self.edge_replay is not None else ())]


def replay(
    number: int,
    game: str,
    machine: AnyMachine,
    journal: Journal,
    traces: Traces | None = None,
    sensors: Sensors | None = None,
    software: Software = THIS,
    under: Under | None = None,
) -> ReplayedRound:
    """Replay a round.

    Args:
        number: of the round; 0 is the time before the first.
        machine: of the table's game, new.
        traces: the stored edges, if there are any.
        sensors: of a table with a sensor head.
        software: that replays.
        under: makes the machine for rules that count from an entry on.

    Raises:
        JournalError: the journal has no such round, belongs to another game, or cannot be read by this version.
        JournalOfOtherVersionError: it cannot be read because another version wrote that part.
    """
    entries = _entries(journal, number)
    opened = journal.last_checkpoint()
    if opened is not None:
        kept_of(game, opened)  # Checked here because the first round has no checkpoint before it.
    replayed = list(_decide_again(game, machine, journal, number, entries[-1].seq, software, under))
    kept = tuple(traces.rounds()) if traces is not None else ()
    return ReplayedRound(
        number,
        tuple(one for one in replayed if one.entry.round == number),
        tuple(difference for one in replayed if one.entry.round != number for difference in one.differences),
        _starts(journal, entries[0], replayed),
        _replayed_edges(number, journal, traces if number in kept else None, sensors),
        kept,
        software,
        _deciders(journal, [one.entry for one in replayed]),
    )


def _entries(journal: Journal, number: int) -> list[Entry]:
    """The entries of a round.

    Raises:
        JournalError: there are none.
    """
    entries = list(journal.entries(round_=number))
    if not entries:
        last = next((entry.round for entry in journal.entries(after=len(journal) - 1)), None)
        there = "the journal is empty" if last is None else f"the journal's last round is {last}"
        raise JournalError(f"no entries of round {number}; {there}")
    return entries


def _replayed_edges(
    number: int, journal: Journal, traces: Traces | None, sensors: Sensors | None
) -> EdgeReplay | None:
    """The round's edges, replayed; None if none are stored, or the table has no sensor head."""
    if traces is None or sensors is None:
        return None
    return replay_edges(number, sessions(number, journal, traces), sensors)


def _decide_again(
    game: str,
    machine: AnyMachine,
    journal: Journal,
    number: int,
    last: int,
    software: Software,
    under: Under | None,
) -> Iterator[ReplayedEntry]:
    """Replay every entry from the last checkpoint before a round to the round's last one."""
    start = _last_checkpoint(journal, number)
    previous, table_state = GENESIS, NO_TABLE_STATE
    if start is not None:
        table_state = table_state_at(start.seq, restore(game, machine, journal, start, software))
        previous = start.hash
    for entry in journal.entries(after=start.seq if start is not None else 0):
        if entry.seq > last:
            return
        record = _record(journal, entry, software)
        machine = _of_rules(machine, record.event, table_state, under)
        differences = list(_compare(entry, record, _decide(machine, record)))
        table_state = table_state.take(record.event)
        if entry.expected_hash(previous) != entry.hash:
            expected = entry.expected_hash(previous)
            differences.append(Difference(entry.seq, entry.kind, "hash", entry.hash[:12], expected[:12]))
        if entry.checkpoint is not None:
            new = checkpoint(game, machine, table_state)
            differences += _compare_checkpoints(entry, new, other_decider(journal, entry.seq, software) is not None)
        previous = entry.hash
        yield ReplayedEntry(entry, record, tuple(differences))


def _of_rules(machine: AnyMachine, event: Event, table_state: TableState, under: Under | None) -> AnyMachine:
    """The machine that decides on an event: another one where other rules begin to count."""
    if under is None or not isinstance(event, RulesInEffect):
        return machine
    other = under(table_state.take(event))
    other.locked_by = machine.locked_by
    if not event.anew:
        other.restore(machine.snapshot())
    return other


def _record(journal: Journal, entry: Entry, software: Software) -> Record:
    try:
        return of_entry(entry)
    except JournalDamagedError as error:
        decider = other_decider(journal, entry.seq, software)
        if decider is None:
            raise
        raise JournalOfOtherVersionError(
            f"{error}: version {decider} decided it, and this is {software}; replay the round with that version"
        ) from error


def _deciders(journal: Journal, entries: Sequence[Entry]) -> tuple[tuple[int, Software], ...]:
    """The software that decided these entries, from the first one on."""
    first = (entries[0].seq, decided_by(journal, entries[0].seq))
    return (first, *((entry.seq, named_by(entry)) for entry in entries[1:] if entry.kind in STARTS))


def _last_checkpoint(journal: Journal, number: int) -> Entry | None:
    """The last checkpoint before a round; it is in an entry of a round before."""
    for before in range(number - 1, -1, -1):
        kept = [entry for entry in journal.entries(round_=before) if entry.checkpoint is not None]
        if kept:
            return kept[-1]
    return None


def _decide(machine: AnyMachine, record: Record) -> Decision:
    """What this software decides on an event. If the code failed on it at the time, the machine is not changed."""
    failed = record.outcome == Outcome.FAILED.value
    before = machine.snapshot() if failed else {}
    try:
        decision = machine.handle(record.event)
    except Exception:
        log.debug("the machine failed on %s", record.event, exc_info=True)
        return Decision(Outcome.FAILED, machine.state.value, ())
    if failed:
        machine.restore(before)
    return decision


def _compare(entry: Entry, record: Record, decision: Decision) -> Iterator[Difference]:
    if record.outcome != decision.outcome.value:
        yield Difference(entry.seq, entry.kind, "outcome", record.outcome, decision.outcome.value)
    if record.state != decision.state:
        yield Difference(entry.seq, entry.kind, "state", record.state, decision.state)
    if record.effects != decision.effects:
        yield of_effects(entry.seq, entry.kind, record.effects, decision.effects)


def _compare_checkpoints(entry: Entry, new: str, of_other_version: bool) -> Iterator[Difference]:
    """Compare the checkpoint of an entry with that of the replay."""
    recorded, replayed = _flat(entry.checkpoint or "{}"), _flat(new)
    if of_other_version:  # What it did not know, it did not decide.
        replayed = {name: value for name, value in replayed.items() if not _added(name, recorded)}
    if not any(name.startswith(_OF_TABLE_STATE) for name in recorded):  # A checkpoint of an older version.
        replayed = {name: value for name, value in replayed.items() if not name.startswith(_OF_TABLE_STATE)}
    for name in sorted(recorded.keys() | replayed.keys()):
        if recorded.get(name) != replayed.get(name):
            values = (json.dumps(some.get(name), ensure_ascii=False) for some in (recorded, replayed))
            yield Difference(entry.seq, entry.kind, name, *values)


def _added(name: str, recorded: Mapping[str, object]) -> bool:
    """The machine's data has a field that is not on record."""
    return name.startswith(_OF_DATA) and name not in recorded


def _flat(kept: str) -> dict[str, Any]:
    whole = json.loads(kept)
    inner = {of: whole.pop(of) for of in _PARTS if isinstance(whole.get(of), dict)}
    parts = {f"{of} {name}": value for of, part in inner.items() for name, value in part.items()}
    return {f"checkpoint {name}": value for name, value in {**whole, **parts}.items()}


def _starts(
    journal: Journal, first: Entry, replayed: Sequence[ReplayedEntry]
) -> tuple[TableStarted | PowerRestored, ...]:
    """The last start before the round, and those within it."""
    within = [one.record for one in replayed if one.entry.seq >= first.seq and is_start(one.record)]
    before = journal.last_of(_OF_TABLE, first.seq)
    records = within if before is None or before.seq >= first.seq else [of_entry(before), *within]
    events = (record.event for record in records)
    return tuple(event for event in events if isinstance(event, TableStarted | PowerRestored))
