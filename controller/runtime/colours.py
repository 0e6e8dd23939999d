"""Colours of what a command prints, on a terminal. They repeat what the words say and mean nothing alone.

``NO_COLOR`` turns them off (no-color.org), else ``FORCE_COLOR`` or ``CLICOLOR_FORCE`` turns them on; without either
a terminal has them unless ``TERM`` is ``dumb`` or empty, or ``CLICOLOR`` is 0. JSON is never coloured: only those
who print for people call this.
"""

import os
from collections.abc import Mapping
from enum import Enum
from typing import TextIO


class Colour(Enum):
    """What a text is, with the SGR parameter (ECMA-48, 8.3.117) that shows it."""

    GOOD = "32"
    WARNING = "33"
    """Yellow: it works, and somebody ought to look."""
    BAD = "31"


def coloured(stream: TextIO, environment: Mapping[str, str] | None = None) -> bool:
    """Whether colours are printed on a stream.

    Args:
        environment: the variables that decide; those of the process if none are given.
    """
    given = os.environ if environment is None else environment
    if given.get("NO_COLOR"):
        return False
    if any(given.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    if given.get("TERM", "") in ("", "dumb") or given.get("CLICOLOR") == "0":
        return False
    return stream.isatty()


def paint(text: str, colour: Colour, stream: TextIO) -> str:
    """A text for a stream, coloured if the stream has colours; each line by itself, as a pager cuts it."""
    if not text or not coloured(stream):
        return text
    return "\n".join(f"\033[{colour.value}m{line}\033[0m" if line else line for line in text.split("\n"))
