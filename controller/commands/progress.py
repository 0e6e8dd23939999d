"""A progress bar on standard error, if that is a terminal and can be drawn on."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec


@contextmanager
def shown_progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how much is done.

    Args:
        what: the unit: ``rounds``.

    Yields:
        A function to call with the number done since the last call.
    """
    if not sys.stderr.isatty() or find_spec("rich") is None:  # A plain installation has no rich.
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console(stderr=True)
    with Progress(
        what, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console, transient=True
    ) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)
