"""Rounds of PostgreSQL in partitions, one for each month: which there are, and those of the coming months.

``pg_partman`` makes them; the floor says which it needs, before they are needed. What closed in a month that has
none (a table whose clock was in 1970, or is a century ahead) is in the default partition: nothing is made for it.
"""

import logging
import re
from datetime import date
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, text
from sqlalchemy.exc import DBAPIError

from controller.floor.store import schema
from controller.floor.store.engine_errors import error_text

log = logging.getLogger("floor")

AHEAD = 3
"""How many months beyond the present one have a partition."""
KEEP_NS = 3_600_000_000_000
"""How often is looked whether they have."""
EXTENSION = "pg_partman"
LOCK_MS = 500
"""How long a statement waits for a lock that would stop readers and writers; it is tried again later."""
_PARTITIONED = "rounds_partitioned"
_BOUNDS = re.compile(r"FROM \('([0-9-]+)'\) TO \('([0-9-]+)'\)")
_rounds = schema.rounds.c


class Partition(NamedTuple):
    """A partition of the rounds.

    Attributes:
        name: as SQL has it, quoted and with its schema where that is needed.
        since: the first day; None for the default partition.
        until: the day after the last one.
    """

    name: str
    since: date | None
    until: date | None


class Extension(NamedTuple):
    """``pg_partman`` as it is installed in a database."""

    schema: str
    version: str

    @property
    def major(self) -> int:
        """The first number of its version: functions of 4 and 5 take other arguments."""
        return int(self.version.partition(".")[0])


def is_partitioned(db: Connection) -> bool:
    """Whether the rounds are partitioned. Read once for each connection to the database."""
    if db.dialect.name != "postgresql":
        return False
    if _PARTITIONED not in db.info:
        query = text("SELECT relkind = 'p' FROM pg_class WHERE oid = to_regclass('rounds')")
        db.info[_PARTITIONED] = bool(db.execute(query).scalar())
    return bool(db.info[_PARTITIONED])


def forget(db: Connection) -> None:
    """The rounds were changed over."""
    db.info.pop(_PARTITIONED, None)


def closed_between(db: Connection, since: str, until: str | None = None) -> list[ColumnElement[bool]]:
    """The conditions that a round closed at a time or later, and before another; other partitions are not read.

    Args:
        since: UTC, as the store has times.
        until: the same; None for no end.
    """
    conditions = [_rounds.closed >= since, *([] if until is None else [_rounds.closed < until])]
    if is_partitioned(db):
        conditions.append(_rounds.closed_on >= day_of(since))
        if until is not None:
            conditions.append(_rounds.closed_on <= day_of(until))
    return conditions


def day_of(utc: str) -> date:
    """The day of a time as the store has it."""
    return date.fromisoformat(utc[:10])


def month_after(day: date, months: int = 0) -> date:
    """The first day of the month, so many months later (or earlier, if negative)."""
    number = day.year * 12 + day.month - 1 + months
    return date(number // 12, number % 12 + 1, 1)


def extension(db: Connection) -> Extension | None:
    """``pg_partman``, if it is installed in this database."""
    query = text(
        "SELECT quote_ident(n.nspname), e.extversion FROM pg_extension e "
        "JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = :name"
    )
    row = db.execute(query, {"name": EXTENSION}).first()
    return None if row is None else Extension(*row)


def partitions(db: Connection) -> list[Partition]:
    """The partitions of the rounds, the earliest first, the default one last."""
    query = text(
        "SELECT c.oid::regclass::text, pg_get_expr(c.relpartbound, c.oid) FROM pg_inherits i "
        "JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = to_regclass('rounds')"
    )
    found = []
    for name, bound in db.execute(query):
        match = _BOUNDS.search(bound)
        days = (date.fromisoformat(match[1]), date.fromisoformat(match[2])) if match else (None, None)
        found.append(Partition(name, *days))
    return sorted(found, key=lambda one: one.since or date.max)


def lock_briefly(db: Connection) -> None:
    """Until the transaction ends, a statement that cannot get a lock soon fails; days are those of UTC."""
    db.execute(text(f"SET LOCAL lock_timeout = {LOCK_MS}"))
    db.execute(text("SET LOCAL TIME ZONE 'UTC'"))


def parent(db: Connection) -> str:
    """The rounds' table with its schema, as ``pg_partman`` names it."""
    query = text(
        "SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE c.oid = to_regclass('rounds')"
    )
    return str(db.execute(query).scalar_one())


def make_month(db: Connection, partman: Extension, first: date) -> None:
    """Make a month's partition; what is in the default partition of it moves there.

    Raises:
        DBAPIError: it cannot be made; the transaction must be undone.
    """
    days = {"since": first, "until": month_after(first, 1)}
    default = next((one.name for one in partitions(db) if one.since is None), None)
    moved = 0
    if default is not None:
        db.execute(text("CREATE TEMP TABLE moved_rounds (LIKE rounds) ON COMMIT DROP"))
        take = f"DELETE FROM {default} WHERE closed_on >= :since AND closed_on < :until RETURNING *"
        moved = db.execute(
            text(f"WITH taken AS ({take}) INSERT INTO moved_rounds SELECT * FROM taken"), days
        ).rowcount
    made = text(f"SELECT {partman.schema}.create_partition_time(:parent, ARRAY[CAST(:at AS timestamptz)])")
    db.execute(made, {"parent": parent(db), "at": f"{first} 00:00:00+00"})
    if moved:
        db.execute(text("INSERT INTO rounds SELECT * FROM moved_rounds"))
    if default is not None:
        db.execute(text("DROP TABLE moved_rounds"))


def lacking_months(db: Connection, today: date | None = None) -> list[date]:
    """The present and the coming months that have no partition, each as its first day."""
    day = today or db.execute(text("SELECT (now() AT TIME ZONE 'UTC')::date")).scalar_one()
    known = [(one.since, one.until) for one in partitions(db) if one.since is not None and one.until is not None]
    months = [month_after(day, ahead) for ahead in range(AHEAD + 1)]
    return [month for month in months if not any(since <= month < until for since, until in known)]


def make_ahead(db: Connection, today: date | None = None) -> bool:
    """Make the partitions of the present and the coming months; what hinders it is said in the log.

    Args:
        today: UTC; that of the server by default.

    Returns:
        whether all are there now.
    """
    if not is_partitioned(db) or not (months := lacking_months(db, today)):
        return True
    partman = extension(db)
    if partman is None:
        log.error(
            "rounds are partitioned, and the months from %s on have no partition: the database lacks the extension "
            "%s, which makes them; rounds go to the default one (docs/floor.md, 'PostgreSQL for many tables')",
            f"{months[0]:%Y-%m}",
            EXTENSION,
        )
        return True  # It is said again at the next look.
    try:
        with db.begin_nested():
            lock_briefly(db)
            for month in months:
                make_month(db, partman, month)
    except DBAPIError as error:
        log.warning("the partition of %s cannot be made: %s", f"{months[0]:%Y-%m}", error_text(error))
        return False
    log.info("rounds have partitions up to %s", f"{months[-1]:%Y-%m}")
    return True


class PartitionCare:
    """Looks every hour whether the coming months have partitions; a minute later, if they could not be made."""

    def __init__(self) -> None:
        self._next_ns = 0

    def is_due(self, utc_ns: int) -> bool:
        """Whether :meth:`look` has anything to do."""
        return utc_ns >= self._next_ns

    def look(self, db: Connection, utc_ns: int) -> None:
        """Make what is missing."""
        self._next_ns = utc_ns + (KEEP_NS if make_ahead(db) else KEEP_NS // 60)
