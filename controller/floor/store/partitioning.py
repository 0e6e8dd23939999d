"""Changes the rounds of a PostgreSQL store over to partitions, one a month. All of it takes effect, or nothing.

A new store is made so where ``pg_partman`` is installed in its database; one that is there by the command
``floor FILE --partition``.
"""

import logging
from collections.abc import Callable
from datetime import date

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from controller.floor.store import schema
from controller.floor.store.engine_errors import StoreError, error_text
from controller.floor.store.partitions import (
    AHEAD,
    EXTENSION,
    Extension,
    extension,
    forget,
    is_partitioned,
    lock_briefly,
    make_ahead,
    make_month,
    month_after,
    parent,
    partitions,
)

log = logging.getLogger("floor")

MOST_MONTHS = 120
"""How many months back a change-over makes partitions for; what is older is in the default partition."""
ReportStep = Callable[[str], None]


class NoPartmanError(StoreError):
    """The database cannot have partitions; the message says what its administrator does."""


def partman_of(db: Connection) -> Extension:
    """The extension that makes partitions.

    Raises:
        NoPartmanError: it is not installed in this database, or may not be used.
    """
    found = extension(db)
    if found is None:
        version, name, user = db.execute(
            text("SELECT current_setting('server_version_num')::int / 10000, current_database(), current_user")
        ).one()
        raise NoPartmanError(
            f"the database lacks the extension {EXTENSION}: install Debian's package postgresql-{version}-partman "
            f"at the server, then have its administrator run in the database {name}: CREATE SCHEMA partman; "
            f"CREATE EXTENSION {EXTENSION} SCHEMA partman; {_grants('partman', user)}"
        )
    user, can_read, can_make = db.execute(
        text(
            "SELECT current_user, has_schema_privilege(n.oid, 'USAGE, CREATE'), "
            "has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE') "
            "FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = 'part_config' "
            "WHERE quote_ident(n.nspname) = :schema"
        ),
        {"schema": found.schema},
    ).one()
    if not (can_read and can_make):
        raise NoPartmanError(
            f"the floor's user {user} may not use the extension {EXTENSION}: have the database's administrator "
            "run: " + _grants(found.schema, user)
        )
    return found


def _grants(place: str, user: str) -> str:
    return (
        f"GRANT ALL ON SCHEMA {place} TO {user}; GRANT ALL ON ALL TABLES IN SCHEMA {place} TO {user}; "
        f"GRANT EXECUTE ON ALL ROUTINES IN SCHEMA {place} TO {user};"
    )


def look_after(db: Connection, is_new: bool) -> None:
    """A store is opened: partition a new one if that is possible, or make the partitions of the coming months.

    Args:
        is_new: whether it was made just now.
    """
    if db.dialect.name != "postgresql":
        return
    if is_partitioned(db):
        make_ahead(db)
        return
    if extension(db) is None:
        log.info(
            "rounds are kept in one table: the database has no extension %s; a floor of many tables has them in "
            "partitions (docs/floor.md, 'PostgreSQL for many tables')",
            EXTENSION,
        )
    elif not is_new:
        log.info("rounds are kept in one table; table-controller floor FILE --partition changes them to partitions")
    else:
        try:
            with db.begin_nested():
                change_over(db, log.info)
        except StoreError as error:
            log.warning("rounds are kept in one table, without partitions: %s", error)
        except DBAPIError as error:
            log.warning("rounds are kept in one table, without partitions: %s", error_text(error))


def change_over(db: Connection, report: ReportStep) -> int:
    """Change the rounds over to partitions, within the transaction; returns how many rounds there are.

    Until the transaction ends, it takes the room of all rounds again, and nobody else can read or write them.

    Args:
        report: is called with what is being done.

    Raises:
        NoPartmanError: what makes partitions is not there.
        DBAPIError: it cannot be done; the transaction must be undone.
    """
    partman = partman_of(db)
    lock_briefly(db)
    db.execute(text("LOCK TABLE rounds IN ACCESS EXCLUSIVE MODE"))
    db.execute(text("SET LOCAL lock_timeout = 0"))
    grants = _granted(db)
    db.execute(text("ALTER TABLE rounds RENAME TO rounds_whole"))
    db.execute(
        text(
            "CREATE TABLE rounds (LIKE rounds_whole INCLUDING DEFAULTS INCLUDING COMMENTS) "
            "PARTITION BY RANGE (closed_on)"
        )
    )
    db.execute(text("ALTER TABLE rounds ALTER COLUMN closed_on SET NOT NULL"))
    months = _months(db)
    _give_to_partman(db, partman, months[0])
    there = {one.since for one in partitions(db)}
    for month in months:
        if month not in there:
            make_month(db, partman, month)
    copied = _copy(db, months, report)
    _replace(db)
    for grant in grants:
        db.execute(text(grant))
    forget(db)
    report(f"{copied} rounds are in partitions from {months[0]:%Y-%m} on")
    return copied


def _granted(db: Connection) -> list[str]:
    """What others than the owner may do with the rounds, as statements that give it to them."""
    query = text(
        "SELECT format('GRANT %s ON rounds TO %s', a.privilege_type, "
        "CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END) "
        "FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = to_regclass('rounds') AND a.grantee <> c.relowner"
    )
    return list(db.execute(query).scalars())


def _months(db: Connection) -> list[date]:
    """The months that get a partition: from the earliest with a round to the coming ones."""
    today = db.execute(text("SELECT (now() AT TIME ZONE 'UTC')::date")).scalar_one()
    last, earliest = month_after(today, AHEAD), month_after(today, -MOST_MONTHS)
    query = text("SELECT min(closed) FROM rounds_whole WHERE closed >= :earliest AND closed < :today")
    first = db.execute(query, {"earliest": str(earliest), "today": f"{today}T99"}).scalar()
    begins = month_after(date.fromisoformat(first[:10]) if first else today)
    count = (last.year - begins.year) * 12 + last.month - begins.month + 1
    return [month_after(begins, number) for number in range(count)]


def _give_to_partman(db: Connection, partman: Extension, first: date) -> None:
    """Register the rounds; this makes the default partition, and those from the first month to the coming ones."""
    kind, interval = ("native", "monthly") if partman.major < 5 else ("range", "1 month")
    table = parent(db)
    db.execute(
        text(
            f"SELECT {partman.schema}.create_parent(p_parent_table => :table, p_control => 'closed_on', "
            "p_type => :kind, p_interval => :interval, p_premake => :ahead, p_start_partition => :first, "
            "p_jobmon => false)"
        ),
        {"table": table, "kind": kind, "interval": interval, "ahead": AHEAD, "first": f"{first}"},
    )
    # If somebody lets it work by itself, too: months go by without rounds, and a clock ahead makes no partitions.
    db.execute(
        text(
            f"UPDATE {partman.schema}.part_config SET infinite_time_partitions = true, ignore_default_data = true "
            "WHERE parent_table = :table"
        ),
        {"table": table},
    )


def _copy(db: Connection, months: list[date], report: ReportStep) -> int:
    total = db.execute(text("SELECT count(*) FROM rounds_whole")).scalar_one()
    names = ", ".join(f'"{column.name}"' for column in schema.rounds.columns if column.name != "closed_on")
    query = f"INSERT INTO rounds ({names}, closed_on) SELECT {names}, substr(closed, 1, 10)::date FROM rounds_whole"
    copied = 0
    for month in months:
        days = {"since": f"{month}", "until": f"{month_after(month, 1)}"}
        done = db.execute(text(f"{query} WHERE closed >= :since AND closed < :until"), days).rowcount
        copied += done
        if done:
            report(f"{month:%Y-%m}: {copied} of {total} rounds")
    edges = {"since": f"{months[0]}", "until": f"{month_after(months[-1], 1)}"}
    return copied + db.execute(text(f"{query} WHERE closed < :since OR closed >= :until"), edges).rowcount


def _replace(db: Connection) -> None:
    """Drop the table that was; what it had beside its rows is given to the new one."""
    sequence = db.execute(text("SELECT pg_get_serial_sequence('rounds_whole', 'id')")).scalar_one()
    db.execute(text(f"ALTER SEQUENCE {sequence} OWNED BY rounds.id"))
    db.execute(text("DROP TABLE rounds_whole"))
    db.execute(text("ALTER TABLE rounds ADD PRIMARY KEY (id, closed_on)"))
    db.execute(text('ALTER TABLE rounds ADD UNIQUE ("table", record, seq, closed_on)'))
    for index in sorted(schema.rounds.indexes, key=lambda one: str(one.name)):
        index.create(db)
    db.execute(text("ANALYZE rounds"))
