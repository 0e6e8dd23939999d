"""Replay of a round: its recorded events are decided again, and the decisions are compared with the record.

The events go through a new machine, from the last checkpoint before the round. For a table with a sensor
head, the stored edges go through a new tracker (see :mod:`controller.journal.replay.edge_replay`).
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from controller.events.event import RulesChanged, TableStarted
from controller.events.record import Decision, Outcome, Record
from controller.journal.chain import GENESIS, Entry
from controller.journal.differences import Difference, of_checkpoints, of_decisions
from controller.journal.errors import JournalDamagedError, JournalError
from controller.journal.journal import Journal
from controller.journal.record import exactly
from controller.journal.recovery import (
    Checkpoint,
    Under,
    checkpoint,
    checkpoint_in,
    machine_after,
    machine_for,
)
from controller.journal.replay.edge_replay import EdgeReplay, Sensors, replay_edges
from controller.journal.replay.trace import Traces
from controller.journal.versions import STARTS, Decider, decider_of, named_by
from controller.limits.table_state import TableState
from controller.table.machine import TableMachine

log = logging.getLogger(__name__)


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
        entries: of the round, from the last checkpoint before it on.
        deciders: what decided the round: each software, and each file of the table.
        edge_replay: the sensors' events; None for a table without a sensor head, or if no edges are stored.
        kept: the rounds with stored edges.
    """

    number: int
    entries: tuple[ReplayedEntry, ...]
    deciders: tuple[Decider, ...]
    edge_replay: EdgeReplay | None
    kept: tuple[int, ...] = ()

    @property
    def differences(self) -> list[Difference]:
        """All differences."""
        decided = [difference for replayed in self.entries for difference in replayed.differences]
        return [*decided, *(self.edge_replay.differences if self.edge_replay is not None else ())]


def replay(
    number: int,
    game: str,
    under: Under,
    journal: Journal,
    traces: Traces | None = None,
    sensors: Sensors | None = None,
) -> ReplayedRound:
    """Replay a round.

    Args:
        number: of the round; 0 is the time before the first.
        traces: the stored edges, if there are any.
        sensors: of a table with a sensor head.

    Raises:
        JournalError: the journal has no such round, belongs to another game, or cannot be read by this version.
    """
    entries = _entries(journal, number)
    replayed = _Replay(game, under, journal, entries[0].seq - 1).until(entries[-1].seq)
    kept = tuple(traces.rounds()) if traces is not None else ()
    edge_replay = None
    if traces is not None and sensors is not None and number in kept:
        edge_replay = replay_edges(number, journal, traces, sensors)
    return ReplayedRound(
        number,
        tuple(replayed),
        tuple(_deciders(journal, entries)),
        edge_replay,
        kept,
    )


def _entries(journal: Journal, number: int) -> list[Entry]:
    """The entries of a round.

    Raises:
        JournalError: there are none.
    """
    entries = list(journal.entries(round_=number))
    if not entries:
        last = f"the journal's last round is {journal.last_round()}" if len(journal) else "the journal is empty"
        raise JournalError(f"no entries of round {number}; {last}")
    return entries


def _deciders(journal: Journal, entries: Sequence[Entry]) -> Iterator[Decider]:
    """What decided these entries: named by the last start before them, and by those among them."""
    found = [decider_of(journal, entries[0].seq), *(named_by(entry) for entry in entries if entry.kind in STARTS)]
    yield from dict.fromkeys(decider for decider in found if decider is not None)


class _Replay:
    """Decides entries again, from the last checkpoint before one on.

    Args:
        until: the number of the last entry that the checkpoint may be in.

    Raises:
        JournalError: the checkpoint belongs to another game, or cannot be read.
    """

    def __init__(self, game: str, under: Under, journal: Journal, until: int) -> None:
        self._game, self._under, self._journal = game, under, journal
        self._kept = Checkpoint(0, TableState(), {})
        self._head, self._table_state = GENESIS, TableState()
        self._machine = under(self._table_state)
        start = journal.last_checkpoint(until)
        if start is not None:
            self._take_checkpoint(start)
            self._head, self._table_state = start.hash, self._kept.table_state
            self._machine = self._kept.machine_under(under, self._table_state)

    def until(self, last: int) -> Iterator[ReplayedEntry]:
        """Replay up to an entry."""
        for entry in self._journal.entries(after=self._kept.seq):
            if entry.seq > last:
                return
            record = self._read(entry)
            yield ReplayedEntry(entry, record, tuple(self._differences(entry, record)))

    def _read(self, entry: Entry) -> Record:
        try:
            return exactly(entry)
        except JournalDamagedError as error:
            raise JournalDamagedError(f"{error}; {decider_of(self._journal, entry.seq)} decided it") from error

    def _differences(self, entry: Entry, record: Record) -> Iterator[Difference]:
        before, event = self._table_state, record.event
        self._machine = machine_for(self._machine, event, before, self._under)
        if isinstance(event, TableStarted):  # It names the odds and rules of its file.
            self._machine = self._under(before.take(event))
        if isinstance(event, RulesChanged):  # The table went back to the last checkpoint before.
            self._machine = self._kept.machine_under(self._under, before)
        yield from of_decisions(entry, record, _decide(self._machine, record))
        self._table_state = before.take(event)
        self._machine = machine_after(self._machine, before, self._table_state, self._under)
        expected, self._head = entry.expected_hash(self._head), entry.hash
        if expected != entry.hash:
            yield Difference(entry.seq, entry.kind, "hash", entry.hash[:12], expected[:12])
        if entry.checkpoint is not None:
            yield from of_checkpoints(entry, checkpoint(self._game, self._machine, self._table_state))
            self._take_checkpoint(entry)

    def _take_checkpoint(self, entry: Entry) -> None:
        self._kept = checkpoint_in(self._game, entry)


def _decide(machine: TableMachine, record: Record) -> Decision:
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
