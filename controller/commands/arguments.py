"""Arguments that several commands take: numbers, files, and the table and journal that are meant.

``verify-software`` has one of them: what loads more is imported where it is used.
"""

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from config.problems import not_a_file

if TYPE_CHECKING:
    from config.schema import TableConfig


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """The type of an argument: a whole number in a range."""

    def parsed(word: str) -> int:
        if not (word.isascii() and word.isdigit() and len(word) < 12 and least <= int(word) <= most):
            raise ArgumentTypeError(f"'{word}' is not a whole number from {least} to {most}")
        return int(word)

    return parsed


port = whole_number(0, 65_535)
seed = whole_number(0, 2**32 - 1)


def table_name(word: str) -> str:
    """The type of an argument: the name of a table."""
    from config.values import NAME_PATTERN

    if not re.fullmatch(NAME_PATTERN, word):
        raise ArgumentTypeError(f"'{word}' is not the name of a table; use the `table:` of its file")
    return word


def file(word: str) -> Path:
    """The type of an argument: a file, for to open a pipe would wait for ever."""
    if kind := not_a_file(word):
        raise ArgumentTypeError(f"{word} is {kind}; name a file")
    return Path(word)


GAME_OR_FILE = "a game for its shipped table, or a table's YAML file"


def add_game_or_file(parser: ArgumentParser, words: str = GAME_OR_FILE) -> None:
    parser.add_argument("table", metavar="GAME|FILE", help=words)


def add_file(parser: ArgumentParser, words: str = "") -> None:
    parser.add_argument("table", metavar="FILE", help=f"the table's YAML file{words}")


def add_json(parser: ArgumentParser, words: str = "print JSON") -> None:
    parser.add_argument("--json", action="store_true", help=words)


def add_journal(parser: ArgumentParser) -> None:
    """The option for :func:`journal_of` and :func:`socket_of`."""
    words = "use this journal instead of the configured one, such as a copy or that of a trial"
    parser.add_argument("--journal", type=Path, metavar="FILE", help=words)


def journal_of(config: "TableConfig", arguments: Namespace) -> Path:
    from controller.runtime.media import files_of

    return files_of(config, arguments.journal).file


def socket_of(config: "TableConfig", arguments: Namespace) -> Path:
    """Where a table that runs, or a trial, is reached."""
    from controller.runtime.socket import reached_at

    return reached_at(journal_of(config, arguments), arguments.journal is not None)
