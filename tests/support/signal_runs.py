"""Signals written out again: what each column of a line holds, from a document and, separately, from edges."""

import re
from collections.abc import Iterable, Mapping

_RUN = re.compile(r"([lhbx])(\d*)")


def expanded(runs: str) -> str:
    """A letter for each column."""
    assert re.fullmatch(r"(?:[lhbx](?:[2-9]|[1-9]\d+)?)*", runs), runs
    return "".join(letter * int(length or 1) for letter, length in _RUN.findall(runs))


def looked_at(
    edges: Iterable[tuple[str, int]], levels: Mapping[str, bool], letter: str, columns: Iterable[tuple[int, int]]
) -> str:
    """A line's columns, each given by when it begins and ends, looked at edge by edge.

    Args:
        edges: letters and times, in order.
        levels: before the first of them.
    """
    own = [(edge, at_ns) for edge, at_ns in edges if edge.upper() == letter]
    found = []
    for begin_ns, end_ns in columns:
        before = [edge for edge, at_ns in own if at_ns < end_ns]
        high = before[-1].isupper() if before else levels[letter]
        changes = any(begin_ns <= at_ns < end_ns for _, at_ns in own)
        found.append("b" if changes else "h" if high else "l")
    return "".join(found)
