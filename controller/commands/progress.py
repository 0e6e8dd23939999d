"""How far a long command is: one line on standard error, if that is a terminal. Nothing of it is left.

A pipe, a file and a ``dumb`` terminal get nothing.
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


@contextmanager
def shown_progress(what: str, total: int = 0) -> Iterator[Advance]:
    """Show how much is done, from the first second on, ten times a second at the most.

    Args:
        what: the unit: ``rounds``.
        total: how many there are; 0 if nobody knows.
    """
    began_s = time.monotonic()
    done, due_s = 0, began_s + _AFTER_S

    def advance(more: int) -> None:
        nonlocal done, due_s
        done += more
        now_s = time.monotonic()
        if now_s >= due_s:
            due_s = now_s + _EVERY_S
            show(_text(what, done, total, now_s - began_s))

    with busy() as show:
        yield advance


@contextmanager
def busy(text: str = "") -> Iterator[Callable[[str], None]]:
    """Show what a command does, at once and until it is done; yields what shows another text."""
    if not sys.stderr.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        yield lambda text: None
        return
    if text:
        _draw(f"{text} ...")
    try:
        yield _draw
    finally:
        _draw("")


def followed(items: Iterable[T], advance: Advance) -> Iterator[T]:
    """The same items, each counted once it has been dealt with."""
    for item in items:
        yield item
        advance(1)


def _text(what: str, done: int, total: int, passed_s: float) -> str:
    if not total:
        return f"{done:,} {what}"
    share = min(done / total, 1.0)
    filled = int(share * _CELLS)
    text = f"[{'#' * filled}{'.' * (_CELLS - filled)}] {share:4.0%}  {done:,} of {total:,} {what}"
    if not share:
        return text
    left_s = passed_s * (1 - share) / share
    return f"{text}, {f'{left_s:.0f} s' if left_s < _MINUTE_S else f'{left_s / 60:.0f} min'} left"


def _draw(text: str) -> None:
    width = shutil.get_terminal_size().columns - 1
    print(f"{_ERASED}{text[:width]}", end="", file=sys.stderr, flush=True)
