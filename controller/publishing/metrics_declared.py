"""The metrics of a table's publisher, as its ``/metrics`` shows them."""

from controller.metrics.declaration import PREFIX, MetricDeclaration, MetricKind

COUNTER, GAUGE = MetricKind.COUNTER, MetricKind.GAUGE
_TABLE = {"table": "the table's name"}


def _own(name: str, kind: MetricKind, text: str, labels: dict[str, str] | None = None) -> MetricDeclaration:
    return MetricDeclaration(f"{PREFIX}publisher_{name}", kind, text, _TABLE | (labels or {}))


CONNECTED = _own("connected", GAUGE, "1 while the broker is connected.")
CONNECTIONS = _own("connections_total", COUNTER, "Connections to the broker that were opened.")
FAILURES = _own("failures_total", COUNTER, "What kept it from publishing, as publish --status names it.")
ACKNOWLEDGED = _own(
    "last_acknowledged_timestamp_seconds",
    GAUGE,
    "When the broker last took a message, in seconds since 1970 UTC. Absent until it took one.",
)
PUBLISHED = _own("messages_total", COUNTER, "Messages that the broker took.", {"topic": "the last part of it"})
REPEATED = _own("messages_repeated_total", COUNTER, "Of these, messages that the floor had asked for again.")
REFUSED = _own("messages_refused_total", COUNTER, "Messages that the broker refused.")
ENTRIES = _own("journal_entries", GAUGE, "Entries of the table's journal.")
BYTES = _own("journal_bytes", GAUGE, "The size of the journal's file, without what is being written.")
CURSOR = _own("cursor_entries", GAUGE, "The last entry of which all is published.")
CLOSED = _own("closed_entries", GAUGE, "The last entry that a published round covers.")
BEHIND = _own("behind_entries", GAUGE, "Entries that follow the cursor; a round is published once over.")

OF_JOURNAL = (ENTRIES, BYTES, CURSOR, CLOSED, BEHIND)
OF_PUBLISHER = (CONNECTED, CONNECTIONS, FAILURES, ACKNOWLEDGED, PUBLISHED, REPEATED, REFUSED, *OF_JOURNAL)
