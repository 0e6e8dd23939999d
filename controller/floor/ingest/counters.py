"""What the floor's connection and writer count for its metrics: plain numbers, since the process started.

Updated on the event loop alone. The page ``/metrics`` reads them; a restart begins at 0, which Prometheus knows.
"""

from collections import Counter
from dataclasses import dataclass

from controller.floor.store.stored_batch import RoundNote, StoredBatch
from controller.messages.topics import Topic
from controller.metrics.bucket_counts import BucketCounts
from controller.metrics.label_values import OTHER, LabelValues

LAG_S = (0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600, 86_400)
BATCH_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
BATCH_MESSAGES = (1, 2, 5, 10, 20, 50, 100, 200, 500)
FATES = ("stored", "repeated", "disputed", "unproven")
REASONS = ("not-json", "schema", "huge", "future", "topic", "table", "chain", "contradiction")
"""Of refusals. These and the fates are counted from 0: what appears with its first count shows no increase."""
_TOPICS = frozenset(topic.value for topic in Topic)


class FloorCounters:
    """Counts of one process.

    Attributes:
        received: messages by the last part of their topic.
        refused: messages by reason.
        dropped: messages past a quota, or of a full queue.
        rounds: by game and what became of them.
        spins, corrections: of stored rounds, by game.
        voids: of stored rounds, by game and reason.
        lag_s: from the closing of a stored round, by its table's clock, to its arrival here, in seconds.
        batch_s: how long a transaction took, in seconds; batch_messages: how many messages it stored.
        store_errors: transactions that failed and are tried again.
        connections: to the broker, opened; connection_failures: not opened, or ended.
    """

    def __init__(self) -> None:
        self.received: Counter[str] = Counter()
        self.refused: Counter[str] = Counter(dict.fromkeys(REASONS, 0))
        self.rounds: Counter[tuple[str, str]] = Counter()
        self.spins: Counter[str] = Counter()
        self.corrections: Counter[str] = Counter()
        self.voids: Counter[tuple[str, str]] = Counter()
        self.lag_s, self.batch_s = BucketCounts(LAG_S), BucketCounts(BATCH_S)
        self.batch_messages = BucketCounts(BATCH_MESSAGES)
        self.dropped = self.store_errors = self.resend_requests = 0
        self.connections = self.connection_failures = 0
        self._games, self._reasons = LabelValues(), LabelValues()

    def arrived(self, topic: str) -> None:
        """A message arrived."""
        last = topic.rpartition("/")[2]
        self.received[last if last in _TOPICS else OTHER] += 1

    def stored(self, batch: StoredBatch, took_s: float) -> None:
        """A transaction stored messages."""
        self.batch_s.add(took_s)
        self.batch_messages.add(len(batch.costs_ns))
        self.refused.update(batch.reasons)
        for note in batch.notes:
            self._note(note)

    def _note(self, note: RoundNote) -> None:
        game = self._games.of(note.game)
        for fate in FATES:
            self.rounds[game, fate] += fate == note.fate
        if note.lag_s is None:
            return
        self.lag_s.add(note.lag_s)
        self.spins[game] += note.spins
        self.corrections[game] += note.corrections
        for reason in note.voids:
            self.voids[game, self._reasons.of(reason)] += 1


@dataclass(frozen=True, slots=True)
class IngestState:
    """What a floor's process knows of its messages, at one moment.

    Attributes:
        waiting_messages, waiting_bytes: what has arrived and is not stored yet.
        incomplete_tables: from how many tables entries are missing that are requested again.
        connected: to the broker.
        store_available: whether the last transaction succeeded.
    """

    counters: FloorCounters
    waiting_messages: int
    waiting_bytes: int
    incomplete_tables: int
    connected: bool
    store_available: bool
