"""Which file ``journal`` works on: the journal that is named, or the one of a table's file."""

from pathlib import Path

from controller.configuration.shipped import load_table, table_path
from controller.runtime.media import files_of


def journal_file(name: str) -> Path:
    """The journal that is named, or that of the table whose file is."""
    path = table_path(name)
    return files_of(load_table(path).config).in_use() if path.suffix in (".yaml", ".yml") else path
