"""What a floor's store has besides for houses and their group (docs/group.md), for SQLAlchemy Core.

At a house's floor: how far its rounds were relayed, and entries that rounds need which a later relay sends. At a
group's floor: the houses. Each store has all of them; those that are not used are empty.
"""

from sqlalchemy import JSON, BigInteger, Boolean, Column, MetaData, String, Table

_UTC = String(24)
_HASH = String(64)
_NAME = String(80)


def house_tables(metadata: MetaData) -> tuple[Table, Table, Table]:
    """How far rounds were relayed, entries that a later relay needs, and the houses of a group."""
    relayed = Table(
        "relayed",
        metadata,
        Column("table", _NAME, primary_key=True, comment="empty for the alerts of all tables"),
        Column("record", _HASH, primary_key=True, comment="its first entry's hash; empty for alerts"),
        Column("seq", BigInteger, nullable=False, comment="the last entry that the group has; an alert's id"),
        comment="how far each record was relayed to the group's floor",
    )
    openings = Table(
        "openings",
        metadata,
        Column("table", _NAME, primary_key=True),
        Column("record", _HASH, primary_key=True),
        Column("seq", BigInteger, primary_key=True),
        Column("entry", JSON, nullable=False),
        Column("before", _HASH, nullable=False, comment="the hash of the entry before it"),
        comment="entries that opened a round, where the round before, which ends with them, is not stored",
    )
    houses = Table(
        "houses",
        metadata,
        Column("house", _NAME, primary_key=True),
        Column("store", String(32), nullable=False, comment="which store the house's floor says that it has"),
        Column("other", String(32), comment="another one that was heard of under the same name; null for none"),
        Column("other_heard", _UTC, comment="when that one was heard last"),
        Column("floor", _NAME, nullable=False),
        Column("online", Boolean, nullable=False),
        Column("software", _NAME, nullable=False),
        Column("heard", _UTC, nullable=False, comment="when its last message of itself arrived"),
        Column("changed", _UTC, nullable=False, comment="when it last came or went"),
        Column("ahead_ms", BigInteger, comment="how far its clock is ahead of this floor's; null: not known"),
        Column("tables", BigInteger, nullable=False, comment="how many it says that it has"),
        Column("waiting", BigInteger, nullable=False, comment="rounds that it still has to relay"),
        Column("oldest", _UTC, comment="when the oldest of them closed"),
        comment="every house that ever sent a message of itself",
    )
    return relayed, openings, houses
