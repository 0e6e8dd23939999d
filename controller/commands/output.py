"""What commands print: for people with colours on a terminal, for programs as JSON, for systemd with priorities.

Colours repeat what the words say and mean nothing alone. ``NO_COLOR`` turns them off (no-color.org), else
``FORCE_COLOR`` or ``CLICOLOR_FORCE`` turns them on; without either a terminal has them unless ``TERM`` is ``dumb``
or empty, or ``CLICOLOR`` is 0. If stderr is connected to systemd's journal according to ``JOURNAL_STREAM``
(systemd.exec(5)), lines begin with their priority, such as ``<3>``. Protocol: sd-daemon(3).
"""

import json
import logging
import os
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import TextIO

from controller.errors import UserError

_PRIORITIES = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
_DEBUG = 7


class Colour(Enum):
    """What a text is, with the SGR parameter (ECMA-48, 8.3.117) that shows it."""

    GOOD = "32"
    WARNING = "33"
    """Yellow: it works, and somebody ought to look."""
    BAD = "31"


def coloured(stream: TextIO, environment: Mapping[str, str] | None = None) -> bool:
    """Whether colours are printed on a stream.

    Args:
        environment: the variables that decide; those of the process if none are given.
    """
    given = os.environ if environment is None else environment
    if given.get("NO_COLOR"):
        return False
    if any(given.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    if given.get("TERM", "") in ("", "dumb") or given.get("CLICOLOR") == "0":
        return False
    return stream.isatty()


def paint(text: str, colour: Colour, stream: TextIO | None = None) -> str:
    """A text, coloured if its stream (standard output) has colours; each line by itself, as a pager cuts it."""
    if not text or not coloured(stream or sys.stdout):
        return text
    return "\n".join(f"\033[{colour.value}m{line}\033[0m" if line else line for line in text.split("\n"))


def complain(text: str) -> None:
    """Print an error that ends a command to stderr."""
    _say(text, logging.ERROR, Colour.BAD)


def warn(text: str) -> None:
    """Print to stderr what somebody ought to look at, and does not end a command."""
    _say(text, logging.WARNING, Colour.WARNING)


def note(text: str) -> None:
    """Print to stderr what is not the command's result."""
    _say(text, logging.INFO, None)


def print_json(data: object) -> None:
    """Print data as JSON for a program."""
    print(json.dumps(data, ensure_ascii=False, indent=2))


def columns(headers: Sequence[str], rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset()) -> str:
    """A table in columns.

    Args:
        right: the numbers of the right-aligned columns.
    """
    table = [list(headers), *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        cells = (
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "  ".join("─" * width for width in widths))
    return "\n".join(lines)


def write_text(out: Path, text: str) -> None:
    """Write a file that a person named, and say so on standard error.

    Raises:
        UserError: it cannot be written.
    """
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{out}: {error.strerror}; name another file") from error
    note(f"{out} written")


def whole_number(least: int, most: int, example: str) -> Callable[[str], int]:
    """The type of an argument: a whole number in a range.

    Args:
        example: what could be typed instead of a wrong one: ``--port 8081``.
    """

    def parsed(word: str) -> int:
        digits = word.removeprefix("#")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 12 and least <= int(digits) <= most):
            raise ArgumentTypeError(
                f"'{word}' is not a whole number from {least} to {most}; for example: {example}"
            )
        return int(digits)

    return parsed


port = whole_number(0, 65_535, "--port 8081, or 0 for any free one")


class PriorityFormatter(logging.Formatter):
    """Prefixes each line of a record, tracebacks included: systemd's journal makes an entry of each."""

    def format(self, record: logging.LogRecord) -> str:
        return prefixed(super().format(record), record.levelno)


class ColourFormatter(logging.Formatter):
    """Colours warnings and errors; the level's name says the same."""

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        if record.levelno < logging.WARNING:
            return text
        return paint(text, Colour.WARNING if record.levelno < logging.ERROR else Colour.BAD, sys.stderr)


def log_to_stderr() -> None:
    """Write the log to stderr: with priorities to systemd's journal, in colours to a terminal."""
    handler = logging.StreamHandler(sys.stderr)
    kind = PriorityFormatter if leads_to_journal(sys.stderr, os.environ) else logging.Formatter
    if kind is logging.Formatter and coloured(sys.stderr):
        kind = ColourFormatter
    handler.setFormatter(kind("%(levelname)s %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def prefixed(text: str, level: int) -> str:
    """A text with the syslog priority of a level of :mod:`logging` before each line."""
    priority = next((number for least, number in _PRIORITIES if level >= least), _DEBUG)
    return "\n".join(f"<{priority}>{line}" for line in text.split("\n"))


def leads_to_journal(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether ``JOURNAL_STREAM`` names this stream, by device and inode."""
    try:
        file = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False  # The stream has no file.
    return environment.get("JOURNAL_STREAM") == f"{file.st_dev}:{file.st_ino}"


def _say(text: str, level: int, colour: Colour | None) -> None:
    if leads_to_journal(sys.stderr, os.environ):
        text = prefixed(text, level)
    elif colour is not None:
        text = paint(text, colour, sys.stderr)
    print(text, file=sys.stderr, flush=True)
