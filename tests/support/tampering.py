"""Changes of a journal with a database tool."""

import sqlite3
from pathlib import Path


def change(file: Path, statement: str) -> None:
    """Change a journal as with a database tool."""
    with sqlite3.connect(file) as db:
        db.execute("DROP TRIGGER IF EXISTS no_update")
        db.execute("DROP TRIGGER IF EXISTS no_delete")
        db.execute(statement)
    db.close()
