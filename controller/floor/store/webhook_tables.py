"""The store's tables for webhooks: what happened to alerts, and who is still to be told of it."""

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, String, Table, UniqueConstraint


def webhook_tables(metadata: MetaData) -> tuple[Table, Table]:
    """The receivers, and the events that they are told of; both become a part of the store's schema."""
    receivers = Table(
        "webhook_receivers",
        metadata,
        Column("receiver", String(80), primary_key=True, comment="as the floor's file calls it"),
        Column(
            "seen", BigInteger, nullable=False, comment="the highest number of an alert that was looked at for it"
        ),
        Column(
            "begun", BigInteger, nullable=False, comment="the highest number when it was first seen in the file"
        ),
        comment="who is told of alerts; a worker that tells one holds its row",
    )
    events = Table(
        "webhook_events",
        metadata,
        Column(
            "id",
            BigInteger().with_variant(Integer, "sqlite"),
            primary_key=True,
            comment="they are told in this order",
        ),
        Column("receiver", String(80), nullable=False),
        Column("alert", BigInteger, nullable=False, comment="its number in alerts"),
        Column("event", String(20), nullable=False, comment="raised, acknowledged, escalated or ended"),
        Column("at", String(24), nullable=False),
        Column("done", String(24), comment="when the receiver took it, or it was given up; null until then"),
        UniqueConstraint("receiver", "alert", "event"),
        Index("webhook_events_to_tell", "receiver", "done", "id"),
        comment="what happened to alerts, by receiver; deleted once an alert has ended and all of it is told",
    )
    return receivers, events
