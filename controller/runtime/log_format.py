"""Prefixes the lines of the log with their priority for systemd's journal, such as ``<3>``. Protocol: sd-daemon(3).

Only if stderr is connected to systemd's journal according to ``JOURNAL_STREAM`` (systemd.exec(5)).
"""

import logging
import os
import sys
from collections.abc import Mapping
from typing import TextIO

_PRIORITIES = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
_DEBUG = 7


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


def log_handler() -> logging.Handler:
    """A handler that writes the log to stderr, with priorities if systemd's journal reads it."""
    handler = logging.StreamHandler(sys.stderr)
    kind = PriorityFormatter if leads_to_journal(sys.stderr, os.environ) else logging.Formatter
    handler.setFormatter(kind("%(levelname)s %(message)s"))
    return handler


def complain(text: str) -> None:
    """Print an error that ends a command to stderr."""
    print(prefixed(text, logging.ERROR) if leads_to_journal(sys.stderr, os.environ) else text, file=sys.stderr)
