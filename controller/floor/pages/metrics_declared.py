"""The metrics of a floor, as ``/metrics`` among its pages shows them.

What is read from the store is the same in every process that has its pages; what is counted is of the process.
"""

from controller.metrics.declaration import PREFIX, MetricDeclaration, MetricKind

COUNTER, GAUGE, HISTOGRAM = MetricKind.COUNTER, MetricKind.GAUGE, MetricKind.HISTOGRAM
_FLOOR = {"floor": "the floor's name"}
_GAME = {"game": "as the tables call it; other: beyond the first 50"}


def _own(name: str, kind: MetricKind, text: str, labels: dict[str, str] | None = None) -> MetricDeclaration:
    return MetricDeclaration(f"{PREFIX}floor_{name}", kind, text, _FLOOR | (labels or {}))


TABLES = _own("tables", GAUGE, "Tables that were ever heard.", _GAME)
ONLINE = _own("tables_online", GAUGE, "Tables whose publisher is connected to the broker.", _GAME)
PLAYING = _own("tables_playing", GAUGE, "Tables that are online and whose own process runs.", _GAME)
LOCKED = _own("tables_locked", GAUGE, "Playing tables that are locked or in malfunction.", _GAME)
STATES = _own("table_states", GAUGE, "Playing tables by the state of their game.", _GAME | {"state": "of the game"})
ALERTS = _own("alerts_active", GAUGE, "Active alerts by kind.", {"kind": "as in docs/floor.md"})
DEVICES = _own(
    "devices_faulty",
    GAUGE,
    "Sensors and devices out of order, as the tables last said; the device wheel: findings on a wheel's health.",
    {"device": "as the tables name it", "state": "silent, stuck, noisy, lossy, gone, open or degraded"},
)
READABLE = _own("store_readable", GAUGE, "1 if the store could be read for this answer, in time.")
READ = _own("store_read_seconds", GAUGE, "How long reading the store for an answer took last.")

RECEIVED = _own("messages_received_total", COUNTER, "Messages that arrived.", {"topic": "the last part of it"})
REFUSED = _own(
    "messages_refused_total",
    COUNTER,
    "Messages that were refused.",
    {"reason": "not-json, schema, huge, future, topic, table, chain or contradiction"},
)
DROPPED = _own("messages_dropped_total", COUNTER, "Messages past a quota; they are asked for again.")
ROUNDS = _own(
    "rounds_total",
    COUNTER,
    "Messages of rounds by what became of them.",
    _GAME | {"fate": "stored, repeated, disputed or unproven"},
)
SPINS = _own("spins_total", COUNTER, "Spins of stored rounds that count.", _GAME)
VOIDS = _own("voids_total", COUNTER, "Void spins and rolls of stored rounds.", _GAME | {"reason": "as on record"})
CORRECTIONS = _own("corrections_total", COUNTER, "Corrected entries of stored rounds.", _GAME)
LAG = _own(
    "round_lag_seconds",
    HISTOGRAM,
    "From the closing of a stored round, by its table's clock, to its arrival.",
)
BATCH = _own("batch_duration_seconds", HISTOGRAM, "How long a transaction of the store took.")
BATCH_MESSAGES = _own("batch_messages", HISTOGRAM, "How many messages a transaction stored.")
QUEUE = _own("queue_messages", GAUGE, "Messages that have arrived and are not stored yet.")
QUEUE_BYTES = _own("queue_bytes", GAUGE, "What these take of the memory.")
INCOMPLETE = _own("tables_incomplete", GAUGE, "Tables from which entries are missing and requested again.")
RESENDS = _own("resend_requests_total", COUNTER, "Requests to tables to publish rounds again.")
AVAILABLE = _own("store_available", GAUGE, "1 unless the last transaction failed.")
STORE_ERRORS = _own("store_errors_total", COUNTER, "Transactions that failed; each is tried again.")
CONNECTED = _own("broker_connected", GAUGE, "1 while messages can arrive from the broker.")
CONNECTIONS = _own("broker_connections_total", COUNTER, "Connections to the broker that were opened.")
FAILURES = _own("broker_connection_failures_total", COUNTER, "Connections that could not be opened, or ended.")

OF_STORE = (TABLES, ONLINE, PLAYING, LOCKED, STATES, ALERTS, DEVICES)
OF_READING = (READABLE, READ)
OF_MESSAGES = (
    *(
        RECEIVED,
        REFUSED,
        DROPPED,
        ROUNDS,
        SPINS,
        VOIDS,
        CORRECTIONS,
        LAG,
        BATCH,
        BATCH_MESSAGES,
        QUEUE,
        QUEUE_BYTES,
    ),
    *(INCOMPLETE, RESENDS, AVAILABLE, STORE_ERRORS, CONNECTED, CONNECTIONS, FAILURES),
)
OF_FLOOR = (*OF_STORE, *OF_READING, *OF_MESSAGES)
