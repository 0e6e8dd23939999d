"""What the floor's connection and writer count for its metrics, since the process started.

Updated on the event loop alone; a restart begins at 0, which Prometheus knows. Loads Prometheus' client library:
imported only by a floor whose file asks for metrics.
"""

from collections.abc import Callable, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from controller.floor.store.stored_batch import RoundNote, StoredBatch
from controller.messages.topics import Topic
from controller.web.label_values import OTHER, LabelValues
from controller.web.metrics_page import PREFIX

LAG_S = (0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600, 86_400)
BATCH_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
BATCH_MESSAGES = (1, 2, 5, 10, 20, 50, 100, 200, 500)
FATES = ("stored", "repeated", "disputed", "unproven")
REASONS = ("not-json", "schema", "huge", "future", "topic", "table", "chain", "contradiction")
"""Of refusals. These and the fates are counted from 0: what appears with its first count shows no increase."""
_TOPICS = frozenset(topic.value for topic in Topic)


class FloorCounters:
    """Counts of one process.

    Args:
        floor: its name, the first label of each.

    Attributes:
        registry: has all of them.
    """

    def __init__(self, floor: str) -> None:
        self.registry = CollectorRegistry()
        self._floor = floor
        self._games, self._reasons = LabelValues(), LabelValues()
        self._received = self._counter("messages_received_total", "Messages that arrived.", "topic")
        self._refused = self._counter("messages_refused_total", "Messages that were refused.", "reason")
        for reason in REASONS:
            self._refused.labels(floor, reason)
        dropped = "Messages past a quota; they are asked for again."
        self.dropped = self._counter("messages_dropped_total", dropped).labels(floor)
        self._rounds = self._counter("rounds_total", "Messages of rounds by what became of them.", "game", "fate")
        self._spins = self._counter("spins_total", "Spins of stored rounds that count.", "game")
        self._voids = self._counter("voids_total", "Void spins and rolls of stored rounds.", "game", "reason")
        self._corrections = self._counter("corrections_total", "Corrected entries of stored rounds.", "game")
        lag = "From the closing of a stored round, by its table's clock, to its arrival."
        self._lag_s = self._histogram("round_lag_seconds", lag, LAG_S, "seconds")
        took = "How long a transaction of the store took."
        self._batch_s = self._histogram("batch_duration_seconds", took, BATCH_S, "seconds")
        stored = "How many messages a transaction stored."
        self._batch_messages = self._histogram("batch_messages", stored, BATCH_MESSAGES)
        resends = "Requests to tables to publish rounds again."
        self.resend_requests = self._counter("resend_requests_total", resends).labels(floor)
        errors = "Transactions that failed; each is tried again."
        self.store_errors = self._counter("store_errors_total", errors).labels(floor)
        opened = "Connections to the broker that were opened."
        self.connections = self._counter("broker_connections_total", opened).labels(floor)
        failed = "Connections that could not be opened, or ended."
        self.connection_failures = self._counter("broker_connection_failures_total", failed).labels(floor)

    def watch(
        self,
        waiting: Callable[[], tuple[int, int]],
        incomplete_tables: Callable[[], int],
        connected: Callable[[], bool],
        store_available: Callable[[], bool],
    ) -> None:
        """Show, beside the counts, what is so when the metrics are asked for.

        Args:
            waiting: how many messages have arrived and are not stored yet, and how many bytes they take.
            incomplete_tables: from how many tables entries are missing that are requested again.
            connected: to the broker.
            store_available: whether the last transaction succeeded.
        """
        arrived = "Messages that have arrived and are not stored yet."
        self._gauge("queue_messages", arrived, lambda: waiting()[0])
        self._gauge("queue_bytes", "What these take of the memory.", lambda: waiting()[1], "bytes")
        missing = "Tables from which entries are missing and requested again."
        self._gauge("tables_incomplete", missing, incomplete_tables)
        self._gauge("broker_connected", "1 while messages can arrive from the broker.", connected)
        self._gauge("store_available", "1 unless the last transaction failed.", store_available)

    def arrived(self, topic: str) -> None:
        """A message arrived."""
        last = topic.rpartition("/")[2]
        self._received.labels(self._floor, last if last in _TOPICS else OTHER).inc()

    def stored(self, batch: StoredBatch, took_s: float) -> None:
        """A transaction stored messages."""
        self._batch_s.observe(took_s)
        self._batch_messages.observe(len(batch.costs_ns))
        for reason, count in batch.reasons.items():
            self._refused.labels(self._floor, reason).inc(count)
        for note in batch.notes:
            self._note(note)

    def _note(self, note: RoundNote) -> None:
        of = (self._floor, self._games.of(note.game))
        for fate in FATES:
            self._rounds.labels(*of, fate).inc(fate == note.fate)
        if note.lag_s is None:
            return
        self._lag_s.observe(note.lag_s)
        self._spins.labels(*of).inc(note.spins)
        self._corrections.labels(*of).inc(note.corrections)
        for reason in note.voids:
            self._voids.labels(*of, self._reasons.of(reason)).inc()

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"{PREFIX}floor_{name}", text, ("floor", *labels), registry=self.registry)

    def _histogram(self, name: str, text: str, bounds: Sequence[float], unit: str = "") -> Histogram:
        made = Histogram(
            f"{PREFIX}floor_{name}", text, ("floor",), unit=unit, registry=self.registry, buckets=bounds
        )
        return made.labels(self._floor)

    def _gauge(self, name: str, text: str, read: Callable[[], float], unit: str = "") -> None:
        made = Gauge(f"{PREFIX}floor_{name}", text, ("floor",), unit=unit, registry=self.registry)
        made.labels(self._floor).set_function(read)
