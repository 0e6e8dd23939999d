"""How grave a line of the log is, in systemd's words: ``<3>`` and the like before the line. Protocol: sd-daemon(3).

Only where stderr leads into systemd's journal, as ``JOURNAL_STREAM`` says (systemd.exec(5)); elsewhere lines stay
plain.
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
    """A text whose every line says how grave it is: the journal makes an entry of each line."""
    return "\n".join(f"<{priority(level)}>{line}" for line in text.split("\n"))


def leads_to_journal(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether a stream is the one that ``JOURNAL_STREAM`` names, by device and inode."""
    try:
        file = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False  # No file at all.
    return environment.get("JOURNAL_STREAM") == f"{file.st_dev}:{file.st_ino}"


class PriorityFormatter(logging.Formatter):
    """Prefixes each line of a record, tracebacks included."""

    def format(self, record: logging.LogRecord) -> str:
        return prefixed(super().format(record), record.levelno)


def log_handler() -> logging.Handler:
    """Writes the log to stderr, in the form that fits where it leads."""
    handler = logging.StreamHandler(sys.stderr)
    kind = PriorityFormatter if leads_to_journal(sys.stderr, os.environ) else logging.Formatter
    handler.setFormatter(kind("%(levelname)s %(message)s"))
    return handler


def complain(text: str) -> None:
    """Print an error that ends a command to stderr."""
    print(prefixed(text, logging.ERROR) if leads_to_journal(sys.stderr, os.environ) else text, file=sys.stderr)
