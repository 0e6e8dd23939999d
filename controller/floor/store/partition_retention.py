"""Drops a month's partition of the rounds, as retention says: what must stay of it moves to the default partition.

What stays is what rows are kept for elsewhere: a record's last round and all beyond a gap, every round of a table
whose record contradicts itself, and what comes after a round that is too young (a clock was put back). Later passes
delete those rows when they may go.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from controller.floor.store.alerts import FORK
from controller.floor.store.engine_errors import error_text
from controller.floor.store.partitions import Partition, lock_briefly, partitions

log = logging.getLogger("floor")

AT_ONCE = 500
"""How many records one entry of the floor's record names."""
_BELOW = """
CREATE TEMP TABLE deletable_rounds ON COMMIT DROP AS
SELECT r."table", r.record, least(r.seq, coalesce(young.seq, r.seq)) AS below
FROM (SELECT DISTINCT "table", record FROM {name}) AS here
JOIN records AS r USING ("table", record)
LEFT JOIN LATERAL (
    SELECT min(seq) AS seq FROM rounds AS y
    WHERE y."table" = r."table" AND y.record = r.record AND y.closed_on >= CAST(:before AS date)
) AS young ON true
WHERE NOT EXISTS (SELECT FROM alerts AS a WHERE a."table" = r."table" AND a.kind = :fork AND a.ended IS NULL)
"""
_OF_RECORDS = """
SELECT d."table", d.record, min(p.first), max(p.seq), count(*)
FROM {name} AS p JOIN deletable_rounds AS d USING ("table", record)
WHERE p.seq < d.below GROUP BY d."table", d.record ORDER BY d."table", d.record
"""
_KEEP = """
INSERT INTO rounds SELECT p.* FROM {name} AS p LEFT JOIN deletable_rounds AS d USING ("table", record)
WHERE d.below IS NULL OR p.seq >= d.below
"""
_MARK = """
UPDATE records SET deleted_to = greatest(deleted_to, :last) WHERE "table" = :table AND record = :record
"""


@dataclass(frozen=True, slots=True)
class Deleted:
    """The rounds of a record that are deleted: from the first entry to the last."""

    table: str
    record: str
    first: int
    last: int
    rounds: int

    def document(self) -> dict[str, object]:
        """As the floor's record has it."""
        return {name: getattr(self, name) for name in self.__slots__}


def partitions_before(db: Connection, before: str) -> list[Partition]:
    """The partitions all of whose rounds closed before a time, the earliest first."""
    day = date.fromisoformat(before[:10])
    return [one for one in partitions(db) if one.until is not None and one.until <= day]


def records_left(db: Connection, before: str) -> list[tuple[str, str]]:
    """Tables and records that have rounds in the default partition that closed before a time."""
    default = next((one.name for one in partitions(db) if one.since is None), None)
    if default is None:
        return []
    query = text(f'SELECT DISTINCT "table", record FROM {default} WHERE closed_on < CAST(:before AS date)')
    return [(table, record) for table, record in db.execute(query, {"before": before[:10]})]


def drop_partition(db: Connection, partition: Partition, before: str, note: Callable[[object], None]) -> bool:
    """Drop a partition; returns whether that was done. What hinders it is said in the log: it is tried again later.

    Args:
        before: rounds that closed then or later are too young.
        note: writes what is deleted to the floor's record, before it takes effect.

    Raises:
        JournalError: the record cannot be written; nothing is deleted.
    """
    try:
        with db.begin_nested():
            lock_briefly(db)
            _drop(db, partition.name, before, note)
    except DBAPIError as error:
        log.warning("the rounds of %s are kept for now: %s", f"{partition.since:%Y-%m}", error_text(error))
        return False
    log.info("the rounds of %s were deleted, as retention: says", f"{partition.since:%Y-%m}")
    return True


def _drop(db: Connection, name: str, before: str, note: Callable[[object], None]) -> None:
    # Another worker's late round waits here; readers do not.
    db.execute(text(f"LOCK TABLE {name} IN SHARE ROW EXCLUSIVE MODE"))
    db.execute(text(_BELOW.format(name=name)), {"before": before[:10], "fork": FORK})
    deleted = [Deleted(*row) for row in db.execute(text(_OF_RECORDS.format(name=name)))]
    # From here on readers wait as well, if they have not made it wait too long.
    db.execute(text("LOCK TABLE rounds IN ACCESS EXCLUSIVE MODE"))
    for at in range(0, len(deleted), AT_ONCE):
        note([one.document() for one in deleted[at : at + AT_ONCE]])
    db.execute(text(f"ALTER TABLE rounds DETACH PARTITION {name}"))
    db.execute(text(_KEEP.format(name=name)))
    db.execute(text(f"DROP TABLE {name}"))
    if deleted:
        marks = [{"table": one.table, "record": one.record, "last": one.last} for one in deleted]
        db.execute(text(_MARK), marks)
    db.execute(text("DROP TABLE deletable_rounds"))
