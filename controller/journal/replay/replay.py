"""Replay of a round: its recorded events are decided again, and the decisions are compared with the record.

The events go through a new machine, from the last checkpoint before the round. For a table with a sensor
head, the stored edges go through a new tracker (see :mod:`controller.journal.replay.edge_replay`).
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from controller.events.record import Decision, Outcome, Record
from controller.journal.chain import GENESIS, Entry
from controller.journal.deciders import STARTS, Decider, decider_of, named_by
from controller.journal.differences import Difference, of_checkpoints, of_decisions
from controller.journal.errors import JournalDamagedError, JournalError
from controller.journal.journal import Journal
from controller.journal.record import exactly
from controller.journal.recovery import DecidedAgain, Under, checkpoint, checkpoint_in
from controller.journal.replay.edge_replay import EdgeReplay, Sensors, replay_edges
from controller.journal.replay.trace import Traces

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
    replayed = tuple(_replayed(game, under, journal, entries[0].seq, entries[-1].seq))
    kept = tuple(traces.rounds()) if traces is not None else ()
    edge_replay = None
    if traces is not None and sensors is not None and number in kept:
        edge_replay = replay_edges(number, journal, traces, sensors)
    return ReplayedRound(number, replayed, tuple(_deciders(journal, entries)), edge_replay, kept)


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


def _replayed(game: str, under: Under, journal: Journal, first: int, last: int) -> Iterator[ReplayedEntry]:
    """Entries, from the last checkpoint before one of them up to another one.

    Raises:
        JournalError: the checkpoint belongs to another game, or an entry cannot be read.
    """
    start = journal.last_checkpoint(first - 1)
    again, head = DecidedAgain(game, under, start), start.hash if start is not None else GENESIS
    for entry in journal.entries(after=again.kept.seq):
        if entry.seq > last:
            return
        try:
            record = exactly(entry)
        except JournalDamagedError as error:
            raise JournalDamagedError(f"{error}; {decider_of(journal, entry.seq)} decided it") from error
        differences = [*of_decisions(entry, record, _decide(again, record))]
        again.go_on(record.event)
        expected, head = entry.expected_hash(head), entry.hash
        if expected != entry.hash:
            differences.append(Difference(entry.seq, entry.kind, "hash", entry.hash[:12], expected[:12]))
        if entry.checkpoint is not None:
            again.kept = checkpoint_in(game, entry)
            differences += of_checkpoints(entry, checkpoint(game, again.machine, again.table_state))
        yield ReplayedEntry(entry, record, tuple(differences))


def _decide(again: DecidedAgain, record: Record) -> Decision:
    """What this software decides on an event; it may fail on it."""
    try:
        return again.decide(record)
    except Exception:
        log.debug("the machine failed on %s", record.event, exc_info=True)
        return Decision(Outcome.FAILED, again.machine.state.value, ())
