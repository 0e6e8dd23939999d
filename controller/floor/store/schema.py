"""The floor's store, table by table, for SQLAlchemy Core.

Times are text as in the messages: UTC, to the millisecond, so that text order is time order.

A round is in ``rounds`` once, by table, record and sequence number. A round that contradicts a stored one is kept
in ``disputed`` and not counted. All changes that a message makes are one transaction.
"""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from controller.floor.store.house_tables import house_tables
from controller.floor.store.lease_tables import lease_tables
from controller.floor.store.sums_schema import sum_tables
from controller.floor.store.wheel_tables import wheel_tables

VERSION = 10
"""Of this schema; kept in ``about``. That of the last revision in ``migrations``."""

metadata = MetaData()

_ID = BigInteger().with_variant(Integer, "sqlite")  # SQLite numbers rows by itself only in a column of this type.
_UTC = String(24)
_HASH = String(64)
_NAME = String(80)

about = Table("about", metadata, Column("key", String(40), primary_key=True), Column("value", Text, nullable=False))

tables = Table(
    "tables",
    metadata,
    Column("table", _NAME, primary_key=True),
    Column("game", _NAME, nullable=False, server_default=""),
    Column("online", Boolean, nullable=False),
    Column("running", Boolean, nullable=False),
    Column("software", _NAME, nullable=False, server_default=""),
    Column("heard", _UTC, nullable=False, comment="when its last message arrived"),
    Column("changed", _UTC, nullable=False, comment="when it last went online or offline"),
    Column("state", JSON, comment="its latest state message"),
    Column("health", JSON, comment="its latest health message"),
    Column("obstacle", Text, comment="why its rounds were refused; null once none is missing"),
    Column("obstacle_until", _UTC, comment="when such a round may be taken; null if that is not known"),
    comment="every table that ever sent a message",
)

records = Table(
    "records",
    metadata,
    Column("table", _NAME, primary_key=True),
    Column("record", _HASH, primary_key=True, comment="the hash of the record's first entry"),
    Column("seq", BigInteger, nullable=False, comment="the last entry up to which the record is complete"),
    Column("hash", _HASH, nullable=False, comment="its hash"),
    Column("begun", _UTC, nullable=False, comment="when its first message arrived"),
    Column("replaces", Text, nullable=False, server_default=""),
    Column(
        "deleted_to",
        BigInteger,
        nullable=False,
        server_default="0",
        comment="the last entry of the rounds that were deleted, as retention: says",
    ),
    comment="how far each record of each table is stored",
)

rounds = Table(
    "rounds",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("table", _NAME, nullable=False),
    Column("record", _HASH, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("hash", _HASH, nullable=False),
    Column("first", BigInteger, nullable=False),
    Column("previous", _HASH, nullable=False),
    Column("number", BigInteger, nullable=False, comment="of the round; 0 is what came before the first"),
    Column("game", _NAME, nullable=False),
    Column("opened", _UTC, nullable=False),
    Column("closed", _UTC, nullable=False),
    Column("wheel", _NAME, nullable=False),
    Column("dealer", _NAME, nullable=False),
    Column("results", JSON, nullable=False),
    Column("voids", JSON, nullable=False),
    Column("returned", JSON, nullable=False),
    Column("corrections", Integer, nullable=False),
    Column("phases", JSON, nullable=False, comment="milliseconds by state"),
    Column("spins", JSON, nullable=False),
    Column(
        "checked",
        Boolean,
        nullable=False,
        comment="whether its entries were sent with it, and their hashes verified",
    ),
    Column(
        "derived",
        Boolean,
        nullable=False,
        server_default=false(),
        comment="whether all that is said of it was derived from its entries",
    ),
    Column("entries", LargeBinary, comment="the entries, JSON, compressed with zlib"),
    Column("received", _UTC, nullable=False),
    Column("closed_on", Date, comment="the day of ``closed``; null in a row from before version 5"),
    UniqueConstraint("table", "record", "seq"),
    Index("rounds_by_time", "closed"),
    Index("rounds_of_table", "table", "closed"),
    Index("rounds_of_wheel", "wheel", "closed"),
    Index("rounds_of_dealer", "dealer", "closed"),
)

hour_sums = Table(
    "hour_sums",
    metadata,
    Column("hour", String(13), primary_key=True, comment="in which the rounds closed, UTC, as in 2026-11-21T17"),
    Column("table", _NAME, primary_key=True),
    Column("game", _NAME, primary_key=True),
    Column("dealer", _NAME, primary_key=True),
    Column("wheel", _NAME, primary_key=True),
    Column("rounds", BigInteger, nullable=False),
    Column("spins", BigInteger, nullable=False, comment="spins, rolls or deals, the void ones included"),
    Column("corrections", BigInteger, nullable=False),
    Column("voids", JSON, nullable=False, comment="by reason"),
    Column(
        "phases",
        JSON,
        nullable=False,
        comment="by state: milliseconds, those of at most ten minutes a round, and rounds",
    ),
    Index("hour_sums_of_table", "table", "hour"),
    comment="of all rounds that were ever stored, without number 0; kept when the rounds are deleted",
)

disputed = Table(
    "disputed",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("table", _NAME, nullable=False),
    Column("record", _HASH, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("hash", _HASH, nullable=False),
    Column("why", Text, nullable=False),
    Column("payload", LargeBinary, nullable=False, comment="the message, compressed with zlib"),
    Column("received", _UTC, nullable=False),
    UniqueConstraint("table", "record", "seq", "hash"),
    comment="rounds that contradict those that are stored",
)

unproven = Table(
    "unproven",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("table", _NAME, nullable=False),
    Column("record", _HASH, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("hash", _HASH, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("why", Text, nullable=False),
    Column("payload", LargeBinary, nullable=False, comment="the message, compressed with zlib"),
    Column("received", _UTC, nullable=False),
    UniqueConstraint("table", "record", "seq", "hash"),
    comment="rounds that cannot be derived from entries; they count for nothing",
)

parts = Table(
    "parts",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("table", _NAME, nullable=False),
    Column("record", _HASH, nullable=False),
    Column("first", BigInteger, nullable=False),
    Column("previous", _HASH, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("hash", _HASH, nullable=False),
    Column("entries", LargeBinary, nullable=False, comment="JSON, compressed with zlib"),
    Column("received", _UTC, nullable=False),
    UniqueConstraint("table", "record", "seq", "hash"),
    comment="entries of rounds that are too long for one message, until the round's own message has come",
)

wheel_places = Table(
    "wheel_places",
    metadata,
    Column("wheel", _NAME, primary_key=True, comment="serial number"),
    Column("table", _NAME, primary_key=True),
    Column("since", _UTC, nullable=False, comment="when its first round there closed, or a person said so"),
    Column("until", _UTC, comment="null while the wheel is there"),
    comment="at which table each wheel is, as their records and people say",
)

settlements = Table(
    "settlements",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("kind", String(20), nullable=False, comment="fork, gap, wheel, false or group"),
    Column("table", _NAME, nullable=False),
    Column("what", _NAME, nullable=False, comment="the branch that is kept; the wheel's serial number"),
    Column("person", String(160), nullable=False),
    Column("reason", Text, nullable=False),
    Column("asked", _UTC, nullable=False),
    Column("done", _UTC, comment="when it was on record and took effect; null until then"),
    Column("outcome", Text, nullable=False, server_default=""),
    comment="what people settled",
)

alerts = Table(
    "alerts",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("table", _NAME, nullable=False),
    Column("kind", String(20), nullable=False, comment="see controller/floor/store/alerts.py"),
    Column("key", String(160), nullable=False, comment="identifies it among the alerts of its table and kind"),
    Column("at", _UTC, nullable=False),
    Column("round", BigInteger, nullable=False),
    Column("hash", _HASH, comment="of the entry that raised it; null for an alert of the floor's own"),
    Column("text", Text, nullable=False),
    Column("remedy", Text, nullable=False),
    Column("received", _UTC, nullable=False),
    Column("ended", _UTC, comment="when it ended; null while it is active"),
    UniqueConstraint("table", "kind", "key"),
    Index("alerts_that_stand", "ended", "received"),
)

refused = Table(
    "refused",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("received", _UTC, nullable=False),
    Column("topic", String(200), nullable=False),
    Column("reason", String(20), nullable=False, comment="as validation.py names them"),
    Column("detail", Text, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    comment="the latest refused messages; older ones are only counted",
)

refused_count = Table(
    "refused_count",
    metadata,
    Column("table", _NAME, primary_key=True, comment="as in the topic; empty for none"),
    Column("reason", String(20), primary_key=True),
    Column("count", BigInteger, nullable=False),
    Column("last", _UTC, nullable=False),
)

wheels, wheel_counts = wheel_tables(metadata)
workers, leases, wheel_writers = lease_tables(metadata)
relayed, openings, houses = house_tables(metadata)
period_sums, period_parts, spin_sums = sum_tables(metadata)
