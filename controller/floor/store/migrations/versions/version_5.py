"""the day on which a round closed

By it PostgreSQL keeps rounds in partitions (controller/floor/store/partitions.py). Rounds that are there have none
until their table is changed over: nothing else reads it, and no row is written anew for it.
"""

from alembic.operations import Operations
from sqlalchemy import Column, Date

revision = "5"
down_revision = "4"


def upgrade(op: Operations) -> None:
    """Add the column."""
    op.add_column("rounds", Column("closed_on", Date))
