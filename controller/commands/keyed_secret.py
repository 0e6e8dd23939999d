"""Asks for a password: without echo and twice at a terminal, as one line from a pipe."""

import getpass
import sys


def keyed_secret(prompt: str, again: str) -> str | None:
    """What was keyed in; None for nothing, or if the two differ.

    Args:
        prompt: the question.
        again: the question for the same once more; only a terminal is asked twice.
    """
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n") or None
    try:
        first = getpass.getpass(prompt)
        return first if first and getpass.getpass(again) == first else None
    except EOFError:  # Ctrl+D
        print(file=sys.stderr)
        return None
