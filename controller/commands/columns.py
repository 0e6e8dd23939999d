"""Output of commands as plain tables or JSON, and an argument type that several commands share."""

import json
from argparse import ArgumentTypeError
from collections.abc import Sequence


def columns(headers: Sequence[str], rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset()) -> str:
    """A table in columns.

    Args:
        right: the numbers of the right-aligned columns.
    """
    table = [list(headers), *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        cells = (
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "  ".join("─" * width for width in widths))
    return "\n".join(lines)


def as_json(data: object) -> str:
    """Data as JSON for a program."""
    return json.dumps(data, ensure_ascii=False, indent=2)


def port(word: str) -> int:
    """The value of an option ``--port``; 0 for any free one."""
    if not (word.isascii() and word.isdigit() and int(word) <= 65_535):
        raise ArgumentTypeError(f"'{word}' is not a port; 0 to 65535, for example: --port 8081")
    return int(word)
