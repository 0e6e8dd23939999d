"""houses and their group

How far a house's floor has relayed its rounds, and what a group's floor knows of its houses (docs/group.md); of an
alert, the entry that raised it.
"""

from alembic.operations import Operations
from sqlalchemy import JSON, BigInteger, Boolean, Column, String

revision = "7"
down_revision = "6"


def upgrade(op: Operations) -> None:
    """Add the tables and the column; a floor of no group leaves them empty."""
    comment = "of the entry that raised it; null for an alert of the floor's own"
    op.add_column("alerts", Column("hash", String(64), comment=comment))
    op.create_table(
        "relayed",
        Column("table", String(80), primary_key=True, comment="empty for the alerts of all tables"),
        Column("record", String(64), primary_key=True, comment="its first entry's hash; empty for alerts"),
        Column("seq", BigInteger, nullable=False, comment="the last entry that the group has; an alert's id"),
        comment="how far each record was relayed to the group's floor",
    )
    op.create_table(
        "openings",
        Column("table", String(80), primary_key=True),
        Column("record", String(64), primary_key=True),
        Column("seq", BigInteger, primary_key=True),
        Column("entry", JSON, nullable=False),
        Column("before", String(64), nullable=False, comment="the hash of the entry before it"),
        comment="entries that opened a round, where the round before, which ends with them, is not stored",
    )
    op.create_table(
        "houses",
        Column("house", String(80), primary_key=True),
        Column("store", String(32), nullable=False, comment="which store the house's floor says that it has"),
        Column("other", String(32), comment="another one that was heard of under the same name; null for none"),
        Column("other_heard", String(24), comment="when that one was heard last"),
        Column("floor", String(80), nullable=False),
        Column("online", Boolean, nullable=False),
        Column("software", String(80), nullable=False),
        Column("heard", String(24), nullable=False, comment="when its last message of itself arrived"),
        Column("changed", String(24), nullable=False, comment="when it last came or went"),
        Column("ahead_ms", BigInteger, comment="how far its clock is ahead of this floor's; null: not known"),
        Column("tables", BigInteger, nullable=False, comment="how many it says that it has"),
        Column("waiting", BigInteger, nullable=False, comment="rounds that it still has to relay"),
        Column("oldest", String(24), comment="when the oldest of them closed"),
        comment="every house that ever sent a message of itself",
    )
