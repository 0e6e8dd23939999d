"""What somebody does to a journal with a database tool."""

import sqlite3
from pathlib import Path


def change(file: Path, statement: str) -> None:
    """As somebody with a database tool would."""
    with sqlite3.connect(file) as db:
        db.execute("DROP TRIGGER no_update")
        db.execute("DROP TRIGGER no_delete")
        db.execute(statement)
    db.close()
