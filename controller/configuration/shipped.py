"""Finds and loads a table's configuration, by the name of a game (the shipped table) or by file; its devices."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import config
from config.loader import Rule, digest, load_text, read
from config.schema import DeviceSection, TableConfig
from controller.configuration.rules import RULES
from controller.machine.registry import (
    UnknownGameError,
    UnusableGameError,
    find_game,
    folder_of,
    game_names,
)
from hal.registry import find_driver


class LoadedTable(NamedTuple):
    """A valid configuration, with its file and digest for the record."""

    path: Path
    config: TableConfig
    digest: str
    """SHA-256 of the file, hexadecimal."""


def shipped_tables() -> dict[str, Path]:
    """The shipped table files, by game. That of another distribution is ``table.yaml`` in the game's folder."""
    folder = Path(config.__path__[0]) / "tables"
    own = {file.stem: file for file in sorted(folder.glob("*.yaml"))}
    outside = {name: _table_of(name) for name in game_names() if name not in own}
    return own | {name: file for name, file in outside.items() if file is not None}


def _table_of(game: str) -> Path | None:
    """The table file of a game of another distribution; None if it has none, or cannot be used."""
    with suppress(UnknownGameError):
        file = folder_of(game) / "table.yaml"
        return file if file.is_file() else None
    return None


def table_path(game_or_file: str) -> Path:
    return shipped_tables().get(game_or_file, Path(game_or_file))


def find_table(game_or_file: str, more: Sequence[Rule] = ()) -> LoadedTable:
    """The table meant by a game's name (the shipped one) or a path; as :func:`load_table`."""
    return load_table(table_path(game_or_file), more)


def load_table(path: Path, more: Sequence[Rule] = ()) -> LoadedTable:
    """Load a table and check it against every rule.

    Args:
        more: further rules, as of this computer.

    Raises:
        UnknownGameError: a bare word that is neither a file nor a game, or a game that cannot be used.
        ConfigError: with every problem in the file.
    """
    if path.name == str(path) and not path.suffix and not os.path.exists(path):
        find_game(path.name)
        why = "has a shipped table, which is everybody's" if path.name in shipped_tables() else "has no table.yaml"
        raise UnusableGameError(f"the game '{path}' {why}; name a table's file instead")
    data = read(path)
    return LoadedTable(path, load_text(data, str(path), (*RULES, *more)), digest(data))


def device_options(config: TableConfig, kind: str, section: DeviceSection) -> dict[str, object]:
    """A device's options. A backend with an option ``sections`` gets the number of sections of the game's wheel.

    Args:
        kind: the kind of device (see :mod:`hal.registry`).

    Raises:
        UnknownBackendError: there is no such backend.
        UnknownGameError: there is no such game.
    """
    of_game = {"sections": len(find_game(config.game).wheel) or None}
    accepted = find_driver(kind, section.backend).settings.model_fields
    return {**{name: value for name, value in of_game.items() if name in accepted}, **section.options}


def simulated(config: TableConfig) -> list[str]:
    """The devices that are simulated, as sections of the file."""
    return [name for name, section in config.devices if section is not None and section.backend == "mock"]


def all_simulated(config: TableConfig) -> bool:
    """Whether the table has no real device, as on the bench."""
    return all(section is None or section.backend == "mock" for _, section in config.devices)
