"""Opens the floor's database, creates its schema, and refuses a foreign one. SQLite or PostgreSQL."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, inspect, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
    SQLAlchemyError,
)

from controller.floor.store import partitioning, schema
from controller.floor.store.engine_errors import StoreAwayError, StoreError, error_text
from controller.floor.store.migrations import upgrading

__all__ = [
    "WRITING",
    "StoreAwayError",
    "StoreError",
    "error_text",
    "insert_new",
    "is_of_data",
    "open_engine",
    "parse_url",
    "upsert",
]

WRITING = "floor_writes"
"""The execution option of a connection whose transactions will write.

In SQLite a transaction that has read cannot start to write after another process has written: it must take the
writer's lock at its start. The pages only read, and must never hold the lock.
"""

_BUSY_S = 5.0
"""How long SQLite waits for another writer."""
_ANSWER_MS = 30_000
"""How long a PostgreSQL server may be silent."""
_HUNG_MS = 8_000
"""After so long in a transaction without a word a writer is taken to hang."""
DRIVER = "psycopg"
"""The driver for PostgreSQL that the extra ``floor`` brings."""
_OTHER_SOFTWARE = "use the software that made it, or give the floor a new store"
_REMEDY = "use sqlite:////FILE, or postgresql+psycopg://USER@HOST/DATABASE"


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
    engine = create_engine(url, pool_pre_ping=True, connect_args=patience)
    event.listen(engine, "begin", _begin_postgres)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # The driver begins no transactions of its own; _begin_sqlite does.
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")


def _begin_sqlite(db: Connection) -> None:
    db.exec_driver_sql("BEGIN IMMEDIATE" if db.get_execution_options().get(WRITING) else "BEGIN")


def _begin_postgres(db: Connection) -> None:
    """A process that hangs within a transaction loses it: it keeps others from the tables that it writes."""
    if db.get_execution_options().get(WRITING):
        db.exec_driver_sql(f"SET LOCAL idle_in_transaction_session_timeout = {_HUNG_MS}")


def _ensure_schema(db: Connection) -> None:
    """Create the tables of a new store, or bring those of an existing one to this version."""
    upgrading.lock(db)
    version = stored_version(db)
    if version is not None and version not in map(str, range(1, schema.VERSION + 1)):
        raise StoreError(
            f"the store is of version {version}, and this software's of version {schema.VERSION}; {_OTHER_SOFTWARE}"
        )
    try:
        if upgrading.upgrade(db, version):
            upsert(db, schema.about, [{"key": "version", "value": str(schema.VERSION)}])
    except upgrading.UnknownRevisionError as error:
        raise StoreError(f"{error}; {_OTHER_SOFTWARE}") from None
    partitioning.look_after(db, version is None)


def stored_version(db: Connection) -> str | None:
    """The version that a store says it is of; None for a database without tables of the floor's.

    Raises:
        StoreError: it has tables of these names that are not the floor's.
    """
    existing = set(inspect(db).get_table_names())
    ours = set(schema.metadata.tables)
    if schema.about.name in existing:
        query = select(schema.about.c.value).where(schema.about.c.key == "version")
        return str(db.execute(query).scalar())
    if existing & ours:
        raise StoreError(
            f"the database has a table '{min(existing & ours)}' that is not the floor's; give the floor its own"
        )
    return None


def is_of_data(error: Exception) -> bool:
    """Whether an error is due to what is written, and not to the store."""
    if isinstance(error, SQLAlchemyError):
        return isinstance(error, DataError | IntegrityError)
    return not isinstance(error, MemoryError | OSError)


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
