"""sums of days, months and years, and of dealers' spins

Statistics of long spans of time are read from them. What is stored is added in slices, once a floor has the store.
"""

from alembic.operations import Operations
from sqlalchemy import BigInteger, Column, String

revision = "8"
down_revision = "7"


def _counts(*names: str, comment: str | None = None) -> list[Column[int]]:
    return [Column(name, BigInteger, nullable=False, comment=comment) for name in names]


def upgrade(op: Operations) -> None:
    """Add the tables."""
    name, period = String(80), String(13)
    op.create_table(
        "period_sums",
        Column("kind", String(8), primary_key=True, comment="whose sums: game, table, dealer or wheel"),
        Column("period", period, primary_key=True, comment="a day, month or year of the house; an hour (UTC)"),
        Column("name", name, primary_key=True, comment="of the table, dealer, wheel or game"),
        Column("game", name, primary_key=True),
        *_counts("rounds", "spins", "voids", "corrections", "play_ms"),
        comment="the sums of hours, added up by day, month and year; kept when rounds are deleted",
        sqlite_with_rowid=False,
    )
    op.create_table(
        "period_parts",
        Column("kind", String(8), primary_key=True, comment="as in period_sums"),
        Column("of", String(8), primary_key=True, comment="state or void"),
        Column("name", name, primary_key=True),
        Column("period", period, primary_key=True, comment="a day or month of the house"),
        Column("game", name, primary_key=True),
        Column("part", name, primary_key=True, comment="the state, or why a spin was void"),
        *_counts("times", comment="rounds that had the state; void spins"),
        *_counts("ms", "capped_ms", comment="in the state; with at most ten minutes of each round"),
        comment="time by state of games and tables, void spins by reason of all",
        sqlite_with_rowid=False,
    )
    op.create_table(
        "spin_sums",
        Column("period", period, primary_key=True, comment="a day, month or year of the house"),
        Column("dealer", name, primary_key=True),
        Column("game", name, primary_key=True),
        Column("direction", String(20), primary_key=True, comment="of the wheel or ball; empty: not known"),
        *_counts("spins", comment="throws that the table took for spins, the void ones included"),
        *_counts("short", comment="of them void, for they made fewer revolutions than the rules ask for"),
        *_counts("revolutions", comment="complete ones"),
        *_counts("timed", comment="spins whose second revolution was timed"),
        *_counts("speed", "speed_squares", comment="of that one: revolutions a second × 1000, and squares"),
        comment="what dealers did with wheels and balls; kept when rounds are deleted",
        sqlite_with_rowid=False,
    )
