"""What commands print for people: colours on a terminal, and priorities in systemd's journal.

Colours repeat what the words say and mean nothing alone. ``NO_COLOR`` turns them off (no-color.org), else
``FORCE_COLOR`` or ``CLICOLOR_FORCE`` turns them on; without either a terminal has them unless ``TERM`` is ``dumb``
or empty, or ``CLICOLOR`` is 0. If stderr is connected to systemd's journal according to ``JOURNAL_STREAM``
(systemd.exec(5)), lines begin with their priority, such as ``<3>``. Protocol: sd-daemon(3).
"""

import logging
import os
import sys
from collections.abc import Mapping
from enum import Enum
from typing import TextIO

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


def paint(text: str, colour: Colour, stream: TextIO) -> str:
    """A text for a stream, coloured if the stream has colours; each line by itself, as a pager cuts it."""
    if not text or not coloured(stream):
        return text
    return "\n".join(f"\033[{colour.value}m{line}\033[0m" if line else line for line in text.split("\n"))


def priority(level: int) -> int:
    """The syslog priority of a level of :mod:`logging`, 2 (critical) to 7 (debug)."""
    return next((number for least, number in _PRIORITIES if level >= least), _DEBUG)


def prefixed(text: str, level: int) -> str:
    """A text with the priority before each line: systemd's journal makes an entry of each."""
    return "\n".join(f"<{priority(level)}>{line}" for line in text.split("\n"))


def leads_to_journal(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether ``JOURNAL_STREAM`` names this stream, by device and inode."""
    try:
        file = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False  # The stream has no file.
    return environment.get("JOURNAL_STREAM") == f"{file.st_dev}:{file.st_ino}"


class PriorityFormatter(logging.Formatter):
    """Prefixes each line of a record, tracebacks included."""

    def format(self, record: logging.LogRecord) -> str:
        return prefixed(super().format(record), record.levelno)


class ColourFormatter(logging.Formatter):
    """Colours warnings and errors; the level's name says the same."""

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        if record.levelno < logging.WARNING:
            return text
        return paint(text, Colour.WARNING if record.levelno < logging.ERROR else Colour.BAD, sys.stderr)


def log_handler() -> logging.Handler:
    """A handler that writes the log to stderr: with priorities to systemd's journal, in colours to a terminal."""
    handler = logging.StreamHandler(sys.stderr)
    kind = PriorityFormatter if leads_to_journal(sys.stderr, os.environ) else logging.Formatter
    if kind is logging.Formatter and coloured(sys.stderr):
        kind = ColourFormatter
    handler.setFormatter(kind("%(levelname)s %(message)s"))
    return handler


def complain(text: str) -> None:
    """Print an error that ends a command to stderr."""
    _say(text, logging.ERROR, Colour.BAD)


def warn(text: str) -> None:
    """Print to stderr what somebody ought to look at, and does not end a command."""
    _say(text, logging.WARNING, Colour.WARNING)


def _say(text: str, level: int, colour: Colour) -> None:
    to_journal = leads_to_journal(sys.stderr, os.environ)
    print(prefixed(text, level) if to_journal else paint(text, colour, sys.stderr), file=sys.stderr)
