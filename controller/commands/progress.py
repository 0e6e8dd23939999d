"""How far a long command is, in one line on standard error, if that is a terminal. Nothing of it is left.

What takes less than a second shows nothing. A pipe, a file and a ``dumb`` terminal get nothing.
"""

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

_AFTER_S, _EVERY_S = 1.0, 0.1
_ERASED = "\r\033[K"
_CELLS = 20
_MINUTE_S = 90
"""From so many seconds on, what is left is said in minutes."""

T = TypeVar("T")
Advance = Callable[[int], None]
"""Is called with the number done since the last call."""


class ProgressLine:
    """The line, drawn anew ten times a second at the most.

    Args:
        what: the unit: ``rounds``.
        total: how many there are; 0 if nobody knows.
        draw: shows a text in the place of the one before.
        now_s: monotonic time in seconds.
    """

    def __init__(self, what: str, total: int, draw: Callable[[str], None], now_s: Callable[[], float]) -> None:
        self._what, self._total, self._draw, self._now_s = what, total, draw, now_s
        self._began_s = now_s()
        self._due_s = self._began_s + _AFTER_S
        self._done = 0

    def advance(self, done: int) -> None:
        """Count what was done since the last call."""
        self._done += done
        now_s = self._now_s()
        if now_s >= self._due_s:
            self._due_s = now_s + _EVERY_S
            self._draw(self._text(now_s))

    def _text(self, now_s: float) -> str:
        if not self._total:
            return f"{self._done:,} {self._what}"
        share = min(self._done / self._total, 1.0)
        filled = int(share * _CELLS)
        text = f"[{'#' * filled}{'.' * (_CELLS - filled)}] {share:4.0%}  "
        text += f"{self._done:,} of {self._total:,} {self._what}"
        return f"{text}, {_span((now_s - self._began_s) * (1 - share) / share)} left" if share else text


def _span(left_s: float) -> str:
    return f"{left_s:.0f} s" if left_s < _MINUTE_S else f"{left_s / 60:.0f} min"


@contextmanager
def shown_progress(what: str, total: int = 0) -> Iterator[Advance]:
    """Show how much is done.

    Args:
        what: the unit: ``rounds``.
        total: how many there are; 0 if nobody knows.
    """
    if not _drawable():
        yield lambda done: None
        return
    try:
        yield ProgressLine(what, total, _draw, time.monotonic).advance
    finally:
        _draw("")


@contextmanager
def busy(text: str) -> Iterator[None]:
    """Show what a command does that cannot be counted, at once and until it is done."""
    if not _drawable():
        yield
        return
    _draw(f"{text} ...")
    try:
        yield
    finally:
        _draw("")


def followed(items: Iterable[T], advance: Advance) -> Iterator[T]:
    """The same items, each counted once it has been dealt with."""
    for item in items:
        yield item
        advance(1)


def _drawable() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def _draw(text: str) -> None:
    width = shutil.get_terminal_size().columns - 1
    print(f"{_ERASED}{text[:width]}", end="", file=sys.stderr, flush=True)
