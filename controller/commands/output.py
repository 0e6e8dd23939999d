"""What commands print: text for people, JSON for programs, and how much of a long command is done.

Colours repeat what the words say. A terminal has them, unless ``NO_COLOR`` is set (no-color.org) or ``TERM`` is
``dumb``. Where stderr leads to systemd's journal (``JOURNAL_STREAM``, systemd.exec(5)), each line begins with its
priority, such as ``<3>`` (sd-daemon(3)).
"""

import json
import logging
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TextIO, TypeVar

from controller.errors import UserError

GOOD, WARNING, BAD = "32", "33", "31"
"""Green, yellow and red: parameters of SGR (ECMA-48, 8.3.117)."""
_PRIORITIES = {logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}
_EVERY_S = 0.5
_ERASED = "\r\033[K"
_UTC = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(?P<ms>\d{3}))?(?:\.\d+)?(?:Z|\+00:00)(?!\w)")

T = TypeVar("T")


# -- standard output -----------------------------------------------------------------------------------------------


def show_json(data: object) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))


def show(in_json: bool, data: object, lines: Iterable[str]) -> None:
    """Print the result of a command: data for a program, or the lines for people."""
    if in_json:
        show_json(data)
    else:
        for line in lines:
            print(line)


def paint(text: str, colour: str, stream: TextIO | None = None) -> str:
    """A text, coloured if its stream (standard output) has colours; each line by itself, as a pager cuts it."""
    stream = stream or sys.stdout
    if os.environ.get("NO_COLOR") or _is_dumb() or not stream.isatty():
        return text
    return "\n".join(f"\033[{colour}m{line}\033[0m" if line else line for line in text.split("\n"))


def _is_dumb() -> bool:
    return os.environ.get("TERM", "") in ("", "dumb")


def columns(headers: Sequence[str], rows: Iterable[Sequence[str]], right: frozenset[int] = frozenset()) -> str:
    """A table in columns.

    Args:
        right: the numbers of the right-aligned columns.
    """
    table = [headers, *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [
        "  ".join(f"{cell:{'>' if i in right else '<'}{widths[i]}}" for i, cell in enumerate(row)).rstrip()
        for row in table
    ]
    lines.insert(1, "  ".join("─" * width for width in widths))
    return "\n".join(lines)


def in_local_time(text: str) -> str:
    """A text for people: each time in UTC (ISO 8601) is a local one with its zone; milliseconds stay."""

    def local(found: re.Match[str]) -> str:
        try:
            at = datetime.fromisoformat(found[0]).astimezone()
        except (ValueError, OverflowError):
            return found[0]  # No such day, or before the first year here.
        milliseconds = f".{found['ms']}" if found["ms"] else ""
        return f"{at:%Y-%m-%d %H:%M:%S}{milliseconds} {at:%Z}"

    return _UTC.sub(local, text)


# -- standard error ------------------------------------------------------------------------------------------------


def note(text: str, level: int = logging.INFO) -> None:
    """Print to stderr what is not the command's result."""
    print(_dressed(text, level), file=sys.stderr, flush=True)


warn = partial(note, level=logging.WARNING)
complain = partial(note, level=logging.ERROR)


def _dressed(text: str, level: int) -> str:
    """A message for stderr: with priorities for systemd's journal, in colour for a terminal."""
    with suppress(OSError, ValueError):  # The stream may have no file.
        file = os.fstat(sys.stderr.fileno())
        if os.environ.get("JOURNAL_STREAM") == f"{file.st_dev}:{file.st_ino}":
            return "\n".join(f"<{_PRIORITIES.get(level, 7)}>{line}" for line in text.split("\n"))
    return text if level < logging.WARNING else paint(text, WARNING if level < logging.ERROR else BAD, sys.stderr)


class _Formatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return _dressed(super().format(record), record.levelno)


def log_to_stderr() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Formatter("%(levelname)s %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


@contextmanager
def progress(what: str, total: int = 0) -> Iterator[Callable[[int], None]]:
    """Show on a terminal how much is done; yields a function that counts more.

    Args:
        what: the unit: ``rounds``.
        total: how many there are; 0 if nobody knows.
    """
    shown, done, due_s = sys.stderr.isatty() and not _is_dumb(), 0, time.monotonic() + _EVERY_S

    def advance(more: int) -> None:
        nonlocal done, due_s
        done += more
        if shown and time.monotonic() >= due_s:
            due_s = time.monotonic() + _EVERY_S
            of = f" of {total:,}, {done / total:.0%}" if total else ""
            print(f"{_ERASED}{done:,} {what}{of}", end="", file=sys.stderr, flush=True)

    try:
        yield advance
    finally:
        if shown:
            print(_ERASED, end="", file=sys.stderr, flush=True)


def followed(items: Iterable[T], what: str, total: int = 0) -> Iterator[T]:
    """The same items, with their :func:`progress`."""
    with progress(what, total) as advance:
        for item in items:
            yield item
            advance(1)


# -- files ---------------------------------------------------------------------------------------------------------


def write_text(out: Path, text: str) -> None:
    """Write a file that a person named.

    Raises:
        UserError: it cannot be written.
    """
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{out}: {error.strerror}; name another file") from error
    note(f"{out} written")
