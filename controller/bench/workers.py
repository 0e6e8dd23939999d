"""Spreads work over processes. Used by simulations and campaigns."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import TypeVar

_RECYCLE = 200
"""Processes are replaced after this many parts each, so that their memory does not grow."""

P = TypeVar("P")
R = TypeVar("R")


def spread(work: Callable[[P], R], parts: Sequence[P], workers: int) -> Iterator[tuple[int, R]]:
    """Do every part; yields its number and result as soon as it is done, in any order.

    If the caller stops early, by an exception or by Ctrl-C, only the parts that have begun are finished.

    Args:
        work: a function of a module, because it is sent to new processes.
        workers: processes; with 1 the work is done in this one.
    """
    if workers == 1:
        yield from enumerate(map(work, parts))
        return
    # Not by ``max_tasks_per_child``: with that, the pool of Python 3.11 and later stops (gh-115634 of CPython).
    step = _RECYCLE * workers
    for first in range(0, len(parts), step):
        yield from _spread(work, parts[first : first + step], workers, first)


def _spread(work: Callable[[P], R], parts: Sequence[P], workers: int, first: int) -> Iterator[tuple[int, R]]:
    """Do these parts, numbered from ``first``, in new processes."""
    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, spawn, initializer=_leave_interrupts)
    try:
        numbers = {pool.submit(work, part): number for number, part in enumerate(parts, first)}
        for done in as_completed(numbers):
            yield numbers[done], done.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C is handled by the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
