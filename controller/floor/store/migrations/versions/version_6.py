"""workers that share a store

Which processes write it, and which of them writes which table (controller/floor/store/leases.py).
"""

from alembic.operations import Operations
from sqlalchemy import BigInteger, Column, String

revision = "6"
down_revision = "5"


def upgrade(op: Operations) -> None:
    """Add the tables; a floor that is one process leaves them empty."""
    op.create_table(
        "workers",
        Column("name", String(80), primary_key=True),
        Column("instance", String(16), nullable=False, comment="names its process"),
        Column("seen_ms", BigInteger, nullable=False, comment="when it last said that it is alive"),
        Column("batches", BigInteger, nullable=False, comment="how many it has stored since its start"),
        comment="the floor's processes that share this store; times are those of the database's clock",
    )
    op.create_table(
        "leases",
        Column("table", String(80), primary_key=True, comment="empty for what one worker does for all"),
        Column("worker", String(16), nullable=False, comment="the instance that writes it; empty for none"),
        comment="which worker writes which table",
    )
    op.create_table(
        "wheel_writers",
        Column("wheel", String(80), primary_key=True, comment="serial number"),
        Column("worker", String(16), nullable=False, comment="the instance that wrote it last"),
        comment="of wheels that may be moved from one worker's table to another's",
    )
