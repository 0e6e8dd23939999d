"""no days of wheels' health

What a wheel's spins measured is in its entries.
"""

from alembic.operations import Operations

revision = "10"
down_revision = "9"


def upgrade(op: Operations) -> None:
    """Drop the table."""
    op.drop_table("wheel_days")
