"""The part of the floor's store for wheels: where they stopped and what that is evidence of."""

from sqlalchemy import JSON, BigInteger, Column, Float, Integer, MetaData, String, Table, Text

_UTC = String(24)
_NAME = String(80)


def wheel_tables(metadata: MetaData) -> tuple[Table, Table]:
    """Wheels and their counts."""
    wheels = Table(
        "wheels",
        metadata,
        Column("wheel", _NAME, primary_key=True, comment="serial number; of a wheel without one, the table's name"),
        Column("game", _NAME, nullable=False),
        Column("of", Integer, nullable=False, comment="sections or pockets"),
        Column("labels", JSON, nullable=False, comment="by position; empty where none has been seen"),
        Column("spins", BigInteger, nullable=False),
        Column("evidence", Float, nullable=False, comment="log10 of the e-value now"),
        Column("highest", Float, nullable=False, comment="the highest value so far"),
        Column("suspicion", Text, nullable=False, comment="what the evidence points to, as text"),
        Column("alarmed", _UTC, comment="when it first reached the configured odds"),
    )
    wheel_counts = Table(
        "wheel_counts",
        metadata,
        Column("wheel", _NAME, primary_key=True),
        Column("direction", String(20), primary_key=True, comment="clockwise, counterclockwise, or empty"),
        Column("position", Integer, primary_key=True),
        Column("count", BigInteger, nullable=False),
    )
    return wheels, wheel_counts
