"""Which files ``journal`` works on: the journal that is named, or the one of a table's file, and what was signed
of it."""

from pathlib import Path
from typing import NamedTuple

from config.schema import TableConfig
from controller.configuration.shipped import load_table, table_path
from controller.runtime.media import files_of


def journal_file(name: str) -> Path:
    """The journal that is named, or that of the table whose file is."""
    config = table_config(name)
    return files_of(config).file if config is not None else table_path(name)


def table_config(name: str) -> TableConfig | None:
    """The table whose file is named; None for a journal."""
    path = table_path(name)
    return load_table(path).config if path.suffix in (".yaml", ".yml") else None


class SignedFiles(NamedTuple):
    """Where what was signed of a record is kept.

    Attributes:
        table: its name; empty if only the signatures say it.
    """

    checkpoints: Path
    table: str


def signed_files(name: str, checkpoints: Path | None) -> SignedFiles | None:
    """Those of a table's file, or those named with ``--checkpoints``; None for neither."""
    config = table_config(name)
    table = config.table if config is not None else ""
    if checkpoints is not None:
        return SignedFiles(checkpoints, table)
    if config is not None and config.signing is not None:
        return SignedFiles(Path(config.signing.checkpoints), table)
    return None
