"""How far a command is, on standard error: one line that is rewritten on a terminal, else one every ten seconds."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_EVERY_S = 10.0
_ERASED = "\r\033[K"


@contextmanager
def status_line() -> Iterator[Callable[[str], None]]:
    """Show texts one after the other; yields the function that shows one."""
    on_terminal, shown_s = sys.stderr.isatty(), -_EVERY_S

    def show(text: str) -> None:
        nonlocal shown_s
        if on_terminal:
            print(f"{_ERASED}{text}", end="", file=sys.stderr, flush=True)
        elif time.monotonic() - shown_s >= _EVERY_S:
            shown_s = time.monotonic()
            print(text, file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if on_terminal:
            print(_ERASED, end="", file=sys.stderr, flush=True)
