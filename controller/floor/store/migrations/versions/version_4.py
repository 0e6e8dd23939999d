"""the tables of version 4

In a new database all of them, in a store of version 1 to 3 what it lacks: such a store has no revision yet.
"""

from alembic.operations import Operations
from sqlalchemy import inspect
from sqlalchemy.schema import CreateColumn

from controller.floor.store.migrations.base_tables import metadata

revision = "4"
down_revision = None


def upgrade(op: Operations) -> None:
    """Create the tables, columns and indices that are not there.

    A new column may be null or has a server's default: rows that are there get it.
    """
    db = op.get_bind()
    metadata.create_all(db)
    found = inspect(db)
    for table in metadata.sorted_tables:
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
