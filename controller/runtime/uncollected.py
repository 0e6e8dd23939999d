"""Python's search for cycles of objects, put off while software is loaded. Used by every start of a process."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no cycles meanwhile; what was made counts as old then, and is searched last.

    A start makes much and leaves nothing: looking again and again is a tenth of its processor time.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.unfreeze()  # All that is there is now in the oldest generation.
        if collects:
            gc.enable()
