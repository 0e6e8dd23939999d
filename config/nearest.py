"""The name that was probably meant: for messages about a key, game, command or option that does not exist."""

from collections.abc import Iterable

_LONGEST = 60
"""Longer words are no mistyped names, and comparing them takes long."""


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """``did you mean NAME?`` for the name that is most alike; empty if none is."""
    from difflib import get_close_matches  # Only a mistake needs it.

    near = get_close_matches(word, list(names), n=1) if len(word) <= _LONGEST else []
    return f"did you mean {near[0]}?" if near else ""
