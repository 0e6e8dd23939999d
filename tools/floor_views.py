"""Writes the list of the floor's views into ``docs/floor.md``. Run by ``make docs``."""

import re
from pathlib import Path

from sqlalchemy import create_engine, inspect

from controller.floor import schema, views

PAGE = Path(__file__).parents[1] / "docs" / "floor.md"
_LIST = re.compile(r"(?<=<!-- views: made by make docs -->\n).*?(?=<!-- end of views -->)", re.DOTALL)


def listed() -> str:
    """A table of the views with their columns."""
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        schema.metadata.create_all(connection)
        views.create(connection)
        columns = {view.name: inspect(connection).get_columns(view.name) for view in views.VIEWS}
    rows = [
        f"| `{view.name}` | {view.about} | {', '.join(column['name'] for column in columns[view.name])} |"
        for view in views.VIEWS
    ]
    return "\n".join(("| view | content | columns |", "| --- | --- | --- |", *rows, ""))


if __name__ == "__main__":
    PAGE.write_text(_LIST.sub(lambda _: listed(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
