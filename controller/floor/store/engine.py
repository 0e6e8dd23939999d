"""Opens the floor's database, creates its schema, and refuses a foreign one. SQLite or PostgreSQL."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, insert, inspect, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.schema import CreateColumn

from controller.floor.store import house_schema, schema

WRITING = "floor_writes"
"""The execution option of a connection whose transactions will write.

In SQLite a transaction that has read cannot start to write after another process has written: it must take the
writer's lock at its start. The pages only read, and must never hold the lock.
"""

_BUSY_S = 5.0
"""How long SQLite waits for another writer."""
_ANSWER_MS = 30_000
"""How long a PostgreSQL server may be silent."""
DRIVER = "psycopg"
"""The driver for PostgreSQL that the extra ``floor`` brings."""
_REMEDY = "use sqlite:////FILE, or postgresql+psycopg://USER@HOST/DATABASE"


class StoreError(Exception):
    """The store cannot be used; the message gives the reason and the remedy. A retry does not help."""


class StoreAwayError(StoreError):
    """The store is unavailable for now: the disk is full, another process writes, the server is down. Retry."""


def open_engine(url: str) -> Engine:
    """An engine for the URL, its schema created or checked to be of this version.

    Raises:
        StoreAwayError: the database does not answer, or cannot be written.
        StoreError: the database is not a floor's store, or the URL is wrong.
    """
    engine = _engine(parse_url(url))
    try:
        with engine.execution_options(**{WRITING: True}).begin() as db:
            _ensure_schema(db)
    except DBAPIError as error:
        engine.dispose()
        raise StoreAwayError(f"the store {engine.url!r} cannot be used: {error_text(error)}") from error
    except BaseException:
        engine.dispose()
        raise
    return engine


def parse_url(url: str) -> URL:
    """A store's URL, parsed.

    Raises:
        StoreError: it is not a URL, or names an unsupported database.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # The URL is not repeated: it may hold a password.
        raise StoreError(f"store.url is no SQLAlchemy URL; {_REMEDY}") from None
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreError(f"store.url names {parsed.drivername}, which is not supported; {_REMEDY}")
    if parsed.get_backend_name() == "sqlite" and (parsed.database or ":memory:") == ":memory:":
        raise StoreError("store.url names no file; use sqlite:////FILE with the file's whole path")
    try:
        parsed.get_dialect().import_dbapi()
    except (NoSuchModuleError, ImportError) as error:
        if isinstance(error, ModuleNotFoundError) and error.name == DRIVER:
            raise  # The command line names what installs it.
        driver = parsed.drivername
        raise StoreError(f"store.url: the driver {driver} is not installed; {_REMEDY}") from None
    return parsed


def _engine(url: URL) -> Engine:
    if url.get_backend_name() == "sqlite":
        engine = create_engine(url, connect_args={"timeout": _BUSY_S})
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    patience = {"connect_timeout": 5, "tcp_user_timeout": _ANSWER_MS} if url.get_driver_name() == "psycopg" else {}
    return create_engine(url, pool_pre_ping=True, connect_args=patience)


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # The driver begins no transactions of its own; _begin_sqlite does.
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")


def _begin_sqlite(db: Connection) -> None:
    db.exec_driver_sql("BEGIN IMMEDIATE" if db.get_execution_options().get(WRITING) else "BEGIN")


_EARLIER = ("1", "2", "3", "4")
"""Versions of the schema that this one only adds tables and columns to."""


def _ensure_schema(db: Connection) -> None:
    """Create the tables of a new store, or bring those of an existing one to this version."""
    existing = set(inspect(db).get_table_names())
    assert house_schema.houses.metadata is schema.metadata  # Its tables are of the same schema.
    ours = set(schema.metadata.tables)
    if schema.about.name not in existing:
        if existing & ours:
            raise StoreError(
                f"the database has a table '{min(existing & ours)}' that is not the floor's; give the floor its own"
            )
        schema.metadata.create_all(db)
        db.execute(insert(schema.about).values(key="version", value=str(schema.VERSION)))
        return
    query = select(schema.about.c.value).where(schema.about.c.key == "version")
    version = db.execute(query).scalar()
    if version in _EARLIER:
        _add_what_is_new(db)
        db.execute(update(schema.about).where(schema.about.c.key == "version").values(value=str(schema.VERSION)))
    elif version != str(schema.VERSION):
        raise StoreError(
            f"the store is of version {version}, and this software's of version {schema.VERSION}; "
            "use the software that made it, or give the floor a new store"
        )


def _add_what_is_new(db: Connection) -> None:
    """Create the tables, columns and indices that an earlier version's store lacks.

    A new column may be null or has a server's default: rows that are there get it.
    """
    schema.metadata.create_all(db)
    found = inspect(db)
    for table in schema.metadata.sorted_tables:
        there = {column["name"] for column in found.get_columns(table.name)}
        quoted = db.dialect.identifier_preparer.format_table(table)
        for column in table.columns:
            if column.name not in there:
                definition = CreateColumn(column).compile(dialect=db.dialect)
                db.exec_driver_sql(f"ALTER TABLE {quoted} ADD COLUMN {definition}")
        indices = {index["name"] for index in found.get_indexes(table.name)}
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            if index.name not in indices:
                index.create(db)


def error_text(error: Exception) -> str:
    """A database's message of an error, on one line, without the statement."""
    words = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    return " ".join(words.split())[:300] or type(error).__name__


def insert_new(db: Connection, table: Table, values: Mapping[str, object]) -> bool:
    """Insert a row, unless one with the same key exists; returns whether it was inserted."""
    make = postgresql.insert if db.dialect.name == "postgresql" else sqlite.insert
    statement = make(table).values(**values).on_conflict_do_nothing()
    # RETURNING gives the inserted row; not every driver reports the row count.
    return db.execute(statement.returning(*table.primary_key)).first() is not None


def upsert(db: Connection, table: Table, rows: list[dict[str, object]], adding: str = "") -> None:
    """Insert rows, each replacing the one with the same primary key.

    Args:
        adding: a column whose value is added to the stored one.
    """
    if not rows:
        return
    if db.dialect.name == "postgresql":
        statement: Any = postgresql.insert(table)
    else:
        statement = sqlite.insert(table)
    new = statement.excluded
    keys = [column.name for column in table.primary_key]
    changed = {name: new[name] for name in rows[0] if name not in keys}
    if adding:
        changed[adding] = table.c[adding] + new[adding]
    db.execute(statement.on_conflict_do_update(index_elements=keys, set_=changed), rows)
