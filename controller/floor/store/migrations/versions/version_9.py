"""no acknowledgements

Who has seen an alert is a silence of Alertmanager; settlements come from the command line alone.
"""

from alembic.operations import Operations

revision = "9"
down_revision = "8"


def upgrade(op: Operations) -> None:
    """Drop the columns, and what was asked for and has not taken effect."""
    op.execute("DELETE FROM settlements WHERE kind = 'acknowledge' AND done IS NULL")
    op.drop_column("settlements", "origin")
    for name in ("acknowledged", "acknowledged_by", "reason", "escalated"):
        op.drop_column("alerts", name)
