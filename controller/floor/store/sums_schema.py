"""The tables of sums for long spans of time: days and months, and the spins of dealers. For the schema.

All numbers in them are added to what is there, so that no writer needs to know what another one has added.
"""

from sqlalchemy import BigInteger, Column, MetaData, String, Table

_NAME = String(80)
_PERIOD = String(13)


def _counts(*names: str, comment: str = "") -> list[Column[int]]:
    return [Column(name, BigInteger, nullable=False, comment=comment or None) for name in names]


def sum_tables(metadata: MetaData) -> tuple[Table, Table, Table]:
    """The sums of periods, their parts, and the sums of spins, as tables of the schema."""
    return _periods(metadata), _parts(metadata), _spins(metadata)


def _periods(metadata: MetaData) -> Table:
    return Table(
        "period_sums",
        metadata,
        Column("kind", String(8), primary_key=True, comment="whose sums: game, table, dealer or wheel"),
        Column("period", _PERIOD, primary_key=True, comment="a day, month or year of the house; an hour (UTC)"),
        Column("name", _NAME, primary_key=True, comment="of the table, dealer, wheel or game"),
        Column("game", _NAME, primary_key=True),
        *_counts("rounds", "spins", "voids", "corrections", "play_ms"),
        comment="the sums of hours, added up by day, month and year; kept when rounds are deleted",
        sqlite_with_rowid=False,
    )


def _parts(metadata: MetaData) -> Table:
    return Table(
        "period_parts",
        metadata,
        Column("kind", String(8), primary_key=True, comment="as in period_sums"),
        Column("of", String(8), primary_key=True, comment="state or void"),
        Column("name", _NAME, primary_key=True),
        Column("period", _PERIOD, primary_key=True, comment="a day or month of the house"),
        Column("game", _NAME, primary_key=True),
        Column("part", _NAME, primary_key=True, comment="the state, or why a spin was void"),
        *_counts("times", comment="rounds that had the state; void spins"),
        *_counts("ms", "capped_ms", comment="in the state; with at most ten minutes of each round"),
        comment="time by state of games and tables, void spins by reason of all",
        sqlite_with_rowid=False,
    )


def _spins(metadata: MetaData) -> Table:
    return Table(
        "spin_sums",
        metadata,
        Column("period", _PERIOD, primary_key=True, comment="a day, month or year of the house"),
        Column("dealer", _NAME, primary_key=True),
        Column("game", _NAME, primary_key=True),
        Column("direction", String(20), primary_key=True, comment="of the wheel or ball; empty: not known"),
        *_counts("spins", comment="throws that the table took for spins, the void ones included"),
        *_counts("short", comment="of them void, for they made fewer revolutions than the rules ask for"),
        *_counts("revolutions", comment="complete ones"),
        *_counts("timed", comment="spins whose second revolution was timed"),
        *_counts("speed", "speed_squares", comment="of that one: revolutions a second × 1000, and squares"),
        comment="what dealers did with wheels and balls; kept when rounds are deleted",
        sqlite_with_rowid=False,
    )
