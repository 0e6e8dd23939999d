"""Connections to SQLite that a test opened and never closed.

Python 3.13 warns of them when they are collected, in whatever test runs then; older versions say nothing. Here each
is reported with the test that opened it, on every version.
"""

import os
import sqlite3
from typing import Any

left_open: list[str] = []
"""The tests that opened a connection which was collected without having been closed."""
_connect = sqlite3.connect


class WatchedConnection(sqlite3.Connection):
    """A connection that notes when it is collected open."""

    closed = True

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.closed = False
        self.opened_in = os.environ.get("PYTEST_CURRENT_TEST", "outside of a test").removesuffix(" (call)")

    def close(self) -> None:
        self.closed = True
        super().close()

    def __del__(self) -> None:
        if not self.closed:
            left_open.append(self.opened_in)
            self.close()


def watch_connections() -> None:
    """From now on connections are watched."""

    def connect(*args: Any, **options: Any) -> sqlite3.Connection:
        return _connect(*args, **{"factory": WatchedConnection, **options})

    # The second is the one that SQLAlchemy takes.
    sqlite3.connect = sqlite3.dbapi2.connect = connect  # type: ignore[assignment]
