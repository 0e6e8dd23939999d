"""Finds and loads a table's configuration: by the name of a game (the shipped table) or by file."""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from config.loader import digest, load_text, read
from config.rules import GENERAL_RULES
from config.schema import TableConfig
from controller.configuration.rules import GAME_RULES
from controller.statechart.registry import unknown_game


@dataclass(frozen=True, slots=True)
class LoadedTable:
    """A valid configuration, and what the record keeps of it."""

    path: Path
    config: TableConfig
    digest: str
    """SHA-256 of the file, hexadecimal."""


def shipped_tables() -> dict[str, Path]:
    """The ready-to-edit tables that come with the package, by game: a file each, of the game's name."""
    folder = Path(str(files("config") / "tables"))
    return {file.stem: file for file in sorted(folder.glob("*.yaml"))}


def table_path(game_or_file: str) -> Path:
    """The file meant by a game's name or a path."""
    return shipped_tables().get(game_or_file, Path(game_or_file))


def find_table(game_or_file: str) -> LoadedTable:
    """The table meant by a game's name (the shipped one) or a path.

    Raises:
        UnknownGameError: a bare word that is neither.
        ConfigError: with every problem in the file.
    """
    path = table_path(game_or_file)
    if not path.exists() and path.name == game_or_file and not path.suffix:
        raise unknown_game(game_or_file)
    return load_table(path)


def load_table(path: Path) -> LoadedTable:
    """Load a table and check it against every rule.

    Raises:
        ConfigError: with every problem in the file.
    """
    data = read(path)
    return LoadedTable(path, load_text(data, str(path), (*GENERAL_RULES, *GAME_RULES)), digest(data))
