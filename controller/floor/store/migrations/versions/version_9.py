"""webhooks

What happened to alerts, and which receivers are still to be told of it (docs/webhooks.md).
"""

from alembic.operations import Operations
from sqlalchemy import BigInteger, Column, Integer, String, UniqueConstraint

revision = "9"
down_revision = "8"


def upgrade(op: Operations) -> None:
    """Add the tables; a floor without receivers leaves them empty."""
    seen = "the highest number of an alert that was looked at for it"
    begun = "the highest number when it was first seen in the file"
    number = BigInteger().with_variant(Integer, "sqlite")
    done = "when the receiver took it, or it was given up; null until then"
    op.create_table(
        "webhook_receivers",
        Column("receiver", String(80), primary_key=True, comment="as the floor's file calls it"),
        Column("seen", BigInteger, nullable=False, comment=seen),
        Column("begun", BigInteger, nullable=False, comment=begun),
        comment="who is told of alerts; a worker that tells one holds its row",
    )
    op.create_table(
        "webhook_events",
        Column("id", number, primary_key=True, comment="they are told in this order"),
        Column("receiver", String(80), nullable=False),
        Column("alert", BigInteger, nullable=False, comment="its number in alerts"),
        Column("event", String(20), nullable=False, comment="raised, acknowledged, escalated or ended"),
        Column("at", String(24), nullable=False),
        Column("done", String(24), comment=done),
        UniqueConstraint("receiver", "alert", "event"),
        comment="what happened to alerts, by receiver; deleted once an alert has ended and all of it is told",
    )
    op.create_index("webhook_events_to_tell", "webhook_events", ["receiver", "done", "id"])
