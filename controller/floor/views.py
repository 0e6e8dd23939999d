"""Creates the views of ``views.sql``, the same on SQLite and PostgreSQL."""

import re
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, text

_VIEW = re.compile(r"((?:-- [^\n]+\n)+)CREATE VIEW (\w+) AS\n(.+?);\n", re.DOTALL)


class View(NamedTuple):
    """A view. ``about`` is its description, in the database and in the documents."""

    name: str
    about: str
    query: str


def _views() -> list[View]:
    found = _VIEW.findall(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
    return [View(name, about[3:].replace("\n-- ", " ").strip(), query) for about, name, query in found]


VIEWS = _views()
"""A view that reads another one is listed after it."""


def create(connection: Connection) -> None:
    """Create the views, or replace those of an earlier version."""
    on_sqlite = connection.dialect.name == "sqlite"
    for name, about, query in VIEWS:
        if on_sqlite:
            connection.execute(text(f"DROP VIEW IF EXISTS {name}"))
            connection.execute(text(f"CREATE VIEW {name} AS {query}"))
        else:
            connection.execute(text(f"CREATE OR REPLACE VIEW {name} AS {query}"))
            connection.execute(text(f"COMMENT ON VIEW {name} IS '{about}'"))
