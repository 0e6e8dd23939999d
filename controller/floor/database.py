"""Opens the floor's database, SQLite or PostgreSQL, and lets one floor process write it."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Table,
    UniqueConstraint,
    create_engine,
    event,
    inspect,
    select,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import NullPool

from config.floor import FOLDER
from config.problems import not_a_file
from controller.errors import CONFIGURATION, FAILED, UserError
from controller.floor import schema, views

_BUSY_S = 10.0
"""How long SQLite waits for another writer."""
_ANSWER_MS = 30_000
"""How long a PostgreSQL server may be silent."""
_LOCK = 0x7AB1E_F100
"""The key of the advisory lock in PostgreSQL."""
_WRITES = "floor_writes"
"""The execution option of a connection that writes.

In SQLite a transaction that has read cannot start to write after another process has written: it must take the
writer's lock at its start. Pages only read, and never take it.
"""
_REMEDY = "use sqlite:////FILE, or postgresql+psycopg://USER@HOST/DATABASE"
_SETTLED = "settled"
"""The key in ``about`` of how often a person has settled something: the floor then reads its records anew."""


class StoreError(UserError):
    """The database is not this floor's, or the URL is wrong; the message says what to do."""

    exit_code = CONFIGURATION


class StoreAwayError(StoreError):
    """The database does not answer, or cannot be written. It may come back."""

    exit_code = FAILED


def make_engine(url: str) -> Engine:
    """An engine for the database; it connects when it is used.

    Raises:
        StoreError: the URL is wrong, or its database is not supported.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # The URL is not repeated: it may have a password.
        raise StoreError(f"store.url is no SQLAlchemy URL; {_REMEDY}") from None
    if parsed.drivername == "postgresql+psycopg":
        patience = {"connect_timeout": 5, "tcp_user_timeout": _ANSWER_MS}
        return create_engine(parsed, pool_pre_ping=True, connect_args=patience)
    if parsed.drivername != "sqlite" or (parsed.database or ":memory:") == ":memory:":
        raise StoreError(f"store.url names {parsed.drivername} and no file, or another database; {_REMEDY}")
    if parsed.query:
        raise StoreError(f"store.url has the option {min(parsed.query)}, and a file has none; {_REMEDY}")
    engine = create_engine(parsed, connect_args={"timeout": _BUSY_S})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def check_file(url: str) -> None:
    """Check that a floor can use the database, as far as its file shows it: it is only read, and need not exist.

    Raises:
        StoreError: it cannot, or the URL is wrong.
    """
    engine = make_engine(url)
    if engine.dialect.name != "sqlite":
        return
    file = Path(engine.url.database or "").absolute()
    if kind := not_a_file(file):
        raise StoreError(f"{file} is {kind}; name a file")
    if not os.access(file.parent, os.W_OK) and file.parent != Path(FOLDER):
        raise StoreError(f"this user cannot write into the folder {file.parent}; make it, or name another one")
    if os.path.exists(file):  # Even to read it would make files beside it, unless it counts as immutable.
        opened = partial(sqlite3.connect, f"{file.as_uri()}?immutable=1", uri=True)
        try:
            with create_engine("sqlite://", creator=opened, poolclass=NullPool).connect() as db:
                _has_tables(db)
        except DBAPIError as error:
            raise away(error) from error


def prepare(engine: Engine) -> None:
    """Create the tables and views, or check that they are of this version.

    Raises:
        StoreAwayError: the database does not answer, or cannot be written.
        StoreError: it is not a floor's, or of another version.
    """
    try:
        with for_writing(engine) as db, db.begin():
            _ensure_tables(db)
    except DBAPIError as error:
        raise away(error) from error


def for_writing(engine: Engine) -> Connection:
    """A connection whose transactions write."""
    return engine.connect().execution_options(**{_WRITES: True})


def away(error: Exception) -> StoreAwayError:
    cause = getattr(error, "orig", None) or error
    words = " ".join(str(cause).split())[:300]
    return StoreAwayError(f"the database cannot be used: {words or type(cause).__name__}")


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # The driver begins no transactions of its own; _begin_sqlite does.
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")


def _begin_sqlite(db: Connection) -> None:
    db.exec_driver_sql("BEGIN IMMEDIATE" if db.get_execution_options().get(_WRITES) else "BEGIN")


def _ensure_tables(db: Connection) -> None:
    if db.dialect.name == "postgresql":  # Two floors that start at once do not both create them.
        db.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK + 1})
    if not _has_tables(db):
        schema.metadata.create_all(db)
        values = {"version": schema.VERSION, _SETTLED: 0}
        db.execute(schema.about.insert(), [{"key": key, "value": str(value)} for key, value in values.items()])
    views.create(db)


def _has_tables(db: Connection) -> bool:
    """Whether the floor's tables are there.

    Raises:
        StoreError: they are another program's, or of another version.
    """
    found = set(inspect(db).get_table_names())
    if "about" not in found:
        if ours := found & set(schema.metadata.tables):
            raise StoreError(
                f"the database has a table '{min(ours)}' that is not the floor's; give the floor its own"
            )
        return False
    about = schema.about.c
    version = db.execute(select(about.value).where(about.key == "version")).scalar()
    if version != str(schema.VERSION):
        raise StoreError(
            f"the database is of version {version}, this software of {schema.VERSION}; use the software that made "
            "it, or give the floor a new database: the tables send everything again that they still have"
        )
    return True


def settled_count(db: Connection, lock: bool = False) -> int:
    """How often a person has settled something; with ``lock``, nobody settles until the transaction ends."""
    query = select(schema.about.c.value).where(schema.about.c.key == _SETTLED)
    return int(db.execute(query.with_for_update(read=True) if lock else query).scalar_one())


def count_settled(db: Connection) -> None:
    """A person settles something: a running floor reads its records anew before it writes again."""
    row = select(schema.about.c.value).where(schema.about.c.key == _SETTLED).with_for_update()
    count = int(db.execute(row).scalar_one()) + 1
    db.execute(schema.about.update().where(schema.about.c.key == _SETTLED).values(value=str(count)))


@contextmanager
def sole_writer(engine: Engine) -> Iterator[Connection | None]:
    """The connection that writes, of the one process that may; None while another process has the lock.

    The lock belongs to the connection (PostgreSQL) or to the process (a file beside SQLite's), so it ends with it.

    Raises:
        StoreAwayError: the database does not answer.
    """
    file: int | None = None
    try:
        db = for_writing(engine)
    except DBAPIError as error:
        raise away(error) from error
    try:
        if engine.dialect.name == "sqlite":
            file = os.open(f"{engine.url.database}.lock", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            with db.begin():
                if not db.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": _LOCK}).scalar():
                    raise BlockingIOError
        yield db
    except BlockingIOError:
        yield None
    except (DBAPIError, OSError) as error:
        raise away(error) from error
    finally:
        db.invalidate()  # Closed, not returned to the pool: the lock goes with it.
        db.close()
        if file is not None:
            os.close(file)


def upsert(
    db: Connection,
    table: Table,
    rows: Sequence[dict[str, Any]],
    adding: Sequence[str] = (),
    only: ColumnElement[bool] | None = None,
) -> None:
    """Insert rows, each replacing the one with the same key.

    Args:
        adding: columns whose values are added to the stored ones.
        only: the stored rows that are replaced; None for all.
    """
    if not rows:
        return
    statement: Any = (postgresql if db.dialect.name == "postgresql" else sqlite).insert(table)
    keys = [column.name for column in _key_of(table)]
    changed = {name: statement.excluded[name] for name in rows[0] if name not in keys}
    changed |= {name: table.c[name] + statement.excluded[name] for name in adding}
    db.execute(statement.on_conflict_do_update(index_elements=keys, set_=changed, where=only), rows)


def _key_of(table: Table) -> list[Any]:
    """The columns by which people know a row: a unique constraint's, if the primary key is only a number."""
    unique = [one for one in table.constraints if isinstance(one, UniqueConstraint)]
    return list(unique[0].columns if unique else table.primary_key)
