"""The floor's database, the same on SQLite and PostgreSQL.

``entries`` is the record: what tables sent, as it is. Everything else is derived from it in the same transaction,
by the games' own rules. Times are text: UTC to the millisecond, as in the journal; their order is that of time.
"""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    func,
    text,
)

VERSION = 1
"""Of this schema, in ``about``."""

metadata = MetaData()

_ID = BigInteger().with_variant(Integer, "sqlite")  # SQLite numbers rows by itself only in a column of this type.
_UTC = String(24)
_HASH = String(64)
_NAME = String(80)
_HOUR = String(13)

about = Table("about", metadata, Column("key", String(40), primary_key=True), Column("value", Text, nullable=False))

records = Table(
    "records",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("table", _NAME, nullable=False),
    Column("record", _HASH, nullable=False, comment="the hash of its first entry"),
    Column("seq", BigInteger, nullable=False, comment="the last entry here"),
    Column("hash", _HASH, nullable=False, comment="its hash"),
    Column("opening", BigInteger, comment="the entry that opened the present round; null before the first"),
    Column("game", _NAME, nullable=False),
    Column("version", _NAME, nullable=False, comment="of the table's software, at its last start"),
    Column("replaces", Text, nullable=False, comment="the damaged journal in whose place it began"),
    Column("begun", _UTC, nullable=False, comment="when its first entry arrived"),
    Column("readable_to", BigInteger, nullable=False, comment="the last entry that was derived from"),
    Column("deleted_to", BigInteger, nullable=False, server_default="0", comment="entries deleted by retention"),
    Column("disputed", Boolean, nullable=False, comment="a batch contradicted it; until a person settles it"),
    UniqueConstraint("table", "record"),
)

entries = Table(
    "entries",
    metadata,
    Column("record_id", ForeignKey("records.id"), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("round", BigInteger, nullable=False),
    Column("at_ns", BigInteger, nullable=False),
    Column("utc", _UTC, nullable=False),
    Column("kind", _NAME, nullable=False),
    Column("body", Text, nullable=False),
    Column("checkpoint", Text),
    Column("hash", _HASH, nullable=False),
)

tables = Table(
    "tables",
    metadata,
    Column("table", _NAME, primary_key=True),
    Column("record_id", ForeignKey("records.id"), comment="its newest; null before its first entry"),
    Column("online", Boolean, nullable=False),
    Column("running", Boolean, nullable=False),
    Column("online_since", _UTC, nullable=False, comment="when it last went online or offline"),
    Column("heard", _UTC, nullable=False, comment="when its last message arrived"),
    Column("game", _NAME, nullable=False),
    Column("state", _NAME, nullable=False, comment="of the table, after its last entry"),
    Column("round", BigInteger, nullable=False),
    Column("entry_utc", _UTC, nullable=False, comment="of its last entry"),
    Column("dealer", _NAME, nullable=False),
    Column("wheel", _NAME, nullable=False),
    Column("currency", String(8), nullable=False),
    Column("minimum", String(24), nullable=False),
    Column("maximum", String(24), nullable=False),
    comment="every table that was ever heard, as it is now",
)

rounds = Table(
    "rounds",
    metadata,
    Column("record_id", ForeignKey("records.id"), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False, comment="0: what came before the first"),
    Column("table", _NAME, nullable=False),
    Column("game", _NAME, nullable=False),
    Column("first", BigInteger, nullable=False, comment="its entries"),
    Column("last", BigInteger, nullable=False),
    Column("opened", _UTC, nullable=False),
    Column("closed", _UTC, nullable=False),
    Column("wheel", _NAME, nullable=False),
    Column("dealer", _NAME, nullable=False),
    Column("results", JSON, nullable=False),
    Column("voids", JSON, nullable=False, comment="reasons, as codes"),
    Column("returned", JSON, nullable=False),
    Column("corrections", Integer, nullable=False),
    Column("phases", JSON, nullable=False, comment="milliseconds by state"),
    Index("rounds_by_time", "closed"),
    Index("rounds_of_table", "table", "closed"),
    Index("rounds_of_wheel", "wheel", "closed"),
    Index("rounds_of_dealer", "dealer", "closed"),
)

spins = Table(
    "spins",
    metadata,
    Column("record_id", ForeignKey("records.id"), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False, comment="the entry of the rest or the number"),
    Column("round", BigInteger, nullable=False),
    Column("table", _NAME, nullable=False),
    Column("wheel", _NAME, nullable=False, comment="of a wheel without a serial number, the table's name"),
    Column("utc", _UTC, nullable=False),
    Column("dealer", _NAME, nullable=False),
    Column("sections", Integer, nullable=False, comment="sections or pockets of the wheel"),
    Column("position", Integer, comment="null: this spin came to no result"),
    Column("label", _NAME, nullable=False),
    Column("direction", String(16), nullable=False),
    Column("loss_permille", Integer, comment="this and what follows: SpinMeasure"),
    Column("clockwise_mdeg", Integer),
    Column("counterclockwise_mdeg", Integer),
    Column("widest_mdeg", Integer),
    Index("spins_of_wheel", "wheel", func.substr(text("utc"), text("1"), text("10"))),
)

sums = Table(
    "sums",
    metadata,
    Column("what", String(16), primary_key=True, comment="round, result, void, throw, correction, phase"),
    Column("hour", _HOUR, primary_key=True, comment="UTC, as in 2026-11-21T17"),
    Column("table", _NAME, primary_key=True),
    Column("game", _NAME, primary_key=True),
    Column("dealer", _NAME, primary_key=True),
    Column("wheel", _NAME, primary_key=True),
    Column("name", _NAME, primary_key=True, comment="result, reason, direction of the throw or state; else empty"),
    Column("count", BigInteger, nullable=False),
    Column("ms", BigInteger, nullable=False, comment="time in a phase; a round's time in play; 10 minutes at most"),
    comment="figures by the hour in which rounds closed; they stay when rounds are deleted",
    # Figures read one kind over a span of hours: its rows are side by side, and no other is read.
    sqlite_with_rowid=False,
)

wheels = Table(
    "wheels",
    metadata,
    Column("table", _NAME, primary_key=True),
    Column("wheel", _NAME, primary_key=True),
    Column("sections", Integer, primary_key=True),
    Column("game", _NAME, nullable=False),
    Column("labels", JSON, nullable=False, comment="by position; empty where none was seen"),
    Column("spins", BigInteger, nullable=False),
    Column("evidence", Float, nullable=False, comment="log10 of the e-value now"),
    Column("highest", Float, nullable=False, comment="the highest so far"),
    Column("suspicion", Text, nullable=False, comment="what the evidence points to"),
    Column("alarmed", _UTC, comment="when it first reached the configured odds"),
)

wheel_counts = Table(
    "wheel_counts",
    metadata,
    Column("table", _NAME, primary_key=True),
    Column("wheel", _NAME, primary_key=True),
    Column("sections", Integer, primary_key=True),
    Column("direction", String(16), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("count", BigInteger, nullable=False),
)

alerts = Table(
    "alerts",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("table", _NAME, nullable=False),
    Column("kind", String(16), nullable=False, comment="table, or what the floor found: docs/floor.md"),
    Column("key", String(100), nullable=False, comment="what it is about: it stands once for each"),
    Column("round", BigInteger, nullable=False),
    Column("at", _UTC, nullable=False),
    Column("code", _NAME, nullable=False),
    Column("text", Text, nullable=False),
    Column("remedy", Text, nullable=False),
    Column("ended", _UTC, comment="null while it stands"),
    UniqueConstraint("table", "kind", "key"),
    Index("alerts_that_stand", "ended", "at"),
)

disputed = Table(
    "disputed",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("record_id", ForeignKey("records.id"), nullable=False),
    Column("first", BigInteger, nullable=False, comment="the entry that contradicts"),
    Column("hash", _HASH, nullable=False, comment="of that entry"),
    Column("received", _UTC, nullable=False),
    Column("batch", LargeBinary, nullable=False, comment="as it came, compressed with zlib"),
    Column("settled", _UTC, comment="null while it waits for a person"),
    UniqueConstraint("record_id", "first", "hash"),
    comment="batches that contradict what is stored; kept apart, counted nowhere",
)

refused = Table(
    "refused",
    metadata,
    Column("table", _NAME, primary_key=True, comment="as in the topic; empty for none"),
    Column("reason", String(16), primary_key=True),
    Column("count", BigInteger, nullable=False),
    Column("last", _UTC, nullable=False),
    Column("detail", Text, nullable=False, comment="of the latest"),
)
