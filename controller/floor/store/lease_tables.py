"""The part of the floor's store by which several workers share it; see :mod:`controller.floor.store.leases`."""

from sqlalchemy import BigInteger, Column, MetaData, String, Table

_NAME = String(80)
_INSTANCE = String(16)


def lease_tables(metadata: MetaData) -> tuple[Table, Table, Table]:
    """The workers, the leases of tables, and who wrote each wheel last."""
    workers = Table(
        "workers",
        metadata,
        Column("name", _NAME, primary_key=True),
        Column("instance", _INSTANCE, nullable=False, comment="names its process"),
        Column("seen_ms", BigInteger, nullable=False, comment="when it last said that it is alive"),
        Column("batches", BigInteger, nullable=False, comment="how many it has stored since its start"),
        comment="the floor's processes that share this store; times are those of the database's clock",
    )
    leases = Table(
        "leases",
        metadata,
        Column("table", _NAME, primary_key=True, comment="empty for what one worker does for all"),
        Column("worker", _INSTANCE, nullable=False, comment="the instance that writes it; empty for none"),
        comment="which worker writes which table",
    )
    wheel_writers = Table(
        "wheel_writers",
        metadata,
        Column("wheel", _NAME, primary_key=True, comment="serial number"),
        Column("worker", _INSTANCE, nullable=False, comment="the instance that wrote it last"),
        comment="of wheels that may be moved from one worker's table to another's",
    )
    return workers, leases, wheel_writers
