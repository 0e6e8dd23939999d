"""Python's search for cycles of objects, made seldom: with what all tests have loaded, most of it is in vain."""

import gc

NEW_OBJECTS = 50_000
"""After so many, less those that are gone again, the youngest are searched. Python's own number is 700."""


def collect_seldom() -> None:
    """Search the youngest objects seldom from now on; older ones as before, after so many of these searches."""
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
